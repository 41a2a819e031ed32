package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Listing is what a server lists.
type Listing struct {
	Tools    []Tool         `json:"tools"`
	Problems []*Error       `json:"problems,omitempty"` // tools that cannot be called, and why
	Protocol string         `json:"-"`                  // version
	TTL      *time.Duration `json:"-"`                  // for which the server says that it holds; nil = it does not say
}

// listedTool is a tool on the wire.
type listedTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema"`
	Annotations struct {
		Title           string `json:"title"`
		ReadOnlyHint    *bool  `json:"readOnlyHint"`
		DestructiveHint *bool  `json:"destructiveHint"`
		IdempotentHint  *bool  `json:"idempotentHint"`
		OpenWorldHint   *bool  `json:"openWorldHint"`
	} `json:"annotations"`
	Meta map[string]json.RawMessage `json:"_meta"`
}

// add adds a page of the list. A tool that cannot be called is listed as a problem.
func (l *Listing) add(server string, result json.RawMessage) (next mcp.Cursor, err error) {
	var page struct {
		Tools *[]json.RawMessage `json:"tools"`
		Next  mcp.Cursor         `json:"nextCursor"`
		TTL   *float64           `json:"ttlMs"`
	}
	if err := json.Unmarshal(result, &page); err != nil {
		return "", unreadable("the answer to tools/list", err)
	}
	if page.Tools == nil {
		return "", errors.New("tools/list answers without tools")
	}
	if page.TTL != nil { // the list holds as long as each of its pages
		const longest = 366 * 24 * time.Hour
		ttl := time.Duration(min(max(*page.TTL, 0), float64(longest.Milliseconds())) * float64(time.Millisecond))
		if l.TTL == nil || ttl < *l.TTL {
			l.TTL = &ttl
		}
	}
	for _, raw := range *page.Tools {
		tool, err := newTool(server, raw)
		if err == nil && slices.ContainsFunc(l.Tools, func(t Tool) bool { return t.Name == tool.Name }) {
			err = errors.New("it is listed twice; the first is meant")
		}
		if err != nil {
			l.Problems = append(l.Problems, &Error{Layer: LayerMalformed, Server: server, Tool: tool.Name, Message: err.Error()})
			continue
		}
		l.Tools = append(l.Tools, tool)
	}
	return page.Next, nil
}

func newTool(server string, raw json.RawMessage) (Tool, error) {
	var w listedTool
	if err := json.Unmarshal(raw, &w); err != nil {
		return Tool{Name: w.Name}, unreadable("the tool", err)
	}
	t := Tool{Server: server, Name: w.Name, Title: w.Title, Description: w.Description, Input: w.Input, Output: w.Output, Hints: Hints{
		w.Annotations.ReadOnlyHint, w.Annotations.DestructiveHint, w.Annotations.IdempotentHint, w.Annotations.OpenWorldHint,
	}}
	if t.Title == "" {
		t.Title = w.Annotations.Title
	}
	for _, key := range slices.Sorted(maps.Keys(w.Meta)) {
		if key == "category" || strings.HasSuffix(key, "/category") {
			json.Unmarshal(w.Meta[key], &t.Category) // ignored unless it is a string
		}
	}
	if t.Name == "" {
		return t, errors.New("a tool has no name")
	}
	t.Input, t.Problem = usable(t.Input)
	return t, nil
}

// noSchema allows any arguments.
const noSchema = `{"type":"object"}`

// usable is an input schema that can be compiled without fetching anything and that providers of
// models accept. Where that is not the listed one, problem says why: the tool can still be called,
// and the server checks what is not checked here.
func usable(listed json.RawMessage) (input json.RawMessage, problem string) {
	_, err := Tool{Input: listed}.schema()
	if err == nil {
		return listed, ""
	}
	var document any
	if json.Unmarshal(listed, &document) == nil {
		if elsewhere := cutReferences(document); len(elsewhere) > 0 {
			input, _ := json.Marshal(document) // what was read as JSON is written as JSON
			if _, again := (Tool{Input: input}).schema(); again == nil {
				return input, fmt.Sprintf("its input schema refers to %s, which is not fetched: only the server checks those arguments",
					excerptOf(strings.Join(elsewhere, ", ")))
			}
		}
	}
	why := err.Error()
	if e, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if e, ok := errors.AsType[*jsonschema.ValidationError](e.Err); ok {
			why = strings.Join(reasons(e), "; ")
		}
	}
	return json.RawMessage(noSchema), "its input schema cannot be used (" + excerptOf(why) + "): only the server checks its arguments"
}

