package selection

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/host"
)

// Ranked is a tool that fits a request.
type Ranked struct {
	Tool    host.Tool `json:"tool"`
	Score   float64   `json:"score"`   // above 0; comparable within one request
	Reason  string    `json:"reason"`  // which words met what, and which arguments could be filled
	Matched []string  `json:"matched"` // words of the request that the tool answers to
}

// What a word weighs by where the tool has it.
const (
	inName        = 3.0
	inTitle       = 2.25
	inServer      = 0.75 // id of the server, and category
	inFirst       = 1.75 // sentence of the description
	inDescription = 0.8
	inArgument    = 1.0 // its name
	inSchema      = 0.5 // descriptions of arguments, and choices
)

const (
	stateVerb     = 0.7 // a verb that says how things are, of what it would in an order
	synonymCounts = 0.7 // of what the word itself would
	bigramCounts  = 0.6 // two characters of a run that is no word of the lexicon
)

// Ranker ranks tools by how well they fit a request. It reads the words of names, titles,
// descriptions and arguments once; it is safe for several goroutines.
type Ranker struct {
	tools   []host.Tool
	known   []profile            // of the tools
	has     map[string][]posting // by stem
	lexicon *lexicon

	examples *examples
	wordings []*wording // of the requests for each tool; nil where there are no examples
}

// profile is what is known of a tool beside its words.
type profile struct {
	name     []string // stems
	slots    []slot
	record   float64 // factor from how calls went
	reads    bool    // it changes nothing
	searches bool    // it has to be told what for
	outdated bool    // its server calls it deprecated
}

// posting says that a tool has a word.
type posting struct {
	tool   int
	weight float64
}

// NewRanker reads the tools, and has the examples that come with this package.
func NewRanker(tools []host.Tool, e Experience) *Ranker {
	return newRanker(tools, e, theExamples())
}

func newRanker(tools []host.Tool, x Experience, known *examples) *Ranker {
	r := &Ranker{
		tools: tools, known: make([]profile, len(tools)), has: make(map[string][]posting), lexicon: theLexicon(),
		examples: known.with(x.Precedents),
	}
	for i, t := range tools {
		p := &r.known[i]
		p.record = 1
		for _, s := range x.Statistics {
			if s.Server == t.Server && s.Tool == t.Name {
				p.record = trackRecord(s)
			}
		}
		p.outdated = strings.Contains(strings.ToLower(t.Title+" "+t.Description), "deprecated")
		r.read(i, t)
		r.wordings = append(r.wordings, r.examples.of(t))
		if t.Hints.ReadOnly != nil {
			p.reads = *t.Hints.ReadOnly
		} else {
			p.reads = len(p.name) > 0 && slices.Contains(readingVerbs, p.name[0])
		}
	}
	return r
}

// trackRecord is a factor within a tenth of a percent of 1: three quarters of it are the
// share of calls that succeeded (with one success and one failure added, so that a single
// call says little), one quarter how fast the median one was.
func trackRecord(s host.Statistic) float64 {
	if s.Calls == 0 {
		return 1
	}
	success := float64(s.Successes+1)/float64(s.Calls+2) - .5
	speed := .5 - float64(s.Median)/float64(s.Median+time.Second)
	return 1 + .001*(1.5*success+.5*speed)
}

