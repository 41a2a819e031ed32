package question

import (
	"slices"
	"strings"
)

// scan makes items of the words: the longest phrase, time or number that stands at each place.
func (r *english) scan() {
	for i := 0; i < len(r.s); {
		it := item{from: i, to: i + 1}
		p, end := englishTree().match(r.s, i)
		if p != nil && end > i+1 && r.s[end-1].is("for", "in", "over", "from", "until", "after") {
			if _, to, ok := r.s.timing(end - 1); ok && to > end { // "customers | for nine months"
				if shorter, at := englishTree().match(r.s[:end-1], i); shorter != nil && at > i {
					p, end = shorter, at
				}
			}
		}
		if p != nil && end > i+1 && p.is(financeWord) && r.s[end-1].text == "by" {
			if _, _, sized := r.s.quantity(end); sized { // "jobless pay | by 10 percent"
				if p, end = englishTree().match(r.s[:end-1], i); p == nil {
					end = i
				}
			}
		}
		if p != nil && end > i {
			it.phrase, it.known, it.to = *p, true, end
		}
		if it.known && r.s[i].is("benefit") && i > 0 && r.s[i-1].is("who", "which", "does", "do", "would", "will", "they", "we",
			"could", "can", "might", "to", "really") && end == i+1 || it.known && r.s[i].text == "benefit" && end == i+1 && i > 0 &&
			r.s[i-1].is("poor", "rich", "worker", "firm", "pensioner", "household", "everyone", "people", "most", "family", "bank", "country",
				"economy") && (end == len(r.s) || strings.Contains("?,.", r.s[end].text) || r.s[end].is("more", "most", "from", "at", "if")) {
			it.phrase = phrase{kinds: 1<<frameWord | 1<<effectWord} // "who benefits?"
		}
		if it.known && p.levers == nil && !p.outcome && end > i+1 && (r.s[i].text == "the" || r.s[i].text == "our" ||
			r.s[i].text == "a") {
			// the | central bank goes to
			if inner, to := englishTree().match(r.s, i+1); inner != nil && to > end && (inner.levers != nil || inner.outcome) {
				it.phrase, it.to = phrase{kinds: 1 << frameWord}, i+1
			}
		}
		if it.known && p.people == "top_tenth" && r.s[i].text != "top" && !strings.HasPrefix(r.s[i].text, "rich") &&
			!strings.HasPrefix(r.s[i].text, "high") {
			it.phrase, it.to = phrase{kinds: 1 << aboveWord}, i+1 // joblessness tops ten percent
		}
		if it.known && p.is(belowWord, aboveWord) && end == i+2 && r.s[i+1].text == "than" && len(r.items) > 0 &&
			r.items[len(r.items)-1].q != nil {
			if shorter, at := englishTree().match(r.s[:i+1], i); shorter != nil && at == i+1 { // "5 percent less | than they like"
				it.phrase, it.to = *shorter, at
			}
		}
		if to, is := r.s.skip(i, reachingWords...); is {
			if _, _, ok := r.s.quantity(to); ok { // "buys until it holds | 30 percent"
				it.phrase, it.known, it.to = phrase{kinds: 1 << frameWord}, true, to
				p, end = &it.phrase, to
			}
		}
		if it.known && p.change == halve && end == i+2 {
			if _, to, ok := r.s.quantity(i + 1); ok && to > end { // by | half a percent
				it.phrase, it.to = phrase{kinds: 1 << frameWord}, i+1
			}
		}
		q, numberEnd, isNumber := r.s.quantity(i)
		if isNumber && numberEnd == i+1 && r.s[i].text == "one" && !r.s.counted(i) {
			isNumber = false
		}
		if isNumber && numberEnd == i+1 && q.unit == plain && q.x <= 6 && r.s.text(i-1) == "the" && r.s.text(i-2) == "of" {
			isNumber, it.known, it.phrase = false, true, phrase{kinds: 1 << frameWord} // "which of the three"
			p = &it.phrase
		}
		if isNumber && q.unit == plain && q.x <= 6 && r.s.countsPlans(i, numberEnd) {
			isNumber, it.known, it.phrase = false, true, phrase{kinds: 1 << frameWord} // "two proposals", "plan one"
			if int(q.x) > r.options && !r.s[min(numberEnd, len(r.s)-1)].is(parts...) {
				r.options, r.optionsAt = int(q.x), len(r.items)
			}
			p = &it.phrase
		}
		if to := r.s.marginal(i); to > i { // "half of every additional euro"
			it.phrase, it.known, it.to, isNumber = phrase{kinds: 1 << frameWord}, true, to, false
			p = &it.phrase
		}
		if it.known && p.change == halve && isNumber && end == i+2 && r.s.text(i+1) == "the" && end < len(r.s) &&
			r.s[end].is("wage", "pay", "cost", "bill", "price", "loss") {
			it.known, p = false, nil // "half the wage"
		}
		meant := p != nil && (p.levers != nil || p.outcome || p.group || p.place != "" || p.change != noChange ||
			p.is(nobodyWord, onceWord) || p.foreign != "")
		if isNumber && (numberEnd > it.to || numberEnd == it.to && !meant || p == nil) {
			it = item{from: i, to: numberEnd, q: &q}
		}
		later := func(end int) bool { // "retire two years later"
			return r.s[end-1].is("later") && i > 0 && r.s[i-1].is("retire", "pension", "work", "retirement")
		}
		if t, timeEnd, isTime := r.s.timing(i); isTime && (timeEnd > it.to || timeEnd == it.to && r.s.alone(i, timeEnd)) && !later(timeEnd) &&
			!(r.s[timeEnd-1].is("quarter") && r.s.text(timeEnd) == "of") { // "chip in a quarter of the pay"
			it = item{from: i, to: timeEnd, t: &t}
		}
		if it.q == nil && it.t == nil && !r.s[i].word && !r.s[i].digits && !it.known {
			it.sign = r.s[i].text
		}
		r.items = append(r.items, it)
		i = it.to
	}
	for i := range r.items {
		if r.describes(i) {
			r.items[i].phrase = phrase{kinds: 1 << frameWord}
		}
	}
}