// cutReferences removes references to other documents and lists them.
func cutReferences(node any) (elsewhere []string) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			elsewhere = append(elsewhere, cutReferences(item)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			target, text := node[key].(string)
			if text && (key == "$ref" || key == "$dynamicRef") && !strings.HasPrefix(target, "#") {
				elsewhere = append(elsewhere, target)
				delete(node, key)
				continue
			}
			elsewhere = append(elsewhere, cutReferences(node[key])...)
		}
	}
	return elsewhere
}

// schema compiles the input schema. It fetches nothing.
func (t Tool) schema() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(t.Input))
	if err != nil {
		return nil, errors.New("it is not JSON")
	}
	if _, ok := document.(map[string]any); !ok {
		return nil, errors.New("it is not an object")
	}
	const name = "tool:input"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.UseRegexpEngine(pattern)
	if err := c.AddResource(name, document); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// pattern compiles a pattern of a schema. One that JavaScript knows and Go does not, such as a
// look-ahead, is left to the server: here, everything matches.
func pattern(text string) (jsonschema.Regexp, error) {
	if known, err := regexp.Compile(text); err == nil {
		return known, nil
	}
	return anything(text), nil
}

type anything string

func (a anything) String() string          { return string(a) }
func (a anything) MatchString(string) bool { return true }

// Validate checks arguments against the tool's input schema before they are sent. The [Error], of
// [LayerValidation], says what is wrong so that a model can correct its call.
func Validate(t Tool, arguments json.RawMessage) error {
	fails := func(message string) error {
		return &Error{Layer: LayerValidation, Server: t.Server, Tool: t.Name, Message: message}
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return fails("the arguments are not JSON: " + err.Error())
	}
	if _, ok := value.(map[string]any); !ok {
		return fails("the arguments must be an object")
	}
	schema, err := t.schema()
	if err != nil {
		return fails("the input schema cannot be used: " + err.Error())
	}
	if e, ok := errors.AsType[*jsonschema.ValidationError](schema.Validate(value)); ok {
		return fails("the arguments do not fit the schema: " + strings.Join(reasons(e), "; "))
	}
	return nil
}

// english is the language of these causes.
var english = message.NewPrinter(language.English)

// reasons are the innermost causes of a validation error, each with its place.
func reasons(e *jsonschema.ValidationError) (list []string) {
	for _, c := range e.Causes {
		list = append(list, reasons(c)...)
	}
	if len(e.Causes) > 0 {
		return list
	}
	text := e.ErrorKind.LocalizedString(english)
	if len(e.InstanceLocation) > 0 {
		text = strings.Join(e.InstanceLocation, ".") + ": " + text
	}
	return []string{text}
}

// resourceContent is what a resource holds, on the wire.
type resourceContent struct {
	URI  string `json:"uri"`
	MIME string `json:"mimeType"`
	Text string `json:"text"`
	Blob string `json:"blob"`
}

// parseContents reads what a resource holds.
func parseContents(raw json.RawMessage) ([]Content, error) {
	var w struct {
		Contents []resourceContent `json:"contents"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, unreadable("the resource", err)
	}
	if w.Contents == nil {
		return nil, errors.New("the resource has no contents")
	}
	list := []Content{}
	for _, in := range w.Contents {
		list = append(list, Content{Type: "resource", URI: in.URI, MIME: in.MIME, Text: in.Text, Data: in.Blob})
	}
	return list, nil
}

// parseResult reads what a tool answered.
func parseResult(raw json.RawMessage) (Result, error) {
	var w struct {
		Content []struct {
			Content
			Resource *resourceContent `json:"resource"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Result{}, unreadable("the result of the tool", err)
	}
	if w.Content == nil && len(w.Structured) == 0 {
		return Result{}, errors.New("the result of the tool has no content")
	}
	r := Result{Content: []Content{}, Structured: w.Structured, IsError: w.IsError}
	for _, c := range w.Content {
		if in := c.Resource; in != nil {
			c.URI, c.MIME, c.Text, c.Data = in.URI, in.MIME, in.Text, in.Blob
		}
		r.Content = append(r.Content, c.Content)
	}
	return r, nil
}