// read takes the words of a tool, each at the best place where it stands.
func (r *Ranker) read(i int, t host.Tool) {
	best := make(map[string]float64)
	add := func(text string, weight float64) (list []string) {
		for _, w := range r.lexicon.words(text) {
			best[w.stem] = max(best[w.stem], weight)
			list = append(list, w.stem)
			if isChinese(w.stem) {
				for _, pair := range bigrams(w.stem) {
					best[pair] = max(best[pair], weight*bigramCounts)
				}
			}
		}
		return list
	}
	p := &r.known[i]
	p.name = add(t.Name, inName)
	add(t.Title, inTitle)
	add(t.Server+" "+t.Category, inServer)
	first, rest := firstSentence(t.Description)
	add(first, inFirst)
	add(rest, inDescription)
	for _, a := range arguments(t) {
		s := newSlot(a, r.lexicon)
		p.slots = append(p.slots, s)
		p.searches = p.searches || s.required && s.about(searchWords)
		add(a.name, inArgument)
		add(a.description+" "+strings.Join(a.choices, " "), inSchema)
	}
	inRepository := slices.ContainsFunc(p.slots, func(s slot) bool { return s.required && s.about(repositoryWords) })
	for k := range p.slots {
		p.slots[k].inRepository = inRepository
	}
	for s, weight := range best {
		r.has[s] = append(r.has[s], posting{i, weight})
	}
}

// firstSentence cuts a text after its first sentence or line.
func firstSentence(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	at := len(text)
	for _, end := range []string{". ", ".\n", "\n", "。", "；", "; "} {
		if k := strings.Index(text, end); k >= 0 {
			at = min(at, k+len(end))
		}
	}
	return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:])
}

// What the words of a tool and the examples of requests for it make of its score.
const (
	examplesCount = 0.3
	wordsCount    = 1 - examplesCount
)

// surely is how likely a request has to be for a tool, by examples, where its words do not
// speak for that.
const surely = 0.5

// Rank gives the tools that fit a request, the best first; none where the request asks for
// something that no tool does. A request that names a tool ("read_file", "files.read_file")
// means it, and one that a model has chosen for means its choice. Of a long one, what it begins
// and ends with counts.
func (r *Ranker) Rank(text string) []Ranked {
	list, q, fits := r.order(endsOf(text))
	if !fits {
		return nil
	}
	var out []Ranked
	words := features(q.text)
	for _, c := range list {
		if c.speaks && (len(out) == 0 || c.score >= farBehind*out[0].Score) {
			out = append(out, r.say(c.tool, c.score, q, words))
		}
	}
	return out
}

// Relevant gives all tools, the most relevant to a request first, whether one fits or not.
func (r *Ranker) Relevant(request string) (list []host.Tool) {
	order, _, _ := r.order(endsOf(request))
	for _, c := range order {
		list = append(list, r.tools[c.tool])
	}
	return list
}

// candidate is a tool for a request.
type candidate struct {
	tool   int
	score  float64
	named  bool // by the request, or chosen for it before
	speaks bool // something but its place speaks for it
}

