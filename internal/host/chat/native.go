package chat

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mattn/go-runewidth"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// Native is a tool that is a function of this process.
type Native struct {
	Tool host.Tool
	run  func(ctx context.Context, arguments json.RawMessage) (host.Result, error)
}

// NewNative makes a tool of a function. The schema of its arguments is that of In, a struct
// with json tags and descriptions in jsonschema tags; a field with omitempty is optional. An In
// that has no schema panics. An error of the function is one of layer tool.
func NewNative[In any](name, title, description string, hints host.Hints, f func(ctx context.Context, in In) (string, error)) Native {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("chat: the schema of the native tool %s: %v", name, err))
	}
	input, _ := json.Marshal(schema) // which was made from a type
	tool := host.Tool{
		Server: host.Native, Name: name, Title: title, Description: description, Category: host.Native, Input: input, Hints: hints,
	}
	return Native{tool, func(ctx context.Context, arguments json.RawMessage) (host.Result, error) {
		var in In
		if err := json.Unmarshal(arguments, &in); err != nil {
			return host.Result{}, &host.Error{Layer: host.LayerValidation, Server: host.Native, Tool: name,
				Message: "the arguments cannot be read: " + fault.JSON(err)}
		}
		text, err := f(ctx, in)
		if err != nil {
			failed := host.Result{Content: []host.Content{{Type: "text", Text: err.Error()}}, IsError: true}
			return failed, &host.Error{Layer: host.LayerTool, Server: host.Native, Tool: name, Message: err.Error(), Sent: true, Err: err}
		}
		return host.Result{Content: []host.Content{{Type: "text", Text: text}}}, nil
	}}
}

// NativeSettings say what the tools of this process may do.
type NativeSettings struct {
	Folder string            // below which files may be read; "" = there is no tool for it
	Notes  string            // folder of notes, made when there is one; "" = there is no tool for it
	Show   func(text string) // to the user
}

// nativeNames are the names of all native tools.
var nativeNames = []string{"read_file", "write_note", "show_table"}

// NativeTools are the tools of this process: read_file, write_note and show_table. Whatever
// path they are given, and whatever links lie there, they stay below their folders.
func NativeTools(s NativeSettings) (tools []Native) {
	yes, no := true, false
	reads := host.Hints{ReadOnly: &yes, Destructive: &no, Idempotent: &yes, OpenWorld: &no}
	adds := host.Hints{ReadOnly: &no, Destructive: &no, Idempotent: &no, OpenWorld: &no}
	if s.Folder != "" {
		tools = append(tools, NewNative("read_file", "Read a file",
			"Read a text file below the folder that the user allows, or list what a folder in it holds.", reads, s.readFile))
	}
	if s.Notes != "" {
		tools = append(tools, NewNative("write_note", "Write a note",
			"Keep a note for the user as a Markdown file. A note is never overwritten: a title that is taken gets a number.", adds, s.writeNote))
	}
	if s.Show != nil {
		tools = append(tools, NewNative("show_table", "Show a table",
			"Show the user a table of up to 200 rows on the screen.", reads, s.showTable))
	}
	return tools
}

// How much of a file is read at once.
const mostRead = 64 << 10

type readFileArgs struct {
	Path   string `json:"path" jsonschema:"relative to the folder, such as data/wages.csv; . is the folder itself"`
	Offset int64  `json:"offset,omitempty" jsonschema:"first byte, to go on in a long file"`
}