// marginal is where "every extra crown" ends, which is no money but what a rate is of; i = none begins there.
func (s tokens) marginal(i int) int {
	k := i
	if s.text(k) != "every" && s.text(k) != "each" && s.text(k) != "any" {
		return i
	}
	if k++; k < len(s) && s[k].is("extra", "additional", "further", "more", "one") {
		k++
	}
	if k < len(s) && s[k].is("euro", "crown", "dollar", "pound", "penny", "cent", "coin", "franc", "krone", "yuan", "buck") {
		return k + 1
	}
	return i
}

// plans are words for what is compared.
var plans = append([]string{"case", "plan", "option", "proposal", "regime", "scenario", "variant", "alternative", "programme", "program",
	"version", "idea", "possibility", "design", "way", "road", "route", "model", "world", "country", "camp", "side", "scheme", "recipe",
	"remedy", "path", "experiment", "run", "arm", "setup", "setting", "approach"}, parts...)

// parts are words for what may be done together, too: "two measures".
var parts = []string{"thing", "measure", "change", "reform", "step", "policy", "part", "piece", "move"}

// countsPlans says whether the number from i up to end says how many things are compared, or which of them is meant.
func (s tokens) countsPlans(i, end int) bool {
	if i > 0 && s[i-1].is("plan", "option", "proposal", "variant", "scenario", "case", "version", "regime", "alternative", "design") {
		return true
	}
	for k := end; k < min(end+3, len(s)) && s[k].word && !links(s[k]); k++ {
		if s[k].is(plans...) && (s.text(k) != "run" || k > end) {
			return !s[end].is("step", "stage") && s[k].text != "step" && s[k].text != "steps"
		}
		if s[k].is("year", "month", "percent", "point", "time", "person", "people", "third", "quarter", "firm") {
			return false
		}
	}
	return false
}

// counted says whether "one" at i is a number, and not a word for something.
func (s tokens) counted(i int) bool {
	if _, _, sized := s.quantity(i + 2); sized && s.text(i+1) == "of" {
		return false // "or one of 5 percent"
	}
	if s.text(i-2) == "one" && (s.text(i-1) == "to" || s.text(i-1) == "for") {
		return false // "one to one"
	}
	if next := s.text(i + 1); i+1 < len(s) && s[i+1].word && !s[i+1].is("percent", "point", "year", "month", "quarter", "third", "fourth",
		"fifth",
		"tenth", "hundred", "thousand", "million", "in", "out", "of", "per", "cent", "percentage", "and", "or", "from", "by") && next != "" {
		return false // "than one introduced at once"
	}
	switch s.text(i - 1) {
	case "of", "than", "to", "from", "by", "not":
		return s.text(i-1) != "of" || s.text(i-2) == "instead" || s.text(i-2) == "place"
	}
	return false
}

// onWhat reads "a levy of 4 percent of revenue on polluters": what is taxed or subsidised stands behind the number.
func (r *english) onWhat() {
	for i := range r.items {
		if r.items[i].q == nil || i < 2 || i+1 >= len(r.items) || r.text(i-1) != "of" || !(r.items[i-2].levers != nil ||
			r.s[r.items[i-2].from].is("levy", "tax", "duty", "subsidy", "charge", "tariff", "surcharge", "grant", "fee")) {
			continue
		}
		switch r.s.text(r.items[i].to) {
		case "on", "for", "to":
		default:
			continue
		}
		head := r.items[i-2]
		joined := append(slices.Clone(r.s[head.from:head.to]), r.s[r.items[i].to:]...)
		p, end := englishTree().match(joined, 0)
		if p == nil || p.levers == nil || end <= head.to-head.from+1 {
			continue
		}
		last := r.items[i].to + end - (head.to - head.from)
		r.items[i-2].phrase, r.items[i-2].known = *p, true
		for k := i + 1; k < len(r.items) && r.items[k].to <= last; k++ {
			r.items[k].phrase, r.items[k].known, r.items[k].q = phrase{kinds: 1 << frameWord}, true, nil
			r.take(k, "what it is on")
		}
	}
}
