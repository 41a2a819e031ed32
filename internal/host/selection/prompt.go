package selection

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// PromptOptions say what a prompt is to be like.
type PromptOptions struct {
	Question string                                            // what it is for; decides which tools come first under a budget
	Budget   int                                               // tokens as [Tokens] counts them; 0 = none
	Language string                                            // zh for Chinese, else English; what servers say stays as it is
	Examples func(server, tool string) (json.RawMessage, bool) // arguments of a call that succeeded; nil = none
}

// labels are the words of a prompt in one language.
type labels struct {
	head, server, category, required, optional, fallback, choices, example, fields string
	reads, destroys, repeats, outside                                              string
	more, count, of                                                                string
}

var promptLabels = map[bool]labels{
	false: {
		head: "# Tools\n", server: "Server", category: "Category", required: "required", optional: "optional", fallback: "default",
		choices: "one of", example: "Example", fields: "with",
		reads: "only reads", destroys: "may overwrite or end something", repeats: "may be repeated", outside: "reaches outside",
		more: "%d more tools are not shown; ask for what you miss.", count: "%d tools.", of: "%s of %s",
	},
	true: {
		head: "# 工具\n", server: "服务器", category: "类别", required: "必填", optional: "可选", fallback: "默认", choices: "取值", example: "示例", fields: "含",
		reads: "只读", destroys: "可能覆盖或终止", repeats: "可重复调用", outside: "访问外部",
		more: "还有 %d 个工具未列出；需要时请说明。", count: "共 %d 个工具。", of: "%[2]s 的%[1]s",
	},
}

// How a tool stands in a prompt.
type level int

const (
	counted level = iota // only in the number of those that are not shown
	named                // by name and one line
	full                 // with everything
)

// fullShare is the part of a budget that goes to tools in full before others are named.
const fullShare = 0.6

// Prompt tells a model that has no function calling which tools there are: number, name,
// hints, description and arguments, by server and category. A name that several servers have
// stands with its server, as it has to be called; the form of calls is told elsewhere. With a
// budget, the tools that fit the question best come in full, the next by name and one line,
// the rest as a number. A budget that is too small for the frame (about 40 tokens) gets
// the frame. Without tools there is no prompt.
func Prompt(tools []host.Tool, o PromptOptions) string {
	if len(tools) == 0 {
		return ""
	}
	p := newPrompt(tools, o)
	if o.Budget > 0 && Tokens(p.write()) > o.Budget {
		p.allot()
	}
	return p.write()
}

// prompt is one that is being written.
type prompt struct {
	tools   []host.Tool
	o       PromptOptions
	l       labels
	levels  []level
	bodies  [][2]string // of each tool: named and in full, without the number
	grouped []int       // the tools in the order in which they stand

	// While a budget is allotted: how many tools are shown, their headings as server and
	// category, and what both cost in thirds of a token.
	shown int
	stand map[[2]string]bool
	cost  int
}

// newPrompt is one with all tools in full.
func newPrompt(tools []host.Tool, o PromptOptions) *prompt {
	p := &prompt{tools: tools, o: o, l: promptLabels[o.Language == "zh"], levels: make([]level, len(tools))}
	p.group()
	names := host.Names(tools)
	for i, t := range tools {
		p.levels[i] = full
		p.bodies = append(p.bodies, [2]string{p.line(names[i], t), p.details(names[i], t)})
	}
	return p
}

// allot gives each tool the level that the budget has room for, the most relevant first.
func (p *prompt) allot() {
	clear(p.levels)
	p.stand = make(map[[2]string]bool)
	order := NewRanker(p.tools).Relevant(p.o.Question)
	for _, i := range order {
		if !p.raise(i, full, int(fullShare*float64(p.o.Budget))) {
			break
		}
	}
	for _, i := range order {
		p.raise(i, named, p.o.Budget)
	}
	for _, i := range order { // what is left over
		if p.levels[i] == named {
			p.raise(i, full, p.o.Budget)
		}
	}
}

// raise raises a tool to a level, if the prompt then has at most so many tokens.
func (p *prompt) raise(i int, to level, most int) bool {
	before := p.levels[i]
	if before >= to {
		return true
	}
	shown := p.shown
	if before == counted {
		shown++
	}
	heads := strings.TrimPrefix(p.headings(i, p.stand), "\n") // two line breaks are one token
	cost := p.cost + thirds(heads) + thirds(p.entry(i, shown, to)) - thirds(p.entry(i, shown, before))
	if tokens(cost+thirds(p.l.head+p.end(shown))) > most {
		return false
	}
	p.levels[i], p.shown, p.cost = to, shown, cost
	p.stands(i, p.stand)
	return true
}

// write writes the prompt with the levels as they are.
func (p *prompt) write() string {
	var b strings.Builder
	b.WriteString(p.l.head)
	number := 0
	stand := make(map[[2]string]bool)
	for _, i := range p.grouped {
		if p.levels[i] != counted {
			number++
			b.WriteString(p.headings(i, stand) + p.entry(i, number, p.levels[i]))
			p.stands(i, stand)
		}
	}
	return b.String() + p.end(number)
}

