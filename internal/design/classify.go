package design

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"econ-mcp/sim"
)

// Weights of what speaks for a type.
const (
	leverWeight   = 3.0
	topicWeight   = 1.0
	outcomeWeight = 0.4
	effectFactor  = 0.3 // of what stands where effects are named
	doubt         = 1.0 // evidence that a certain answer must outweigh
)

// keywords lists the phrases that were recognised.
func (r *reading) keywords() {
	for i := range r.items {
		it := &r.items[i]
		k := Keyword{Text: r.text(it.start, it.end), From: r.tokens[it.start].from, To: r.tokens[it.end-1].to}
		switch {
		case it.number != nil && it.number.unit == monthsUnit:
			k.Meaning = "time"
		case it.number != nil:
			k.Meaning = "number"
		case it.is(leverMeaning):
			k.Meaning, k.Of = "lever", it.of
		case it.is(outcomeMeaning):
			k.Meaning, k.Of = "outcome", it.of
		case it.is(topicMeaning):
			k.Meaning, k.Of = "topic", it.of
		case it.is(verbMeaning):
			k.Meaning = "change"
		case it.is(groupMeaning):
			k.Meaning = "group"
		case it.is(negationMeaning):
			k.Meaning = "negation"
		case it.is(gradualMeaning), it.is(brieflyMeaning):
			k.Meaning = "time"
		default:
			continue
		}
		r.plan.Keywords = append(r.plan.Keywords, k)
	}
}

// classify weighs what speaks for each type. A question that names no lever of its type
// gets the usual one.
func (r *reading) classify() {
	weights := map[Type]float64{}
	seen := map[string]bool{}
	for i := range r.items {
		it := &r.items[i]
		if it.entry == nil || it.negated || it.of == "" || it.of == Other {
			continue
		}
		w := map[meaning]float64{leverMeaning: topicWeight, topicMeaning: topicWeight, outcomeMeaning: outcomeWeight}[it.meaning]
		if it.effect {
			w *= effectFactor
		}
		if key := it.entry.text; !seen[key] {
			seen[key] = true
			weights[it.of] += w
		}
	}
	for _, l := range r.plan.Levers {
		weights[levers[l.row].of] += leverWeight
	}
	delete(weights, Other)
	sum := 0.0
	for _, t := range Types() {
		sum += weights[t]
	}
	for _, t := range Types() {
		if w := weights[t]; w > 0 {
			r.plan.Candidates = append(r.plan.Candidates, Candidate{t, w / (sum + doubt)})
		}
	}
	slices.SortStableFunc(r.plan.Candidates, func(a, b Candidate) int {
		switch {
		case a.Confidence > b.Confidence+1e-12:
			return -1
		case b.Confidence > a.Confidence+1e-12:
			return 1
		}
		return 0
	})
	r.plan.Type = Other
	if len(r.plan.Candidates) > 0 && r.aboutEconomy() {
		r.plan.Type, r.plan.Confidence = r.plan.Candidates[0].Type, r.plan.Candidates[0].Confidence
	} else {
		r.plan.Candidates = []Candidate{{Other, 0}}
	}
	if len(r.plan.Levers) == 0 && r.plan.Type != Other && !r.named && len(r.plan.Held) == 0 {
		it := &item{entry: &entry{meaning: leverMeaning, row: leverIndex[rowOf(r.plan.Type).lever]}}
		it.meant = it.row
		for i := range r.items {
			if q := r.items[i].number; q != nil && q.unit == monthsUnit {
				it.timing = append(it.timing, *q)
			}
		}
		if l, ok := r.resolve(it); ok {
			l.Note = r.say("the question names no lever: this is the usual one of its type", "问题未指明政策工具：采用该类问题的常用工具")
			r.plan.Levers = append(r.plan.Levers, l)
			r.unused(nil) // the usual size is not that of the question
		}
	}
}

// aboutEconomy says whether the evidence is more than one word that may mean anything.
func (r *reading) aboutEconomy() bool {
	if len(r.plan.Levers) > 0 {
		return true
	}
	return slices.ContainsFunc(r.items, func(it item) bool {
		return it.is(topicMeaning) || it.is(leverMeaning) || it.is(outcomeMeaning) && it.of != ""
	})
}

// say is one of two sentences, by the language of the question.
func (r *reading) say(en, zh string) string {
	return r.plan.either(en, zh)
}

// context lists what both arms need for the levers to act.
func (r *reading) context() {
	moved := map[string]bool{}
	for _, l := range r.plan.Levers {
		moved[l.Parameter] = true
	}
	params := r.plan.base.Params
	for _, l := range r.plan.Levers {
		for _, need := range levers[l.row].needs {
			if moved[need.Name] {
				continue
			}
			now, err := params.Get(need.Name)
			if x, number := now.(float64); err != nil || number && x != 0 || !number && now == need.Value {
				continue
			}
			moved[need.Name] = true
			r.plan.Context = append(r.plan.Context, need)
		}
	}
}

// mostOutcomes that a plan watches.
const mostOutcomes = 8

// outcomes lists what the question names, what its levers move first, and what one looks
// at in a question of its type.
func (r *reading) outcomes() {
	var list []sim.Indicator
	add := func(i sim.Indicator) {
		if !slices.Contains(list, i) && len(list) < mostOutcomes {
			list = append(list, i)
		}
	}
	for i := range r.items {
		if r.items[i].is(outcomeMeaning) && r.items[i].when == "" {
			add(r.items[i].indicator)
		}
	}
	r.plan.names = len(list) > 0
	for _, l := range r.plan.Levers {
		add(levers[l.row].outcome)
	}
	for _, i := range rowOf(r.plan.Type).outcomes {
		add(i)
	}
	r.plan.Outcomes = list
}

// name is the type, the first lever and what tells the question from others.
func (p *Reading) name() string {
	parts := []string{string(p.Type)}
	if len(p.Levers) > 0 {
		parts = append(parts, p.Levers[0].Parameter)
	}
	words := strings.Join(strings.Fields(strings.ToLower(p.Question)), " ")
	if p.base.Name != Baseline {
		words += "\non " + p.base.Name
	}
	sum := sha256.Sum256([]byte(words))
	return strings.Join(append(parts, hex.EncodeToString(sum[:4])), "-")
}
