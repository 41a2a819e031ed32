package docs

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Section is a part of [Model]: a numbered section, of section 7 one for each submodel beside its introduction, or the references.
type Section struct {
	ID    string // its number, such as 7.3; "references" for the part without one
	Title string // without the functions that it names
	Text  string // Markdown, without the heading
}

// Sections are the parts of [Model] in its order.
func Sections() []Section { return slices.Clone(sections()) }

// Names says whether the text of a section names a parameter.
func (s *Section) Names(parameter string) bool { return strings.Contains(s.Text, "`"+parameter+"`") }

var numbered = regexp.MustCompile(`^#{2,3} (?:([0-9.]+?)\.? )?(.*)$`)

var sections = sync.OnceValue(func() (list []Section) {
	var text strings.Builder
	end := func() {
		if len(list) > 0 {
			list[len(list)-1].Text = strings.TrimSpace(text.String())
		}
		text.Reset()
	}
	for line := range strings.Lines(Model) {
		heading := numbered.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if heading == nil {
			text.WriteString(line)
			continue
		}
		end()
		title, _, _ := strings.Cut(heading[2], ": `")
		id := heading[1]
		if id == "" {
			id = strings.ToLower(title)
		}
		list = append(list, Section{ID: id, Title: title})
	}
	end()
	return list
})
