package web

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"econ-mcp/docs"
	"econ-mcp/sim"
)

// modelHTML is the text of a section of the model's description as HTML.
func modelHTML(id string) template.HTML {
	if text, ok := modelTexts[id]; ok {
		return text()
	}
	return ""
}

// modelTexts make the HTML of each section when it is first asked for.
var modelTexts = func() map[string]func() template.HTML {
	// Raw HTML stays out; alignment without style attributes, which the policy of the pages forbids.
	md := goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))
	texts := map[string]func() template.HTML{}
	for _, s := range docs.Sections() {
		texts[s.ID] = sync.OnceValue(func() template.HTML {
			var b bytes.Buffer
			if err := md.Convert([]byte(markFormulas(s.Text)), &b); err != nil {
				panic(fmt.Sprintf("section %s of the model: %v", s.ID, err)) // it is embedded
			}
			return template.HTML(withLinks(b.String()))
		})
	}
	return texts
}()

// Formulas are plain text in MODEL.md, with indices as u_n and powers as x^(1−ε). Marks of the private use area take them
// through the parser of Markdown, which knows neither.
const (
	subscript, endSubscript     = "\uE000", "\uE001"
	superscript, endSuperscript = "\uE002", "\uE003"
	reference, endReference     = "\uE004", "\uE005"
	star                        = "\uE006" // of a variable such as r*, which emphasises nothing
)

var (
	starred       = regexp.MustCompile(`(^|[^\p{L}\p{N}*` + star + `])(\p{L}\p{M}*)\*`)
	indexMark     = regexp.MustCompile(`(^|[^\p{L}\p{N}_])(\p{L}[\p{L}\p{M}` + star + `]*)_(\p{L}|\p{N})($|[^\p{L}\p{N}_])`)
	powerMark     = regexp.MustCompile(`\^([−-]?[\p{L}\p{N}]+)`)
	exponentMark  = regexp.MustCompile(`\^\(((?:[^()]|\([^()]*\))*)\)`)
	sectionNumber = regexp.MustCompile(`7\.\d+`)
)

// markFormulas marks indices, powers and references to sections, outside of code.
func markFormulas(text string) string {
	parts := strings.Split(text, "`")
	for k := 0; k < len(parts); k += 2 {
		part := parts[k]
		for range 2 { // neighbours share the character between them
			part = starred.ReplaceAllString(part, "$1$2"+star)
			part = indexMark.ReplaceAllString(part, "$1$2"+subscript+"$3"+endSubscript+"$4")
		}
		part = powerMark.ReplaceAllString(part, superscript+"$1"+endSuperscript)
		part = exponentMark.ReplaceAllString(part, superscript+"$1"+endSuperscript)
		if raised, ok := strings.CutSuffix(part, "^−"); ok && k+2 < len(parts) { // to the power of a parameter
			part, parts[k+2] = raised+superscript+"−", endSuperscript+parts[k+2]
		}
		parts[k] = markReferences(part)
	}
	return strings.Join(parts, "`")
}

// markReferences marks numbers of sections: such as (7.16) or "section 7.14", and not 7.3 %.
func markReferences(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range sectionNumber.FindAllStringIndex(text, -1) {
		number, after := text[at[0]:at[1]], text[at[1]:]
		if at[0] > 0 && !strings.ContainsRune("( \n", rune(text[at[0]-1])) || modelSectionOf(number) == nil ||
			strings.HasPrefix(after, " %") || strings.HasPrefix(after, " pp") {
			continue
		}
		b.WriteString(text[from:at[0]] + reference + number + endReference)
		from = at[1]
	}
	return b.String() + text[from:]
}

// modelSectionOf finds a section by its number.
func modelSectionOf(id string) *docs.Section {
	list := docs.Sections()
	if k := slices.IndexFunc(list, func(s docs.Section) bool { return s.ID == id }); k >= 0 {
		return &list[k]
	}
	return nil
}

var (
	codeName    = regexp.MustCompile(`<code>([a-z][a-z_0-9]*)</code>`)
	sectionMark = regexp.MustCompile(reference + `([^` + endReference + `]*)` + endReference)
	modelMarkup = strings.NewReplacer(
		star, "*", subscript, "<sub>", endSubscript, "</sub>", superscript, "<sup>", endSuperscript, "</sup>",
		"<table>", `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>`, "</table>", "</table></div>",
		"<th>", `<th scope="col">`,
	)
)

// withLinks puts elements in the place of the marks, and leads from names of parameters to what is known of them.
func withLinks(text string) string {
	text = sectionMark.ReplaceAllString(modelMarkup.Replace(text), `<a href="/model/$1">$1</a>`)
	return codeName.ReplaceAllStringFunc(text, func(whole string) string {
		name := codeName.FindStringSubmatch(whole)[1]
		row, err := sim.Lookup(name)
		if err != nil {
			return whole
		}
		return fmt.Sprintf(`<a class="parameter" href="/model/parameters?search=%s" title="%s">%s</a>`, name, html.EscapeString(row.Label), whole)
	})
}
