// Package presets holds the built-in scenarios.
package presets

import (
	"embed"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
)

const extension = ".yaml"

//go:embed *.yaml
var files embed.FS

// Names lists the presets in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded directory is always there
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), extension))
	}
	return names
}

// Text is the file of a preset as it is written, with the source beside each number.
func Text(name string) ([]byte, error) {
	if _, err := Load(name); err != nil {
		return nil, err
	}
	return files.ReadFile(name + extension)
}

// Load reads a preset. An unknown name is fault.NotFound with the nearest ones.
func Load(name string) (scenario.Scenario, error) {
	data, err := files.ReadFile(name + extension)
	if err != nil {
		e := fault.Unknown(fault.NotFound, "preset", name, Names())
		if len(e.Allowed) == 0 {
			e.Allowed = Names()
			e.Hint = "known: " + strings.Join(e.Allowed, ", ")
		}
		return scenario.Scenario{}, e
	}
	return scenario.Decode(name, data)
}
