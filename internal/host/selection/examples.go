package selection

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"econ-mcp/internal/host"
)

//go:embed examples.jsonl
var knownRequests []byte

// theExamples are the requests that come with this package: what people ask of the tools of
// this program and of two servers that many have, GitHub's and that of files.
var theExamples = sync.OnceValue(func() *examples {
	list, err := KnownRequests()
	if err != nil {
		panic("selection: " + err.Error()) // a test reads them
	}
	e := newExamples()
	for _, l := range list {
		var names []string
		for _, full := range l.Tools {
			_, name, _ := strings.Cut(full, ".")
			names = append(names, name)
		}
		e.learn(l.Request, names)
	}
	return e
})

// examples are requests whose tool is known, as counts of their words. People ask for a tool
// in words that its server does not describe it with: "hold it for a while" is a pause.
type examples struct {
	tools map[string]*wording // by the name of the tool, whichever server has it, or by "server.tool"
	none  *wording            // requests that no tool is for
	all   *wording
	told  map[string]string // requests that a model chose for, and "server.tool"
}

// wording is how many requests have a word.
type wording struct {
	with  map[string]float64
	total float64
}

func newWording() *wording { return &wording{with: map[string]float64{}} }

func (w *wording) add(words []string) {
	for _, word := range words {
		w.with[word]++
	}
	w.total += float64(len(words))
}

func (w *wording) clone() *wording { return &wording{maps.Clone(w.with), w.total} }

func newExamples() *examples {
	return &examples{map[string]*wording{}, newWording(), newWording(), nil}
}

// learn counts a request and the tools that it is for.
func (e *examples) learn(request string, tools []string) {
	words := features(request)
	e.all.add(words)
	if len(tools) == 0 {
		e.none.add(words)
	}
	for _, name := range tools {
		if e.tools[name] == nil {
			e.tools[name] = newWording()
		}
		e.tools[name].add(words)
	}
}

// with are the examples and precedents, which are for the tool of one server alone.
func (e *examples) with(precedents []host.Precedent) *examples {
	if len(precedents) == 0 {
		return e
	}
	more := &examples{maps.Clone(e.tools), e.none, e.all.clone(), map[string]string{}}
	for _, p := range precedents {
		full := p.Server + "." + p.Tool
		if more.tools[full] == nil {
			more.tools[full] = newWording()
			if known := e.tools[p.Tool]; known != nil {
				more.tools[full] = known.clone()
			}
		}
		words := features(p.Request)
		more.all.add(words)
		more.tools[full].add(words)
		more.told[p.Request] = full
	}
	return more
}

// of is the wording of the requests for a tool; nil where there are none.
func (e *examples) of(t host.Tool) *wording {
	return cmp.Or(e.tools[t.FullName()], e.tools[t.Name])
}

// priorWords is what the words of all requests count against those of the requests for one
// tool: Dirichlet smoothing (Zhai and Lafferty 2004, "A Study of Smoothing Methods for
// Language Models Applied to Information Retrieval", ACM TOIS 22(2), equation 6).
const priorWords = 40

// surprise is how much more often the requests for something have a word than all requests
// do, as a logarithm; 0 for a word that no request has.
func (e *examples) surprise(w *wording, word string) float64 {
	if w == nil || e.all.with[word] == 0 {
		return 0
	}
	share := e.all.with[word] / e.all.total
	return math.Log((w.with[word] + priorWords*share) / ((w.total + priorWords) * share))
}

// doubt is what the evidence of the words is divided by: they depend on each other, so that
// their product is far too sure of itself.
const doubt = 5

// recognise says how likely a request of these features is to be for each tool, and for
// none, by what the requests for them say. All are as likely before; a tool without
// examples is as likely as the words are in any request.
func (e *examples) recognise(words []string, of []*wording) (tools []float64, none float64) {
	weigh := func(w *wording) (sum float64) {
		for _, word := range words {
			sum += e.surprise(w, word) / doubt
		}
		return sum
	}
	none = weigh(e.none)
	most := max(none, 0)
	for _, w := range of {
		tools = append(tools, weigh(w))
		most = max(most, tools[len(tools)-1])
	}
	none = math.Exp(none - most)
	sum := none + math.Exp(-most)
	for i := range tools {
		tools[i] = math.Exp(tools[i] - most)
		sum += tools[i]
	}
	for i := range tools {
		tools[i] /= sum
	}
	return tools, none / sum
}

// tell names up to three words of a request that tell most for something.
func (e *examples) tell(words []string, w *wording) (list []string) {
	for _, word := range words {
		if strings.HasPrefix(word, asSaid) && e.surprise(w, word) >= 1 {
			list = append(list, word)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(e.surprise(w, b), e.surprise(w, a)) })
	list = list[:min(3, len(list))]
	for i := range list {
		list[i] = strings.TrimPrefix(list[i], asSaid)
	}
	return list
}

// asSaid marks a word as it was said, in which the lexicon has no part.
const asSaid = "="

// features are what is counted of a request, each once: its words as they are said and as
// the lexicon reads them, Chinese ones also by pairs of characters, and what its literals
// look like.
func features(request string) (list []string) {
	rest, found := takeLiterals(request)
	seen := map[string]bool{}
	add := func(word string) {
		if !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	for _, l := range found {
		add(string(rune('a'+int(l.kind))) + "-literal")
		if l.kind == anIdentifier || l.kind == anObject {
			for _, w := range theLexicon().words(l.text) {
				add(w.stem)
			}
		}
	}
	if isQuestion(rest) {
		add("?")
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(rest), func(r rune) bool { return !unicode.IsLetter(r) || isHan(r) }) {
		add(asSaid + w)
	}
	for _, run := range strings.FieldsFunc(rest, func(r rune) bool { return !isHan(r) }) {
		for _, pair := range bigrams(run) {
			add(asSaid + pair)
		}
	}
	for _, w := range theLexicon().words(rest + "\n" + implied(found)) {
		add(w.stem)
	}
	return list
}

// Experience is what a host has seen of tools, beside what their servers say of them.
type Experience struct {
	Statistics []host.Statistic // how calls went; they decide between tools that fit equally well
	Precedents []host.Precedent // tools that a model chose for requests: examples beside those that come with this package
}
