package docs_test

import (
	"strings"
	"testing"

	"econ-mcp/docs"
	"econ-mcp/sim"
)

// Nothing of the model is lost in its sections, and each parameter that it names is named in one of them.
func TestSections(t *testing.T) {
	list := docs.Sections()
	var text strings.Builder
	seen := map[string]bool{}
	for _, s := range list {
		if s.ID == "" || s.Title == "" || s.Text == "" || seen[s.ID] || strings.Contains(s.Title, "`") {
			t.Errorf("section %q, %q, has %d bytes, or is there twice", s.ID, s.Title, len(s.Text))
		}
		seen[s.ID] = true
		text.WriteString(s.Text)
	}
	for _, id := range []string{"1", "3", "7", "7.0", "7.3", "7.28", "8", "references"} {
		if !seen[id] {
			t.Errorf("there is no section %s", id)
		}
	}
	if whole, parts := len(docs.Model), text.Len(); parts < whole-5000 {
		t.Errorf("the sections have %d of %d bytes", parts, whole)
	}
	if s := list[7]; s.ID != "7.0" || s.Title != "Interventions" || !strings.HasPrefix(s.Text, "An intervention is in force") {
		t.Errorf("section %s, %q: %.40s", s.ID, s.Title, s.Text)
	}
	named := 0
	for _, name := range sim.ParameterNames() {
		in := strings.Contains(docs.Model, "`"+name+"`")
		found := false
		for k := range list {
			found = found || list[k].Names(name)
		}
		if in != found {
			t.Errorf("%s: named in the model %v, in a section %v", name, in, found)
		}
		if found {
			named++
		}
	}
	if named < 150 {
		t.Errorf("%d parameters are named", named)
	}
}
