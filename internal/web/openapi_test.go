package web_test

import (
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The document is one of OpenAPI 3.1: testdata/openapi-3.1.json is the official schema of documents (spec.openapis.org/oas/3.1/schema,
// of 2026-08-03, Apache License 2.0).
func TestOpenAPI(t *testing.T) {
	text, err := os.ReadFile("testdata/openapi-3.1.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", schema); err != nil {
		t.Fatal(err)
	}
	official, err := c.Compile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	_, body := mustSite(t, nil).send(t, request{path: "/api/v1/openapi.json"})
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := official.Validate(document); err != nil {
		t.Error(err)
	}
}
