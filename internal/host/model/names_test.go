package model

import (
	"encoding/json"
	"testing"
)

// What providers refuse with the whole request does not reach them; what they take goes out
// word for word.
func TestParameters(t *testing.T) {
	for given, want := range map[string]string{
		``:                                   `{"properties":{},"type":"object"}`,
		`7`:                                  `{"properties":{},"type":"object"}`,
		`null`:                               `{"properties":{},"type":"object"}`,
		`{"properties":{}, "type":"object"}`: `{"properties":{}, "type":"object"}`,
		`{"type":"object"}`:                  `{"properties":{},"type":"object"}`,
		`{"type":["object","null"],"properties":{"a":{}},"required":["a"]}`: `{"properties":{"a":{}},"required":["a"],"type":"object"}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}},"oneOf":[{"required":["a"]},{"properties":{"a":{"const":1},"b":{"type":"integer"}}}],"not":{"required":["a","b"]}}`: `{"properties":{"a":{"anyOf":[{"type":"string"}]},"b":{"type":"integer"}},"type":"object"}`,
	} {
		if got := parameters(json.RawMessage(given)); string(got) != want {
			t.Errorf("%s goes out as %s", given, got)
		}
	}
}
