package selection

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// unit is a word of a request with how well each tool has it, from 0 to 1.
type unit struct {
	said    string
	stem    string
	kind    kind      // of a literal
	by      []float64 // tool -> match
	weight  float64   // rare words weigh more
	foreign bool      // no tool has it or takes it
}

// request is what a request says.
type request struct {
	text     string
	question bool // it is one
	units    []unit
	said     []string // stems of the units and of what means the same
	literals []literal
	values   []unit  // the literals that some tool can take, with their kinds
	hasVerb  bool    // among the units
	names    float64 // how many names of somebody or something no tool has
	asks     bool    // it wants to know something, not to have it done
}

// mostRead is how many bytes of a request are looked at: what is wanted stands before or after
// what was pasted into it, and the time that a ranking takes has a bound.
const mostRead = 4000

// endsOf leaves out the middle of a text that is longer than mostRead.
func endsOf(text string) string {
	if len(text) <= mostRead {
		return text
	}
	from, to := mostRead/2, len(text)-mostRead/2
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return text[:from] + "\n" + text[to:]
}

// understand takes a request apart.
func (r *Ranker) understand(text string) request {
	rest, found := takeLiterals(text)
	q := request{text: text, question: isQuestion(rest), literals: found}
	rest, topic := splitTopic(rest)
	r.takeUnits(&q, rest+"\n"+implied(found), false)
	r.takeUnits(&q, topic, true)
	q.asks = q.wantsToKnow()
	r.weighLiterals(&q)
	return q
}

// takeUnits adds the words of a text, each once. Those that no tool has are left out where
// they are names of somebody or something, or say what a search is about.
func (r *Ranker) takeUnits(q *request, text string, isTopic bool) {
	for _, w := range r.lexicon.words(text) {
		if slices.ContainsFunc(q.units, func(u unit) bool { return u.stem == w.stem }) {
			continue
		}
		u := unit{said: w.said, stem: w.stem, by: make([]float64, len(r.tools))}
		r.mark(u.by, w.stem, 1)
		for _, mate := range r.lexicon.mates[w.stem] {
			r.mark(u.by, mate, synonymCounts)
		}
		if isChinese(w.stem) {
			for _, pair := range bigrams(w.stem) {
				r.mark(u.by, pair, bigramCounts)
			}
		}
		found := 0.0
		for _, m := range u.by {
			found += m
		}
		if found == 0 && w.proper && w.said != strings.ToLower(w.said) {
			q.names++
		}
		if found == 0 && !hasHan(w.said) && hasHan(q.text) && !r.lexicon.verbs[w.stem] && len(w.said) > 1 {
			q.literals = append(q.literals, literal{anIdentifier, w.said})
			continue
		}
		if found == 0 && (w.proper || isTopic) {
			continue
		}
		u.foreign = found == 0
		isVerb := r.lexicon.verbs[w.stem]
		q.hasVerb = q.hasVerb || isVerb
		u.weight = r.weigh(found)
		if isVerb && q.question && !slices.Contains(readingVerbs, w.stem) { // it says how things are: "when was it changed?"
			u.weight *= stateVerb
		}
		q.units = append(q.units, u)
		q.said = append(append(q.said, w.stem), r.lexicon.mates[w.stem]...)
	}
}

// wantsToKnow says whether a request asks to know something or orders something to be done.
// It asks where it is a question, has a verb of looking, or names a thing without any verb.
func (q *request) wantsToKnow() bool {
	return q.question || !q.hasVerb || slices.ContainsFunc(q.units, func(u unit) bool { return slices.Contains(readingVerbs, u.stem) })
}

// weigh is what a word weighs that so many tools have: 1 for one, the less the more have
// it. The power keeps one rare word from outweighing all the others.
func (r *Ranker) weigh(tools float64) float64 {
	all := float64(len(r.tools) + 1)
	return math.Pow(math.Log(all/(max(1, tools)+.5))/math.Log(all/1.5), 0.75)
}

// weighLiterals weighs the literals like words: by how many tools could take them. One that
// none could take says nothing, or that there is no tool where it is of a definite kind.
func (r *Ranker) weighLiterals(q *request) {
	for _, l := range q.literals {
		u := unit{said: l.text, kind: l.kind, by: make([]float64, len(r.tools))}
		count := 0.0
		for i, p := range r.known {
			for _, s := range p.slots {
				u.by[i] = max(u.by[i], s.takes(l, q.said))
			}
			count += u.by[i]
		}
		if u.foreign = count == 0; !u.foreign || u.kind.isDefinite() {
			u.weight = r.weigh(count)
			q.values = append(q.values, u)
		}
	}
}

func (r *Ranker) mark(by []float64, stem string, factor float64) {
	for _, p := range r.has[stem] {
		by[p.tool] = max(by[p.tool], factor*(p.weight/inName))
	}
}

var (
	questionStart  = regexp.MustCompile(`(?i)^\s*(?:what|which|who|whose|where|when|why|how|is|are|was|were|has|have|did|does|do)\b`)
	questionEnd    = regexp.MustCompile(`(?i)[?？]\s*$`)
	questionZh     = regexp.MustCompile(`什么|多少|哪|吗|怎么|怎样|如何|是否|有没有|谁|第几|几点|几号|几月`)
	questionInside = regexp.MustCompile(`(?i)\b(?:find out|determine|establish|tell me|let me know|know|check|see|learn|wonder|clarify)\s+(?:[a-z]+\s+){0,2}?(?:which|what|how|whether|if|who|when|where|why)\b`)
	politeStart    = regexp.MustCompile(`(?i)^\s*(?:can|could|would|will|may)\s+(?:you|we|i)\b`)
)

// isQuestion says whether a request asks to know something rather than to have it done.
// "Could you ...?" only asks politely.
func isQuestion(text string) bool {
	return !politeStart.MatchString(text) && (questionStart.MatchString(text) || questionInside.MatchString(text) || questionEnd.MatchString(text) || questionZh.MatchString(text))
}

// readingVerbs begin the names of tools that only look, and requests for them.
var readingVerbs = stems("get list read search find show view fetch query describe check count lookup explain compare validate")
