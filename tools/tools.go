// Package tools is what every tool shares: the typed constructor, the schemas that it
// derives, the checks of arguments, and the limits of an answer. The tools themselves
// live in one package per category, each of which exports one function Tools.
//
// A tool is a description and one call of the domain:
//
//	type getArgs struct {
//		Name string `json:"parameter_name" doc:"Name, as get_all_parameters lists it"`
//	}
//
//	tools.New(tools.Spec{
//		Name: "get_parameter", Title: "Get a parameter", TitleZH: "查看参数",
//		Description: "One parameter: value, range, meaning, source.",
//		Hints: tools.Reads,
//	}, func(ctx context.Context, c *tools.Call, in getArgs) (Row, error) { … })
package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// Category is one of the seven groups of the 39 tools, [Administration] or [Laboratory].
type Category string

// The categories, in the order of the catalogue.
const (
	Parameters    Category = "parameters"
	YAMLConfigs   Category = "yaml_configs"
	Interventions Category = "interventions"
	Simulation    Category = "simulation"
	History       Category = "history"
	Analysis      Category = "analysis"
	Automation    Category = "automation"
)

// The categories of the tools that a server offers only where its operator asks for them.
const (
	Administration Category = "administration"
	Laboratory     Category = "laboratory"
)

// ResultView is the URI of the page that shows results of this server's tools, where a client shows pages.
const ResultView = "ui://econ-mcp/result"

// Hints tell a client what a call may do (annotations of the protocol). No tool of this
// server reaches the open world.
type Hints struct {
	ReadOnly    bool // changes nothing that anyone can edit; what the server notes of its own use does not count
	Destructive bool // may overwrite or end something
	Idempotent  bool // a second equal call changes nothing more
}

// The usual hints.
var (
	Reads  = Hints{ReadOnly: true, Idempotent: true} // looks only
	Sets   = Hints{Idempotent: true}                 // puts something into a state
	Adds   = Hints{}                                 // makes something new with each call
	Writes = Hints{Destructive: true, Idempotent: true}
)

// Spec is what a client sees of a tool beside its schemas.
type Spec struct {
	Name        string
	Title       string
	TitleZH     string
	Category    Category
	Description string
	Hints       Hints
	View        string // URI of the page that shows its results, for clients that show pages; "" = none

	MaxAnswer int // bytes of the largest answer; 0 = [MaxAnswer]
}

// Call is what a handler knows of its caller beside the arguments.
type Call struct {
	access.Caller
	Workspace string // whose parameters and plans are meant
	Remote    bool   // calls from beyond the process, and is told nothing of its machine

	// Progress reports work under way to a caller that asked for it. Never nil.
	Progress func(done, total float64, message string)

	// Sample has the caller's own language model answer; the caller decides whether it does, and
	// may ask a person. nil = the caller offers none. It waits for a bounded time. Errors are a
	// [*fault.Error] that says why there is no answer, or [ErrSampling].
	Sample func(ctx context.Context, p Prompt) (Sampled, error)
}

// Prompt is what a language model is asked.
type Prompt struct {
	System, User string
	MaxTokens    int // of the answer
}

// Sampled is what the caller's language model answered. Nothing of it is to be trusted.
type Sampled struct {
	Text  string `json:"text"`
	Model string `json:"model"` // its name, as the caller reports it
}

// ErrSampling means that the caller gives its model's answer in another, equal call: the handler returns
// it as it is, and is called again.
var ErrSampling = errors.New("the caller's model has to answer first")

// File is the path of a file below a folder of the data folder, as the caller may know it: from the
// data folder on, where it calls from beyond the process.
func (c *Call) File(path string) string {
	if !c.Remote || path == "" {
		return path
	}
	return filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
}

// Problem is an error as a text in a result, as the caller may know it.
func (c *Call) Problem(err error) string {
	if c.Remote {
		err = fault.Public(err)
	}
	return fault.Shorten(err.Error(), 300)
}

// Tool is an entry of the catalogue.
type Tool struct {
	Spec
	Input, Output *Schema

	invoke func(context.Context, *Call, json.RawMessage) (Result, error)
}

// Result is the answer of a tool.
type Result struct {
	JSON   json.RawMessage
	Images []Image
	Links  []Link // resources that hold more
}

// Image is a picture of what a result says, for clients that can show one to a model or a person.
type Image struct {
	MIMEType string
	Data     []byte
}

// MaxImage is the largest image in bytes, before it is written as base64.
const MaxImage = 150 << 10

// Pictured is a result with images.
type Pictured interface{ Pictures() []Image }

// Link points to a resource.
type Link struct {
	URI, Name, MIMEType, Description string
}

// Linked is a result that points to resources.
type Linked interface{ ResourceLinks() []Link }

// MaxAnswer is the largest answer in bytes; what is larger comes as a resource. A larger
// one is an error, after the handler has done its work: a handler that changes something
// keeps its answer short.
const MaxAnswer = 64 << 10

