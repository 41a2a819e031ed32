package model

import (
	"encoding/json"
	"testing"
)

// What providers refuse with the whole request does not reach them; what they take goes out
// word for word.
func TestParameters(t *testing.T) {
	for given, want := range map[string]string{
		``:                                   `{"type":"object","properties":{}}`,
		`{"properties":{}, "type":"object"}`: `{"properties":{}, "type":"object"}`,
		`{"type":"object"}`:                  `{"properties":{},"type":"object"}`,
		`{"type":["object","null"],"properties":{"a":{}},"required":["a"]}`: `{"properties":{"a":{}},"required":["a"],"type":"object"}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}},"oneOf":[{"required":["a"]},{"properties":{"a":{"const":1},"b":{"type":"integer"}}}],"not":{"required":["a","b"]}}`: `{"properties":{"a":{"anyOf":[{"type":"string"}]},"b":{"type":"integer"}},"type":"object"}`,
	} {
		got, err := parameters(json.RawMessage(given))
		if err != nil || string(got) != want {
			t.Errorf("%s goes out as %s, %v", given, got, err)
		}
	}
	for _, given := range []string{`7`, `null`, `{`} {
		if got, err := parameters(json.RawMessage(given)); err == nil {
			t.Errorf("%s goes out as %s", given, got)
		}
	}
}
