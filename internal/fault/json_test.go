package fault_test

import (
	"encoding/json"
	"testing"

	"econ-mcp/internal/fault"
)

// People are told what is wrong with their JSON in its own words, not in those of Go.
func TestJSONInPlainWords(t *testing.T) {
	var in struct {
		Steps []struct {
			Tool string `json:"tool"`
		} `json:"steps"`
	}
	for text, want := range map[string]string{
		`{"steps":"none"}`:       "steps is a string where an array is needed",
		`{"steps":[{"tool":7}]}`: "steps.tool is a number where a string is needed",
		`[]`:                     "it is an array where an object is needed",
		`{"steps":}`:             "invalid character '}' looking for beginning of value",
	} {
		err := json.Unmarshal([]byte(text), &in)
		if err == nil || fault.JSON(err) != want {
			t.Errorf("%s: %s, want %s", text, fault.JSON(err), want)
		}
	}
}