// New makes a tool of a function. A type that has no schema is a mistake in the program
// and panics: it must be seen when the server starts. Lists and maps
// that are nil in what the function returns are written as empty ones.
func New[In, Out any](spec Spec, handle func(context.Context, *Call, In) (Out, error)) Tool {
	in, err := derive(reflect.TypeFor[In](), input)
	if err != nil {
		panic(fmt.Sprintf("%s: input: %v", spec.Name, err))
	}
	out, err := derive(reflect.TypeFor[Out](), output)
	if err != nil {
		panic(fmt.Sprintf("%s: output: %v", spec.Name, err))
	}
	if in.Properties == nil || out.Types[0] != "object" {
		panic(spec.Name + ": arguments and results are structs")
	}
	return Tool{Spec: spec, Input: in, Output: out, invoke: func(ctx context.Context, c *Call, raw json.RawMessage) (Result, error) {
		var args In
		if err := decode(raw, in, reflect.ValueOf(&args).Elem()); err != nil {
			return Result{}, err
		}
		answer, err := handle(ctx, c, args)
		if err != nil {
			return Result{}, err
		}
		w := newWriter()
		if err := w.of(out, reflect.ValueOf(answer)); err != nil {
			return Result{}, fmt.Errorf("%s: %w", spec.Name, err)
		}
		if room := cmp.Or(spec.MaxAnswer, MaxAnswer); w.Len() > room {
			return Result{}, tooLong(in, args, w.Len(), room)
		}
		result := Result{JSON: w.Bytes()}
		if pictured, ok := any(answer).(Pictured); ok {
			result.Images = pictured.Pictures()
		}
		for _, image := range result.Images {
			if n := len(image.Data); n > MaxImage {
				return Result{}, fault.New(fault.LimitExceeded, "", "the image has %d bytes, more than %d", n, MaxImage).
					WithHint("ask for less, or without the image")
			}
		}
		if linked, ok := any(answer).(Linked); ok {
			result.Links = linked.ResourceLinks()
		}
		return result, nil
	}}
}

// Narrowing is implemented by arguments that know which of them makes an answer shorter.
type Narrowing interface{ Narrow() (field, hint string) }

// tooLong says how to ask for less. Of a series, every so many months fit; of a list, so
// many rows.
func tooLong(in *Schema, args any, bytes, most int) error {
	e := fault.New(fault.LimitExceeded, "", "the answer has %d bytes, more than %d", bytes, most)
	var names []string
	for _, p := range in.Properties {
		names = append(names, p.Name)
	}
	e.Hint = "there is no shorter one"
	if len(names) > 0 {
		e.Hint = "ask for less with " + strings.Join(names, ", ")
	}
	switch args := args.(type) {
	case interface{ rows() int }:
		limit := max(1, args.rows()*most/bytes-1)
		e.Field, e.Allowed = "limit", []string{strconv.Itoa(limit)}
		e.Hint = fmt.Sprintf("set limit to %d, and go on with next_cursor", limit)
	case interface{ spacing() int }:
		room := most * 3 / 4 // for the numbers, beside names and units
		every := (args.spacing()*bytes + room - 1) / room
		e.Field, e.Allowed = "every", []string{strconv.Itoa(every)}
		e.Hint = fmt.Sprintf("set every to %d, or ask for fewer series or months", every)
	case Narrowing:
		e.Field, e.Hint = args.Narrow()
	}
	return e
}

// Invoke checks the arguments, fills in defaults and calls the domain. Errors that are
// no [*fault.Error] are [fault.Internal].
func (t Tool) Invoke(ctx context.Context, c *Call, arguments json.RawMessage) (Result, error) {
	return t.invoke(ctx, c, arguments)
}

// Name is the name of a preset, config or experiment.
type Name string

// Pattern is what names match.
func (Name) Pattern() string { return fault.NamePattern }

// Value is a number, a boolean or a string: the value of a parameter. X is a float64, a
// bool or a string; in a result also an int.
type Value struct{ X any }

// MarshalJSON writes the value itself.
func (v Value) MarshalJSON() ([]byte, error) { return Encode(v.X) }

// UnmarshalJSON reads a number, a boolean or a string.
func (v *Value) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &v.X); err != nil {
		return err
	}
	switch v.X.(type) {
	case float64, bool, string:
		return nil
	}
	return fmt.Errorf("%.40s is no number, boolean or string", data)
}

// Values puts values into envelopes.
func Values(values iter.Seq2[string, any]) map[string]Value {
	out := map[string]Value{}
	for name, x := range values {
		out[name] = Value{x}
	}
	return out
}

// Given is what an optional argument holds, else zero.
func Given[T any](argument *T) (value T) {
	if argument != nil {
		value = *argument
	}
	return value
}

// Change is a value that was another before.
type Change struct {
	Old Value `json:"old_value"`
	New Value `json:"new_value"`
}

// ChangeOf is the change between two values of a parameter.
func ChangeOf(before, now any) Change { return Change{Value{before}, Value{now}} }

// Within gives a handler the caller's workspace, which open finds by its name.
func Within[Workspace, In, Out any](open func(ctx context.Context, name string) (Workspace, error),
	handle func(context.Context, Workspace, In) (Out, error)) func(context.Context, *Call, In) (Out, error) {
	return func(ctx context.Context, c *Call, in In) (out Out, err error) {
		w, err := open(ctx, c.Workspace)
		if err != nil {
			return out, err
		}
		return handle(ctx, w, in)
	}
}

// WithinAs is Within for a handler that must know who calls.
func WithinAs[Workspace, In, Out any](open func(ctx context.Context, name string) (Workspace, error),
	handle func(context.Context, *Call, Workspace, In) (Out, error)) func(context.Context, *Call, In) (Out, error) {
	return func(ctx context.Context, c *Call, in In) (Out, error) {
		return Within(open, func(ctx context.Context, w Workspace, in In) (Out, error) { return handle(ctx, c, w, in) })(ctx, c, in)
	}
}

// Page is the part of a list that a caller wants, for arguments to embed. The cursor is
// next_cursor of the page before.
type Page struct {
	Limit  int    `json:"limit" default:"20" min:"1" max:"200"`
	Cursor string `json:"cursor" default:"" max:"200" doc:"next_cursor of the page before"`
}

func (p Page) rows() int { return p.Limit }