// order has all tools, the best first, and says whether that one fits.
func (r *Ranker) order(text string) (list []candidate, q request, fits bool) {
	q = r.understand(text)
	likely, none := r.examples.recognise(features(text), r.wordings)
	for i := range r.tools {
		c := candidate{tool: i, named: r.isNamed(i, text) || r.examples.told[text] == r.tools[i].FullName()}
		words := r.score(i, q)
		c.score = wordsCount*words + examplesCount*likely[i]
		if c.named {
			c.score++
		}
		c.speaks = c.named || words > 0 || r.wordings[i] != nil && likely[i] >= surely
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	// One for which nothing speaks may stand before others by a little likelihood.
	best := slices.IndexFunc(list, func(c candidate) bool { return c.speaks })
	if best < 0 {
		return list, q, false
	}
	c := list[best]
	return list, q, c.named || r.fits(c.tool, q, likely[c.tool], none)
}

// farBehind is the share of the best score below which a tool is not worth telling.
const farBehind = 0.2

// score is how well a tool fits a request, from 0 to 1, beside the others; 0 = it does not.
// No action stands in for another that changes more than what is here, such as deleting and
// sending: the tool has to speak of it.
func (r *Ranker) score(i int, q request) float64 {
	explained, known := 0.0, 0.0
	for _, u := range q.units {
		if r.lexicon.strict[u.stem] && u.by[i] == 0 && !q.question {
			return 0
		}
		if !u.foreign {
			explained += u.weight * u.by[i]
			known += u.weight
		}
	}
	definite := slices.ContainsFunc(q.values, func(u unit) bool { return u.kind.isDefinite() && u.by[i] > 0 })
	if explained == 0 && !definite {
		return 0
	}
	if known > 0 {
		explained /= known
	}
	return (explained + almostNothing) / (1 + almostNothing) * r.judge(i, q)
}

// almostNothing keeps a tool that answers to few words in the race where its arguments are
// right.
const almostNothing = 0.03

// What speaks for the best tool being what a request asks for, against nothing being it:
// the coefficients of a logistic regression on the examples, as far as words go. Those of
// the examples themselves were chosen by leaving out one of their authors at a time.
const (
	fitsAtAll   = -4.6
	fitsWords   = 2.6   // logarithm of the weight of what it answers to
	fitsForeign = -1.25 // logarithm of the weight of the words that no tool has
	fitsNames   = -1.2  // how many names of somebody or something it has that no tool has
	fitsObject  = 3.7   // it works on what the request names
	fitsName    = 2.4   // share of its name that the request says

	fitsExamples = 8   // how likely it is by examples
	fitsNothing  = -16 // how likely it is that no tool is meant, by examples
)

// fits says whether a tool is for a request at all, by its words and by examples: how likely
// the request is to be for it, and for nothing.
func (r *Ranker) fits(i int, q request, likely, none float64) bool {
	if r.wordings[i] == nil {
		return r.evidence(i, q) >= 0
	}
	return likely >= surely || r.evidence(i, q)+fitsExamples*likely+fitsNothing*none >= 0
}

// evidence is what the words say for a tool being for a request at all, as the logarithm of
// its odds. A tool works on what the request names where a word that is no verb stands in
// its name or in the first sentence of its description, or it takes a path, a repository or
// another literal of a definite kind, or does with what is called so what the request says.
// What is searched for need be no word that a tool has.
func (r *Ranker) evidence(i int, q request) float64 {
	answered, foreign, names, object, does := 0.0, 0.0, q.names, 0.0, false
	searches := r.searches(i, q)
	if searches {
		names = 0
	}
	for _, u := range q.units {
		if u.foreign && !searches {
			foreign += u.weight
		}
		answered += u.weight * min(1, 2*u.by[i])
		isVerb := r.lexicon.verbs[u.stem]
		does = does || isVerb && !r.lexicon.strict[u.stem] && u.by[i] >= synonymCounts
		if !isVerb && u.by[i] >= synonymCounts*inFirst/inName || r.worksOn(i, u) {
			object = 1
		}
	}
	for _, u := range q.values {
		if u.foreign {
			foreign += u.weight
		}
		answered += u.weight * u.by[i]
		if u.by[i] > 0 && (u.kind.isDefinite() || does && u.kind == anIdentifier) {
			object = 1
		}
	}
	return fitsAtAll + fitsWords*math.Log(answered+little) + fitsForeign*math.Log(foreign+2*little) + fitsNames*names + fitsObject*object + fitsName*r.said(i, q)
}

// searches says whether a tool searches and a request asks for that.
func (r *Ranker) searches(i int, q request) bool {
	p := r.known[i]
	return p.searches && (q.question || slices.ContainsFunc(q.units, func(u unit) bool {
		return len(p.name) > 0 && r.same(u, p.name[0]) > 0
	}))
}

// little is a weight below which more or less makes no difference.
const little = 0.125

// worksOn says whether a word stands in a tool's name after the first word, which mostly is
// its verb: simulation in start_simulation. One that no other tool has may be the first.
func (r *Ranker) worksOn(i int, u unit) bool {
	for k, s := range r.known[i].name {
		if (k > 0 || u.stem == s && u.weight >= r.weigh(2)) && r.same(u, s) > 0 {
			return true
		}
	}
	return false
}

// isNamed says whether a request names the tool as it is called.
func (r *Ranker) isNamed(i int, request string) bool {
	name := r.tools[i].Name
	if !strings.ContainsAny(name, "_-") {
		return false // a name that is a word of the language may stand for that word
	}
	for at := 0; ; {
		k := strings.Index(request[at:], name)
		if k < 0 {
			return false
		}
		from, to := at+k, at+k+len(name)
		if !partOfName(request[:from], request[to:]) {
			server, named := strings.CutSuffix(request[:from], ".")
			return !named || strings.HasSuffix(server, r.tools[i].Server)
		}
		at = to
	}
}

// partOfName says whether what stands around a name makes it a part of a longer one.
func partOfName(before, after string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/"
	return strings.LastIndexAny(before, letters) == len(before)-1 && before != "" || strings.IndexAny(after, letters) == 0
}

// What the parts of a judgement move at most.
const (
	nameCounts    = 0.45 // a name of which the request says nothing
	takenCounts   = 0.5  // literals that the tool cannot take
	filledCounts  = 0.27 // required arguments that the request cannot fill
	purposeCounts = 0.2  // a tool that changes something, for a question; one that only looks, for an order
	outdatedCount = 0.25 // a tool that its server calls deprecated
)

// judge is a factor from 0 to 1 beside the words that meet: how much of the tool's name the
// request says, how well literals and arguments meet, and how calls went.
func (r *Ranker) judge(i int, q request) float64 {
	taken, filled, _ := fit(q.literals, q.said, r.known[i].slots)
	factor := (1 - nameCounts*(1-r.said(i, q))) * (1 - takenCounts*(1-taken)) * (1 - filledCounts*(1-filled)) * r.known[i].record
	if q.asks != r.known[i].reads {
		factor *= 1 - purposeCounts
	}
	if r.known[i].outdated {
		factor *= 1 - outdatedCount
	}
	return factor
}

// said is how much of a tool's name a request says, from 0 to 1.
func (r *Ranker) said(i int, q request) float64 {
	said, all := 0.0, 0.0
	for _, s := range r.known[i].name {
		weight := r.rarity(s)
		all += weight
		best := 0.0
		for _, u := range q.units {
			best = max(best, r.same(u, s))
		}
		said += weight * best
	}
	if all == 0 {
		return 1
	}
	return said / all
}

// rarity is how much the word of a name tells apart.
func (r *Ranker) rarity(stem string) float64 {
	sum := 0.0
	for _, p := range r.has[stem] {
		sum += p.weight / inName
	}
	return r.weigh(sum)
}

// same is how far a word of a request means a word of a name.
func (r *Ranker) same(u unit, stem string) float64 {
	switch {
	case u.stem == stem:
		return 1
	case slices.Contains(r.lexicon.mates[u.stem], stem):
		return synonymCounts
	}
	return 0
}

// say is what the caller sees of a candidate. Words are the features of the request.
func (r *Ranker) say(i int, score float64, q request, words []string) Ranked {
	out := Ranked{Tool: r.tools[i], Score: score, Matched: []string{}}
	var parts []string
	inNames, elsewhere := []string{}, []string{}
	for _, u := range q.units {
		switch m := u.by[i]; {
		case m >= synonymCounts:
			inNames = append(inNames, u.said)
		case m > 0:
			elsewhere = append(elsewhere, u.said)
		}
	}
	out.Matched = append(inNames, elsewhere...)
	if len(inNames) > 0 {
		parts = append(parts, "its name says "+strings.Join(inNames, ", "))
	}
	if len(elsewhere) > 0 {
		parts = append(parts, "its description says "+strings.Join(elsewhere, ", "))
	}
	if _, _, pairs := fit(q.literals, q.said, r.known[i].slots); len(pairs) > 0 {
		parts = append(parts, "the request has "+strings.Join(pairs, ", "))
	}
	if said := r.examples.tell(words, r.wordings[i]); len(said) > 0 {
		parts = append(parts, "requests for it say "+strings.Join(said, ", "))
	}
	out.Reason = strings.Join(parts, "; ")
	return out
}
