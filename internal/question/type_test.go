package question_test

import (
	"os"
	"testing"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/question"
)

// The types of plain questions are those of testdata/types.yaml, by hand, in nine of ten; the rest
// are of two types equally.
func TestTypes(t *testing.T) {
	data, err := os.ReadFile("testdata/types.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Question string `yaml:"q"`
		Type     question.Type
		Levers   []any
	}
	if err := yaml.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, q := range list {
		r := question.Read(q.Question, question.Options{})
		if r.Type == q.Type {
			right++
			continue
		}
		t.Logf("%s: %s (%s), not %s", q.Question, r.Type, r.Status, q.Type)
	}
	if right < len(list)*9/10 {
		t.Errorf("%d of %d are of the right type", right, len(list))
	}
}
