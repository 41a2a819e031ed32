package host

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"econ-mcp/internal/atomicfile"
)

// Save writes the configuration to a file, byte for byte as it was read but for what agents may
// use: comments and variables stay. The file is replaced as a whole or not at all.
func (c Config) Save(path string) error {
	for i, a := range c.Agents {
		set(c.settings[i], "toolCalling", a.ToolCalling)
		set(c.settings[i], "allowedTools", append([]string{}, a.AllowedTools...))
	}
	return replaceFile(path, c.document.Pack())
}

// set replaces a setting of an agent, or adds it in a line of its own.
func set(in *hujson.Object, name string, value any) {
	const indent = "      "
	text, _ := json.MarshalIndent(value, indent, "  ") // texts and booleans always encode
	parsed, _ := hujson.Parse(text)
	for i := range slices.Backward(in.Members) { // of several, the last counts
		if nameOf(in.Members[i]) == name {
			in.Members[i].Value.Value = parsed.Value
			return
		}
	}
	if len(in.Members) == 0 && len(in.AfterExtra) == 0 {
		in.AfterExtra = hujson.Extra("\n" + strings.TrimPrefix(indent, "  "))
	}
	in.Members = append(in.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra("\n" + indent), Value: hujson.String(name)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: parsed.Value},
	})
}

// replaceFile replaces a file as a whole. Permissions stay, and a link stays a link.
func replaceFile(path string, data []byte) error {
	mode := fs.FileMode(0o600) // it may have secrets
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	return atomicfile.WriteFile(path, data, mode, true)
}
