package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"econ-mcp/tools"
)

// openAPI describes the operations as OpenAPI 3.1. A type without a schema panics when the server starts.
func openAPI(list []operation, version string) []byte {
	d := document{OpenAPI: "3.1.1", Paths: map[string]map[string]described{}}
	d.Info.Title, d.Info.Version = "econ-mcp", version
	d.Info.Description = "Experiments on an agent-based economy. Rates are shares (0.05 = 5 %), money is currency units a month. " +
		"What changes something takes a session (POST /session) or a bearer token whose role is full or admin."
	d.Servers = []server{{apiPath}}
	d.Components.Schemas = map[string]json.RawMessage{"Error": json.RawMessage(errorSchema)}
	d.Components.Security = map[string]security{
		"session": {Type: "apiKey", In: "cookie", Name: sessionCookie}, "token": {Type: "http", Scheme: "bearer"},
	}
	for _, o := range list {
		path := d.Paths[o.Path]
		if path == nil {
			path = map[string]described{}
			d.Paths[o.Path] = path
		}
		path[strings.ToLower(o.Method)] = d.describe(o)
	}
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		panic(fmt.Sprintf("openapi.json: %v", err))
	}
	return text
}

// errorSchema is what every refusal is.
const errorSchema = `{"type":"object","required":["error"],"properties":{"error":{"type":"object",` +
	`"required":["code","field","message","hint","allowed"],"properties":{"code":{"type":"string"},"field":{"type":"string"},` +
	`"message":{"type":"string"},"hint":{"type":"string","description":"the next move"},"allowed":{"type":"array","items":{"type":"string"}}}}}}`

type document struct {
	OpenAPI string `json:"openapi"`
	Info    struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
	} `json:"info"`
	Servers    []server                        `json:"servers"`
	Paths      map[string]map[string]described `json:"paths"`
	Components struct {
		Schemas  map[string]json.RawMessage `json:"schemas"`
		Security map[string]security        `json:"securitySchemes"`
	} `json:"components"`
}

type server struct {
	URL string `json:"url"`
}

type security struct {
	Type   string `json:"type"`
	In     string `json:"in,omitempty"`
	Name   string `json:"name,omitempty"`
	Scheme string `json:"scheme,omitempty"`
}

type described struct {
	ID         string                `json:"operationId"`
	Summary    string                `json:"summary"`
	Parameters []parameter           `json:"parameters,omitempty"`
	Body       *body                 `json:"requestBody,omitempty"`
	Responses  map[string]body       `json:"responses"`
	Security   []map[string][]string `json:"security"`
}

type parameter struct {
	Name        string          `json:"name"`
	In          string          `json:"in"`
	Required    bool            `json:"required"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema"`
}

type body struct {
	Description string               `json:"description,omitempty"`
	Required    bool                 `json:"required,omitempty"`
	Content     map[string]mediaType `json:"content"`
}

type mediaType struct {
	Schema json.RawMessage `json:"schema"`
}

func (d *document) describe(o operation) described {
	of := described{
		ID: o.Call.Name, Summary: o.Call.Description, Security: []map[string][]string{},
		Responses: map[string]body{"default": {"what is wrong, and the next move", false, jsonOf(`{"$ref":"#/components/schemas/Error"}`)}},
	}
	if !o.Open {
		of.Security = []map[string][]string{{"session": {}}, {"token": {}}}
	}
	inPath := 0
	for _, p := range o.Call.Input.Properties {
		where := "query"
		if strings.Contains(o.Path, "{"+p.Name+"}") {
			where = "path"
			inPath++
		} else if o.Method != http.MethodGet {
			continue
		}
		of.Parameters = append(of.Parameters, parameter{p.Name, where, p.Required || where == "path", p.Schema.Description, d.schema(o.Call.Name, p.Schema)})
	}
	if o.Method == http.MethodPost {
		of.Body = &body{Required: len(o.Call.Input.Properties) > inPath, Content: jsonOf(string(d.schema(o.Call.Name, bodyOf(o))))}
	}
	if o.Type == "" {
		of.Responses["200"] = body{"the answer", false, jsonOf(string(d.schema(o.Call.Name, o.Call.Output)))}
	} else {
		kind := `{"type":"string"}`
		if o.Type == "application/json" { // a file
			kind = `{"type":"object"}`
		}
		of.Responses["200"] = body{"the answer", false, map[string]mediaType{o.Type: {json.RawMessage(kind)}}}
	}
	return of
}

// bodyOf is the schema of a body: the arguments that do not stand in the path.
func bodyOf(o operation) *tools.Schema {
	in := *o.Call.Input
	in.Properties = nil
	for _, p := range o.Call.Input.Properties {
		if !strings.Contains(o.Path, "{"+p.Name+"}") {
			in.Properties = append(in.Properties, p)
		}
	}
	return &in
}

func jsonOf(schema string) map[string]mediaType {
	return map[string]mediaType{"application/json": {json.RawMessage(schema)}}
}

// schema writes a schema, with what it defines among the components.
func (d *document) schema(operation string, s *tools.Schema) json.RawMessage {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("openapi.json: %s: %v", operation, err))
	}
	text = bytes.ReplaceAll(text, []byte(`"#/$defs/`), []byte(`"#/components/schemas/`+operation+`.`))
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		panic(fmt.Sprintf("openapi.json: %s: %v", operation, err))
	}
	if defs := members["$defs"]; defs != nil {
		var list map[string]json.RawMessage
		if err := json.Unmarshal(defs, &list); err != nil {
			panic(fmt.Sprintf("openapi.json: %s: %v", operation, err))
		}
		for name, of := range list {
			d.Components.Schemas[operation+"."+name] = of
		}
		delete(members, "$defs")
		if text, err = json.Marshal(members); err != nil {
			panic(fmt.Sprintf("openapi.json: %s: %v", operation, err))
		}
	}
	return text
}
