package question

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"econ-mcp/sim"
)

// wordKind is what a word does in a sentence.
type wordKind int

const (
	ifWord wordKind = iota
	whenWord
	wheneverWord
	untilWord
	orWord
	thanWord
	insteadWord
	andWord
	notWord
	nobodyWord
	withoutWord
	effectWord
	compareWord
	gradualWord
	smallWord
	largeWord
	onceWord
	foreverWord
	nowWord
	brieflyWord
	financeWord
	onCreditWord
	thenWord
	sameTimeWord
	inWord
	boundWord
	onlyWord
	aboveWord
	belowWord
	partWord  // what is meant is a part of the lever
	frameWord // of questions and politeness: says nothing about the experiment
)

// phrase is what some words may stand for; the words around them say which of it.
type phrase struct {
	levers  []string
	implies rune // direction that the words say themselves: + - 0 (the end of it), or none
	inverse bool // their rise is the lever's fall
	soft    bool // the lever is meant only where nothing else is

	outcome   bool
	indicator sim.Indicator
	change    change
	place     string
	group     bool
	payee     string // group that money can be paid to
	people    string // group of an outcome
	industry  string
	foreign   string   // why it is none of this economy
	concepts  []string // see englishConcepts
	kinds     uint64
}

// mark sets what the marks before a phrase say, see leverWords.
func (p *phrase) mark(marks string) {
	for _, m := range marks {
		switch m {
		case '+', '-', '0':
			p.implies = m
		case '!':
			p.inverse = true
		case '?':
			p.soft = true
		}
	}
}

func (p *phrase) is(kinds ...wordKind) bool {
	if p == nil {
		return false
	}
	for _, k := range kinds {
		if p.kinds&(1<<k) != 0 {
			return true
		}
	}
	return false
}

// branch is a place in the tree of phrases: a word an edge.
type branch struct {
	next  map[string]*branch
	inner bool // it is not the root
	*phrase
}

// englishTree holds all phrases. It is made when the first question is read.
var englishTree = sync.OnceValue(func() *branch {
	root := &branch{}
	for _, row := range slices.Concat(englishPublicLevers, englishMarketLevers) {
		ids := strings.Split(row.levers, ",")
		for _, id := range ids {
			if _, ok := leverOf(id); !ok && id != publicSpending {
				panic(fmt.Sprintf("no lever %s", id)) // a mistake in the table, found by the first test
			}
		}
		root.addAll(row.words, func(p *phrase, marks string) {
			if p.levers != nil {
				return // what stands first wins
			}
			p.levers = ids
			p.mark(marks)
		})
	}
	for _, l := range levers {
		if strings.Contains(l.name(), "_") && l.of == "" {
			root.addAll(l.id+","+strings.ReplaceAll(l.id, "_", " "), func(p *phrase, _ string) {
				if p.levers == nil {
					p.levers = []string{l.id}
				}
			})
		}
	}
	for _, row := range englishOutcomes {
		words := row.words
		if row.indicator != sim.FirmCount { // "firms" is a word of its own
			words = row.indicator.String() + "," + words
		}
		root.addAll(words, func(p *phrase, _ string) {
			if !p.outcome {
				p.outcome, p.indicator = true, row.indicator
			}
		})
	}
	for _, row := range englishChanges {
		root.addAll(row.words, func(p *phrase, _ string) {
			if p.change == noChange {
				p.change = row.change
			}
		})
	}
	for _, row := range englishPlaces {
		root.addAll(row.words, func(p *phrase, _ string) { p.place = row.place })
	}
	for _, row := range englishGroups {
		root.addAll(row.words, func(p *phrase, _ string) {
			if !p.group {
				p.group, p.payee, p.people = true, row.payee, row.outcome
			}
		})
	}
	for _, row := range englishIndustries {
		root.addAll(row.words, func(p *phrase, _ string) {
			if p.industry == "" {
				p.industry = row.code
			}
		})
	}
	for _, row := range englishFunctions {
		root.addAll(row.words, func(p *phrase, _ string) { p.kinds |= 1 << row.kind })
	}
	root.addAll(englishFrames, func(p *phrase, _ string) { p.kinds |= 1 << frameWord })
	for _, row := range englishForeign {
		root.addAll(row.words, func(p *phrase, _ string) { p.foreign = row.why })
	}
	return root
})

// addAll adds phrases that are parted by commas, with the marks before them.
func (b *branch) addAll(words string, set func(p *phrase, marks string)) {
	for text := range strings.SplitSeq(words, ",") {
		text = strings.TrimSpace(text)
		bare := strings.TrimLeft(text, "+-0!?")
		marks := text[:len(text)-len(bare)]
		at := b
		for _, t := range tokenize(bare) {
			if t.text == "-" {
				continue
			}
			if at.next == nil {
				at.next = map[string]*branch{}
			}
			if at.next[t.text] == nil {
				at.next[t.text] = &branch{inner: true}
			}
			at = at.next[t.text]
		}
		if at == b {
			continue
		}
		if at.phrase == nil {
			at.phrase = &phrase{}
		}
		set(at.phrase, marks)
	}
}

// articles may stand between two words of a phrase.
var articles = map[string]bool{"the": true, "a": true, "an": true, "our": true, "their": true, "its": true, "all": true, "his": true,
	"your": true, "these": true}

// passing are adverbs that may stand between two words of a phrase: "the state then buys".
var passing = map[string]bool{"also": true, "suddenly": true, "simply": true, "really": true, "actually": true, "now": true,
	"still":     true,
	"therefore": true, "again": true, "always": true, "often": true, "thus": true, "ever": true, "together": true}

// match is the longest phrase that begins at i; nil = none.
func (b *branch) match(s tokens, i int) (p *phrase, end int) {
	if b.phrase != nil {
		p, end = b.phrase, i
	}
	if i >= len(s) || b.next == nil {
		return p, end
	}
	try := func(next *branch, at int) {
		if next != nil {
			if longer, to := next.match(s, at); longer != nil && to > end {
				p, end = longer, to
			}
		}
	}
	if s[i].word {
		for _, form := range forms(s[i].text) {
			try(b.next[form], i+1)
		}
	} else {
		try(b.next[s[i].text], i+1)
	}
	if b.inner && end <= i && (s[i].text == "-" || (articles[s[i].text] || passing[s[i].text]) && i > 0) {
		if longer, to := b.match(s, i+1); longer != nil && to > i+1 {
			p, end = longer, to
		}
	}
	return p, end
}
