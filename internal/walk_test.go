package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The walks of docs/ARCHITECTURE.md name files and functions that exist: a hop is
// "N. `file`: `function`, `function` — what happens".
func TestWalksNameWhatExists(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(text), "\n## Two walks\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	hop := regexp.MustCompile("(?m)^\\d+\\. `([^`]+\\.go)`: ((?:`[\\w.]+`(?:, )?)+)(?: \\([^)]*\\))? — ")
	function := regexp.MustCompile(`[\w.]+`)
	hops := hop.FindAllStringSubmatch(walks, -1)
	if numbered := regexp.MustCompile(`(?m)^\d+\. `).FindAllString(walks, -1); len(hops) < 30 || len(hops) != len(numbered) {
		t.Errorf("%d of %d hops have a file and a function", len(hops), len(numbered))
	}
	for _, h := range hops {
		source, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(h[1])))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range function.FindAllString(h[2], -1) {
			receiver, method, isMethod := strings.Cut(name, ".")
			pattern := `(?m)^func (\(\w+ \*?\w+\) )?` + name + `[\[(]`
			if isMethod {
				pattern = `(?m)^func \((\w+ )?\*?` + receiver + `\) ` + method + `[\[(]`
			}
			if !regexp.MustCompile(pattern).Match(source) {
				t.Errorf("%s has no function %s", h[1], name)
			}
		}
	}
}
