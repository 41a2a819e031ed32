package selection

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/host"
)

// Ranked is a tool that may be what a request needs.
type Ranked struct {
	Tool   string  `json:"tool"`
	Server string  `json:"server"`
	Score  float64 `json:"score"`  // comparable within one request; 1 = each word stands in its name
	Reason string  `json:"reason"` // which words of the request it has, and which arguments can be filled

	at    int     // place among the tools
	words float64 // the score without the bonus for arguments
}

// fields are where a word of a tool stands, and what it counts there.
var fields = [...]struct {
	name   string
	weight float64
}{{"name", 3}, {"title", 2}, {"description", 1}, {"arguments", 0.7}} // of arguments, names and choices

// The ranking is BM25 with fields (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework:
// BM25 and Beyond", section 3.6), as a share of what the words of the request could reach.
const (
	saturation  = 1.2  // k1: how soon more of a word counts no more
	lengthCount = 0.5  // b: how far a longer name or description makes its words count less
	byMeaning   = 0.75 // what a synonym counts of the word itself
	asValue     = 0.1  // what a word of a quotation, path or name counts of one of the request
	unknown     = 0.7  // what a word that no tool has counts of the rarest word that one has
	filledCount = 0.15 // bonus where the request can fill all arguments that have to be given
)

// Ranker ranks tools by how well they fit a request. It reads their words once; it is safe for several
// goroutines.
type Ranker struct {
	tools []host.Tool
	words map[string][]posting // by stem
	slots [][]slot             // of each tool: arguments that have to be given
}

// posting says that a tool has a word.
type posting struct {
	tool  int
	field int     // where it counts most
	count float64 // saturated, from 0 to 1
}

// NewRanker reads the tools.
func NewRanker(tools []host.Tool) *Ranker {
	r := &Ranker{tools: tools, words: map[string][]posting{}, slots: make([][]slot, len(tools))}
	texts := make([][len(fields)][]string, len(tools))
	var mean [len(fields)]float64
	for i, t := range tools {
		list := arguments(t)
		names := ""
		for _, a := range list {
			names += a.name + " " + strings.Join(a.choices, " ") + "\n"
			if a.required {
				r.slots[i] = append(r.slots[i], slot{a, stemsOf(a.name)})
			}
		}
		for f, text := range [...]string{t.Name, t.Title, t.Description, names} {
			texts[i][f] = stemsOf(text)
			mean[f] += float64(len(texts[i][f])) / float64(len(tools))
		}
	}
	for i := range tools {
		counts, best := map[string]float64{}, map[string]int{}
		for f, list := range texts[i] {
			length := 1 - lengthCount + lengthCount*float64(len(list))/max(mean[f], 1)
			slices.Sort(list)
			for _, s := range slices.Compact(list) {
				if counts[s] == 0 {
					best[s] = f
				}
				counts[s] += fields[f].weight / length
			}
		}
		for s, c := range counts {
			r.words[s] = append(r.words[s], posting{i, best[s], c / (c + saturation)})
		}
	}
	return r
}

// stemsOf are the words of a tool's text that tell something; Chinese ones also as what they mean.
func stemsOf(text string) (list []string) {
	v := theVocabulary()
	for _, w := range v.split(text) {
		if !v.ignored[w.stem] {
			list = append(append(list, w.stem), v.english[w.stem]...)
		}
	}
	return list
}

// rarity is the weight of a word that so many tools have: BM25's inverse document frequency.
func (r *Ranker) rarity(having int) float64 {
	return math.Log(1 + (float64(len(r.tools)-having)+0.5)/(float64(having)+0.5))
}

// term is a word of a request.
type term struct {
	said   string
	stems  map[string]float64 // it or what means the same -> what that counts
	count  float64            // of the term
	proper bool               // it looks like the name of something
	denied bool               // it is not wanted
}

// terms are the words of a request that tell something, each once.
func terms(text string, count float64) (list []term) {
	v := theVocabulary()
	denied, before := -1, -1 // clauses: in which the next word is not wanted, in which the last one was not
	for _, w := range v.split(text) {
		and := slices.Contains([]string{"or", "nor", "或", "或者", "也", "和"}, w.stem)
		switch {
		case v.denies[w.stem] || and && before == w.clause:
			denied = w.clause
			continue
		case v.ignored[w.stem] || len(w.said) == 1:
			continue
		}
		t := term{said: w.said, stems: map[string]float64{}, count: count, denied: denied == w.clause}
		if t.proper = w.proper && count == 1 && v.synonyms[w.stem] == nil; t.proper {
			t.count = asValue
		}
		denied, before = -1, -1
		if t.denied {
			before = w.clause
		}
		for _, s := range slices.Concat(v.english[w.stem], []string{w.stem}) {
			for _, other := range v.synonyms[s] {
				if !t.denied { // what means about the same may be wanted all the same
					t.stems[other] = max(t.stems[other], byMeaning)
				}
			}
			t.stems[s] = 1
		}
		if !slices.ContainsFunc(list, func(other term) bool { return other.said == t.said }) {
			list = append(list, t)
		}
	}
	return list
}

// match is what a term finds in a tool.
type match struct {
	weight float64
	field  int
	stem   string
	term   int // its place
}

