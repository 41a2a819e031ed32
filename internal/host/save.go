package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"
)

// Save writes the configuration to a file, byte for byte as it was read but for what agents may
// use: comments and variables stay. The file is replaced as a whole or not at all.
func (c Config) Save(path string) error {
	root := hujson.Value{Value: &hujson.Object{}}
	if c.document != nil {
		var err error
		if root, err = hujson.Parse(c.document); err != nil { // it was read before
			return err
		}
	}
	for _, a := range c.Agents {
		agent := member(member(root.Value.(*hujson.Object), "agents", 1), a.Name, 2)
		set(agent, "toolCalling", a.ToolCalling, 3)
		set(agent, "allowedTools", append([]string{}, a.AllowedTools...), 3)
	}
	return replaceFile(path, root.Pack())
}

// member is an object in an object, which is made where it is not there.
func member(in *hujson.Object, name string, depth int) *hujson.Object {
	for i := range in.Members {
		if object, ok := in.Members[i].Value.Value.(*hujson.Object); ok && nameOf(in.Members[i]) == name {
			return object
		}
	}
	set(in, name, struct{}{}, depth)
	return in.Members[len(in.Members)-1].Value.Value.(*hujson.Object)
}

// set replaces a member of an object, or adds it in a line of its own. Depth is that of the member.
func set(in *hujson.Object, name string, value any, depth int) {
	indent := strings.Repeat("  ", depth)
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, "  ")
	err := e.Encode(value)
	parsed, invalid := hujson.Parse(text.Bytes())
	if err = errors.Join(err, invalid); err != nil {
		panic("host: " + err.Error()) // texts and booleans always encode
	}
	for i := range in.Members {
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

// replaceFile replaces a file as a whole; who may read it, and that it is a link to another
// one, stay as they are.
func replaceFile(path string, data []byte) error {
	mode := fs.FileMode(0o600) // it may have secrets
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".mcp-*.json")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // without effect once it has its name
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