// headings are those of a tool that do not stand yet.
func (p *prompt) headings(i int, stand map[[2]string]bool) (text string) {
	t := p.tools[i]
	if !stand[[2]string{t.Server}] {
		text = fmt.Sprintf("\n## %s %s\n", p.l.server, t.Server)
	}
	if t.Category != "" && !stand[[2]string{t.Server, t.Category}] {
		text += fmt.Sprintf("\n### %s %s\n", p.l.category, t.Category)
	}
	return text
}

// stands notes that the headings of a tool stand.
func (p *prompt) stands(i int, stand map[[2]string]bool) {
	stand[[2]string{p.tools[i].Server}], stand[[2]string{p.tools[i].Server, p.tools[i].Category}] = true, true
}

// entry is a tool with its number.
func (p *prompt) entry(i, number int, l level) string {
	if l == counted {
		return ""
	}
	return fmt.Sprintf("%d. %s\n", number, p.bodies[i][l-named])
}

// end is what follows so many tools.
func (p *prompt) end(shown int) string {
	text := "\n"
	if hidden := len(p.tools) - shown; hidden > 0 {
		text += fmt.Sprintf(p.l.more+"\n", hidden)
	}
	return text + fmt.Sprintf(p.l.count+"\n", len(p.tools))
}

// group orders the tools by server and category, both in the order in which they first
// occur; those of no category come before any heading of one.
func (p *prompt) group() {
	place := make(map[string]int)
	for i, t := range p.tools {
		p.grouped = append(p.grouped, i)
		for _, key := range []string{t.Server, t.Server + "\n" + t.Category} {
			if _, known := place[key]; !known {
				place[key] = len(place)
			}
		}
	}
	slices.SortStableFunc(p.grouped, func(i, k int) int {
		a, b := p.tools[i], p.tools[k]
		return cmp.Or(cmp.Compare(place[a.Server], place[b.Server]), cmp.Compare(min(len(a.Category), 1), min(len(b.Category), 1)),
			cmp.Compare(place[a.Server+"\n"+a.Category], place[b.Server+"\n"+b.Category]))
	})
}

// line is the name of a tool with what it does.
func (p *prompt) line(name string, t host.Tool) string {
	return strings.TrimSuffix(name+": "+fault.Shorten(oneLine(cmp.Or(firstSentence(t.Description), t.Title)), 80), ": ")
}

// details are all that there is to say of a tool.
func (p *prompt) details(name string, t host.Tool) string {
	var b strings.Builder
	b.WriteString(name)
	if hints := p.hints(t.Hints); hints != "" {
		fmt.Fprintf(&b, " (%s)", hints)
	}
	if d := oneLine(cmp.Or(t.Description, t.Title)); d != "" {
		b.WriteString(": " + d)
	}
	for _, a := range arguments(t) {
		b.WriteString("\n" + p.argument(a))
	}
	if p.o.Examples != nil {
		if example, ok := p.o.Examples(t.Server, t.Name); ok {
			fmt.Fprintf(&b, "\n  %s: %s", p.l.example, compact(example))
		}
	}
	return b.String()
}

// argument is a line such as
//
//   - path (string, required): Where the file is
func (p *prompt) argument(a argument) string {
	kind := strings.Join(a.types, "|")
	if a.items != "" {
		kind = fmt.Sprintf(p.l.of, cmp.Or(kind, "array"), a.items)
	}
	if len(a.fields) > 0 {
		kind += " " + p.l.fields + " " + strings.Join(a.fields, ", ")
	}
	parts := []string{cmp.Or(kind, "any")}
	if a.required {
		parts = append(parts, p.l.required)
	} else {
		parts = append(parts, p.l.optional)
	}
	if a.fallback != nil {
		parts = append(parts, p.l.fallback+" "+compact(a.fallback))
	}
	if len(a.choices) > 0 {
		parts = append(parts, p.l.choices+" "+strings.Join(a.choices, "|"))
	}
	line := fmt.Sprintf("  - %s (%s)", a.name, strings.Join(parts, ", "))
	if a.description != "" {
		line += ": " + a.description
	}
	return line
}

// hints puts what a server says of a tool into words.
func (p *prompt) hints(h host.Hints) string {
	var list []string
	for _, hint := range []struct {
		says *bool
		text string
	}{{h.ReadOnly, p.l.reads}, {h.Destructive, p.l.destroys}, {h.Idempotent, p.l.repeats}, {h.OpenWorld, p.l.outside}} {
		if hint.says != nil && *hint.says {
			list = append(list, hint.text)
		}
	}
	return strings.Join(list, ", ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// compact is JSON on one line; what is not JSON stays as it is.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return oneLine(string(raw))
	}
	return b.String()
}

// firstSentence cuts a text after its first sentence or line.
func firstSentence(text string) string {
	text = strings.TrimSpace(text)
	at := len(text)
	for _, end := range []string{". ", ".\n", "\n", "。", "；", "; "} {
		if k := strings.Index(text, end); k >= 0 {
			at = min(at, k+len(end))
		}
	}
	return strings.TrimSpace(text[:at])
}
