package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/scenario"
	"econ-mcp/internal/term"
	"econ-mcp/presets"
)

func newPresets() *cobra.Command {
	asWritten := false
	cmd := &cobra.Command{
		Use:   "presets [NAME]",
		Short: "List the built-in scenarios, or print one as YAML",
		Long: `Lists the built-in scenarios. With a name it prints that scenario as YAML, which
is a good start for a file of one's own (econ-mcp run --config FILE): all parameters
with their units. As written it is shorter, with the source beside each number.`,
		Example: "  econ-mcp presets\n  econ-mcp presets crisis > mine.yaml",
		Args:    atMostOne("NAME", "preset"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				s, err := presets.Load(args[0])
				if err != nil {
					return err
				}
				text := s.Encode()
				if asWritten {
					if text, err = presets.Text(args[0]); err != nil {
						return err
					}
				}
				return printed(cmd, presetDocument{newPresetRow(s), string(text)}, func(out io.Writer) { out.Write(text) })
			}
			rows, err := presetRows()
			if err != nil {
				return err
			}
			return printed(cmd, presetsDocument{len(rows), rows}, func(out io.Writer) { writePresets(out, rows) })
		},
	}
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().BoolVar(&asWritten, "as-written", false, "print the preset's own file, with its sources")
	return cmd
}

// presetRow describes one preset.
type presetRow struct {
	Name         string `json:"name"`
	Description  string `json:"description"`
	Source       string `json:"source"`
	ScenarioHash string `json:"scenario_hash"`
}

// presetDocument is the JSON form of one preset.
type presetDocument struct {
	presetRow
	YAML string `json:"yaml"` // all parameters, or the preset's own file
}

func newPresetRow(s scenario.Scenario) presetRow {
	return presetRow{s.Name, s.Description, s.Source, s.Hash()}
}

// presetsDocument is the JSON form of econ-mcp presets.
type presetsDocument struct {
	Count   int         `json:"count"`
	Presets []presetRow `json:"presets"`
}

func presetRows() ([]presetRow, error) {
	var rows []presetRow
	for _, name := range presets.Names() {
		s, err := presets.Load(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, newPresetRow(s))
	}
	return rows, nil
}

func writePresets(w io.Writer, rows []presetRow) {
	for i, row := range rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, row.Name)
		fmt.Fprintln(w, term.Indented(row.Description, "    "))
		if row.Source != "" {
			fmt.Fprintln(w, term.Indented("Source: "+row.Source, "    "))
		}
	}
}
