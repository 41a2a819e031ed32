package selection

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
)

// kind is what a value in a request looks like.
type kind int

const (
	aText kind = iota // quoted, or a name such as run_7
	aURL
	aPath
	aNumber
)

// literal is a part of a request that could be the value of an argument.
type literal struct {
	kind kind
	text string
}

// literalForms are tried in this order; what one takes is not seen by the next. A group, where it
// matches, is the literal.
var literalForms = []struct {
	kind kind
	look *regexp.Regexp
}{
	{aURL, regexp.MustCompile(`https?://[^\s\p{Han}，。、；"'”]+`)},
	{aText, regexp.MustCompile("[“\"「『《]([^”\"」』》]+)[”\"」』》]|`([^`]+)`|(?:^|[\\s(])'([^']+)'")},
	{aPath, regexp.MustCompile(`(?:[A-Za-z]:[\\/]|~/|\.{0,2}/)[^\s，。、；：“”（）]*` + // from a root
		`|[\w-]+(?:/[\w.-]+)+|[\w*-]*[\w*]\.[A-Za-z][A-Za-z0-9]{0,4}\b`)},
	{aText, regexp.MustCompile(`[A-Za-z]\w*_\w+|\b[A-Za-z]+-?[0-9][\w-]*|\b[0-9]+[a-f][0-9a-f]{4,}`)},
	{aNumber, regexp.MustCompile(`[+-]?\d+(?:[.,:]\d+)*%?`)},
}

// takeLiterals separates the literals of a request from its words.
func takeLiterals(request string) (rest string, found []literal) {
	for _, f := range literalForms {
		request = f.look.ReplaceAllStringFunc(request, func(text string) string {
			for _, group := range f.look.FindStringSubmatch(text)[1:] {
				if group != "" {
					text = group
				}
			}
			found = append(found, literal{f.kind, strings.Trim(text, ".,;:!? ")})
			return " "
		})
	}
	return request, found
}

// Stems in the names of arguments that say what texts they take.
const (
	pathWords = "path file filepath filenam dir directori folder sourc destin"
	urlWords  = "url uri link href"
)

// slot is an argument that has to be given.
type slot struct {
	argument
	stems []string // of its name
}

// takes says whether a literal can be the value of the argument, or an item of it.
func (s slot) takes(l literal) bool {
	about := func(words string) bool {
		return slices.ContainsFunc(s.stems, func(w string) bool { return slices.Contains(strings.Fields(words), w) })
	}
	text := len(s.types) == 0 || s.is("string") || s.items == "string"
	switch l.kind {
	case aNumber:
		return strings.Contains(l.text, ":") && text || s.is("number", "integer") || s.items == "number" || s.items == "integer"
	case aURL:
		return text && about(urlWords)
	case aPath:
		return text && about(pathWords)
	}
	return text && !about(urlWords) && !about(pathWords) && (len(s.choices) == 0 || slices.Contains(s.choices, l.text))
}

// implied is the word that a literal says by what it looks like.
func (l literal) implied() string {
	switch {
	case l.kind == aURL:
		return "url"
	case l.kind == aPath && path.Ext(l.text) == "":
		return "directory"
	case l.kind == aPath:
		return "file"
	}
	return ""
}

// fill says for which share of the required arguments a request has values, and which. A text counts
// half, as most arguments take any text.
func fill(found []literal, slots []slot) (share float64, pairs []string) {
	for _, s := range slots {
		for i, l := range found {
			if !s.takes(l) {
				continue
			}
			found = slices.Delete(slices.Clone(found), i, i+1)
			pairs = append(pairs, s.name+"="+fault.Shorten(l.text, 40))
			if share++; l.kind == aText {
				share -= 0.5
			}
			break
		}
	}
	return share / float64(max(1, len(slots))), pairs
}
