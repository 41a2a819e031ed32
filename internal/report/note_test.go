package report

import (
	"strings"
	"testing"
)

// TestNotesHaveWords: each kind of note has a text in both languages, with the same arguments.
func TestNotesHaveWords(t *testing.T) {
	arguments := func(s string) int { return strings.Count(s, "%") }
	for kind, text := range noteTexts {
		if text.en == "" || text.zh == "" || arguments(text.en) != arguments(text.zh) {
			t.Errorf("note %d: %q, %q", kind, text.en, text.zh)
		}
	}
}
