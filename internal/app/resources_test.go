package app

import (
	"strings"
	"testing"
	"unicode"
)

// A user can tell the resources of an experiment apart, in both languages.
func TestTitlesOfResources(t *testing.T) {
	seen := map[string]string{}
	for _, template := range (resources{}).templates() {
		for _, title := range []string{template.Title, template.TitleZH} {
			if other, ok := seen[title]; ok || title == "" {
				t.Errorf("%s and %s have the title %q", template.URI, other, title)
			}
			seen[title] = template.URI
		}
		if !strings.ContainsFunc(template.TitleZH, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("the title %q of %s is not Chinese", template.TitleZH, template.URI)
		}
	}
}

// Clients can ask for changes of what may be there one day, and of nothing else.
func TestPossibleResources(t *testing.T) {
	for uri, want := range map[string]bool{
		"econ://model": true, "econ://parameters": true, "econ://experiments/not-yet/report.md": true,
		"econ://experiments/" + strings.Repeat("x", 100) + "/summary.json": true,
		"econ://experiments/" + strings.Repeat("x", 101) + "/summary.json": false,
		"econ://experiments/../report.md":                                  false,
		"econ://experiments/a/b/report.md":                                 false,
		"econ://experiments/a/no-such":                                     false,
		"econ://experiments/a":                                             false,
		"econ://models":                                                    false,
		"file:///etc/passwd":                                               false,
	} {
		if got := (resources{}).Possible(uri); got != want {
			t.Errorf("%s: %v, want %v", uri, got, want)
		}
	}
}