// compare orders by term, so that sums come out the same each time.
func (m match) compare(other match) int {
	return cmp.Or(cmp.Compare(m.term, other.term), cmp.Compare(m.stem, other.stem))
}

// find gives what a term finds in each tool, and the most that it could.
func (r *Ranker) find(t term) (found map[int]match, most float64) {
	found = map[int]match{}
	for s, factor := range t.stems {
		rarity := factor * t.count * r.rarity(len(r.words[s]))
		if len(r.words[s]) > 0 {
			most = max(most, rarity)
		}
		for _, p := range r.words[s] {
			m := match{weight: rarity * p.count, field: p.field, stem: s}
			if old, ok := found[p.tool]; !ok || m.weight > old.weight || m.weight == old.weight && s < old.stem {
				found[p.tool] = m
			}
		}
	}
	if len(found) == 0 {
		most = unknown * t.count * r.rarity(1)
	}
	return found, most
}

// Thresholds of a ranking.
const (
	fitsAt    = 0.2 // score below which a tool does not fit
	offered   = 5   // candidates at most
	farBehind = 0.5 // share of the best score below which a tool is no candidate
)

// Rank gives up to five tools that may be what a request needs, the best first; none where nothing fits.
// A request that has the name of a tool ("read_file", "files.read_file") means it. Of a long one, what it
// begins and ends with counts.
func (r *Ranker) Rank(request string) []Ranked {
	list := r.order(request)
	end := 0
	for end < min(len(list), offered) && list[end].words >= fitsAt && list[end].Score >= farBehind*list[0].Score {
		end++
	}
	return list[:end]
}

// Relevant gives the places of all tools, the most relevant to a request first, whether one fits or not.
func (r *Ranker) Relevant(request string) (places []int) {
	for _, c := range r.order(request) {
		places = append(places, c.at)
	}
	return places
}

// order ranks all tools. Those that fit equally well stay in the order in which they were given.
func (r *Ranker) order(request string) []Ranked {
	request = endsOf(request)
	names := namesIn(request)
	rest, literals := takeLiterals(request)
	all := terms(rest, 1)
	for _, l := range literals {
		all = slices.Concat(all, terms(l.implied(), byMeaning), terms(l.text, asValue))
	}
	for _, t := range all {
		if t.proper {
			literals = append(literals, literal{aText, t.said})
		}
	}
	list := make([]Ranked, len(r.tools))
	answers := make([]map[string]match, len(r.tools)) // of each tool: by its word
	most := 0.0
	for k, t := range all {
		found, reach := r.find(t)
		if !t.denied {
			most += reach
		}
		for i, m := range found {
			if m.term = k; t.denied {
				m.weight = -m.weight
			}
			if answers[i] == nil {
				answers[i] = map[string]match{}
			}
			if old, ok := answers[i][m.stem]; !ok || m.weight > old.weight {
				answers[i][m.stem] = m
			}
		}
	}
	for i, t := range r.tools {
		c := &list[i]
		c.Tool, c.Server, c.at = t.Name, t.Server, i
		var reasons []string
		for _, m := range slices.SortedFunc(maps.Values(answers[i]), match.compare) {
			c.words += m.weight / most
			reasons = append(reasons, all[m.term].reason(m))
		}
		if c.Score = c.words; c.words > 0 {
			share, pairs := fill(literals, r.slots[i])
			c.Score += filledCount * share
			for _, p := range pairs {
				reasons = append(reasons, "can fill "+p)
			}
		}
		// A name without strokes may be a word of the language: it means the tool only behind its server's.
		if names[t.FullName()] || names[t.Name] && strings.ContainsAny(t.Name, "_-") {
			c.Score, c.words = c.Score+1, c.words+1
			reasons = append([]string{"the request names it"}, reasons...)
		}
		c.Score = math.Round(1000*c.Score) / 1000
		c.Reason = strings.Join(reasons, "; ")
	}
	slices.SortStableFunc(list, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return list
}

// reason says where a tool has a term.
func (t term) reason(m match) string {
	switch {
	case t.denied:
		return fmt.Sprintf("%q is not wanted", t.said)
	case stem(t.said) != m.stem:
		return fmt.Sprintf("%q by its meaning in the %s", t.said, fields[m.field].name)
	}
	return fmt.Sprintf("%q in the %s", t.said, fields[m.field].name)
}

// namesIn are the words of a request that could be names of tools.
func namesIn(request string) map[string]bool {
	names := map[string]bool{}
	for _, w := range strings.FieldsFunc(request, func(r rune) bool { return isHan(r) || !isWordRune(r) && !strings.ContainsRune("_-.", r) }) {
		names[strings.TrimRight(w, ".")] = true
	}
	return names
}

// mostRead is how many bytes of a request are looked at: what is wanted stands before or after what was
// pasted into it, and the time that a ranking takes has a bound.
const mostRead = 4000

// endsOf leaves out the middle of a text that is longer than mostRead.
func endsOf(text string) string {
	if len(text) <= mostRead {
		return text
	}
	return strings.ToValidUTF8(text[:mostRead/2], "") + "\n" + strings.ToValidUTF8(text[len(text)-mostRead/2:], "")
}