func (s NativeSettings) readFile(_ context.Context, in readFileArgs) (string, error) {
	root, err := os.OpenRoot(s.Folder)
	if err != nil {
		return "", errors.New("the folder that the user allows cannot be opened")
	}
	defer root.Close()
	in.Path = cmp.Or(in.Path, ".")
	info, err := root.Stat(in.Path)
	if err != nil {
		return "", withoutFolder(err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // a pipe would be waited for
		return "", fmt.Errorf("%s is neither a file nor a folder", in.Path)
	}
	f, err := root.Open(in.Path)
	if err != nil {
		return "", withoutFolder(err)
	}
	defer f.Close()
	switch {
	case info.IsDir():
		return list(f)
	case in.Offset < 0 || in.Offset > info.Size():
		return "", fmt.Errorf("offset %d is not in the file, which has %d bytes", in.Offset, info.Size())
	}
	if _, err := f.Seek(in.Offset, io.SeekStart); err != nil {
		return "", withoutFolder(err)
	}
	data, err := io.ReadAll(io.LimitReader(f, mostRead))
	if err != nil {
		return "", withoutFolder(err)
	}
	end := in.Offset + int64(len(data))
	for cut := 0; end < info.Size() && cut < utf8.UTFMax && !utf8.Valid(data); cut++ { // a character was cut
		data, end = data[:len(data)-1], end-1
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return "", fmt.Errorf("%s is no text", in.Path)
	}
	if end < info.Size() {
		return fmt.Sprintf("%s\n(bytes %d to %d of %d; go on with offset %d)", data, in.Offset, end, info.Size(), end), nil
	}
	return string(data), nil
}

// list lists the names in a folder; those of folders end in a slash.
func list(folder *os.File) (string, error) {
	const most = 500
	entries, err := folder.ReadDir(most + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", withoutFolder(err)
	}
	var names []string
	for _, e := range entries[:min(len(entries), most)] {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if len(entries) > most {
		names = append(names, "… and more")
	}
	return strings.Join(names, "\n"), nil
}

// withoutFolder is an error without the path of the folder, which is of no use to a model.
func withoutFolder(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

type writeNoteArgs struct {
	Title string `json:"title" jsonschema:"a few words; they become the name of the file"`
	Text  string `json:"text" jsonschema:"Markdown"`
}

// noNames are the characters that a note's file name does not have.
var noNames = regexp.MustCompile(`[^\p{L}\p{N}]+`)

func (s NativeSettings) writeNote(_ context.Context, in writeNoteArgs) (string, error) {
	const longest = 60
	slug := []rune(strings.Trim(noNames.ReplaceAllString(strings.ToLower(in.Title), "-"), "-"))
	base := cmp.Or(strings.Trim(string(slug[:min(len(slug), longest)]), "-"), "note")
	if err := os.MkdirAll(s.Notes, 0o700); err != nil {
		return "", errors.New("the folder of notes cannot be made")
	}
	root, err := os.OpenRoot(s.Notes)
	if err != nil {
		return "", withoutFolder(err)
	}
	defer root.Close()
	for n := 1; ; n++ {
		name := base + ".md"
		if n > 1 {
			name = fmt.Sprintf("%s-%d.md", base, n)
		}
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && n < 1000 {
			continue
		}
		if err != nil {
			return "", withoutFolder(err)
		}
		_, err = fmt.Fprintf(f, "# %s\n\n%s\n", in.Title, strings.TrimSpace(in.Text))
		if err = errors.Join(err, f.Close()); err != nil {
			return "", withoutFolder(errors.Join(err, root.Remove(name)))
		}
		return "the note is kept as " + name, nil
	}
}

type showTableArgs struct {
	Title   string     `json:"title,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows" jsonschema:"each with a text for every column"`
}

func (s NativeSettings) showTable(_ context.Context, in showTableArgs) (string, error) {
	const most = 200
	if len(in.Columns) == 0 || len(in.Columns) > 50 || len(in.Rows) > most {
		return "", fmt.Errorf("a table has 1 to 50 columns and at most %d rows", most)
	}
	for i, row := range in.Rows {
		if len(row) != len(in.Columns) {
			return "", fmt.Errorf("row %d has %d texts for %d columns", i+1, len(row), len(in.Columns))
		}
	}
	s.Show(tableText(in))
	return fmt.Sprintf("the table is shown, with %d rows", len(in.Rows)), nil
}

// places measures text as terminals show it: Chinese characters take two places.
var places = &runewidth.Condition{StrictEmojiNeutral: true}

// tableText is a table in columns, as wide as their contents.
func tableText(in showTableArgs) string {
	rows := slices.Concat([][]string{in.Columns, make([]string, len(in.Columns))}, in.Rows)
	for i := range in.Columns {
		widest := 0
		for _, row := range rows {
			row[i] = oneLine(row[i])
			widest = max(widest, places.StringWidth(row[i]))
		}
		rows[1][i] = strings.Repeat("-", widest)
		for _, row := range rows {
			row[i] = places.FillRight(row[i], widest+2)
		}
	}
	var lines []string
	if in.Title != "" {
		lines = append(lines, oneLine(in.Title))
	}
	for _, row := range rows {
		lines = append(lines, strings.TrimRight(strings.Join(row, ""), " "))
	}
	return strings.Join(lines, "\n")
}

// oneLine is a text without control characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
