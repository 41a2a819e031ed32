// Package docs holds the description of the model, for those who ask a server that has
// no repository beside it.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// Model is docs/MODEL.md: the ODD protocol of the model, in Markdown.
//
//go:embed MODEL.md
var Model string

// Equation is the passage of [Model] in which a parameter acts: the bullet or paragraph
// that names it, after the title of its section, in one line. Passages of the submodels
// that hold an equation come first. It is empty where the model does not name the
// parameter.
func Equation(parameter string) string { return equations()[parameter] }

var quoted = regexp.MustCompile("`([a-z_]+)`")

var equations = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	rank := map[string]int{}
	submodels, title := false, ""
	var block []string
	end := func() {
		text := strings.Join(block, " ")
		block = nil
		r := 1
		if submodels {
			r = 2
			if strings.ContainsAny(text, "=·") {
				r = 3
			}
		}
		for _, name := range quoted.FindAllStringSubmatch(text, -1) {
			if r > rank[name[1]] {
				rank[name[1]], found[name[1]] = r, title+": "+text
			}
		}
	}
	for line := range strings.Lines(Model) {
		line = strings.TrimSpace(line)
		heading := strings.HasPrefix(line, "#")
		if line == "" || heading || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "|") {
			end()
		}
		switch {
		case strings.HasPrefix(line, "## "):
			submodels = strings.HasPrefix(line, "## 7.")
			fallthrough
		case heading:
			title, _, _ = strings.Cut(strings.TrimLeft(line, "# "), ": `")
		case line != "":
			block = append(block, strings.TrimPrefix(line, "- "))
		}
	}
	end()
	return found
})
