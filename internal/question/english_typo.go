package question

import (
	"strings"
	"sync"
)

// englishKnown are all words of the vocabulary.
var englishKnown = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	var walk func(b *branch)
	walk = func(b *branch) {
		for word, next := range b.next {
			known[word] = true
			walk(next)
		}
	}
	walk(englishTree())
	for _, words := range []map[string]float64{englishNumbers, englishOrdinals, englishParts, englishScales} {
		for word := range words {
			known[word] = true
		}
	}
	for word, base := range irregular {
		known[word], known[base] = true, true
	}
	for _, phrases := range [][][]string{
		pointPhrases, basisPhrases, percentPhrases, milPhrases, hundredPhrases, moneyPhrases, gdpPhrases, medianPhrases, meanPhrases,
		ofItself,
		lastingWords, overWords, startWords, onWords, laterWords, {{"year", "month", "quarter", "decade", "percentage", "point"}},
	} {
		for _, phrase := range phrases {
			for _, word := range phrase {
				known[word] = true
			}
		}
	}
	return known
})

// mendable are the words that a slip of the keyboard is mended to: those for levers and outcomes that
// are long enough to be told apart.
var mendable = sync.OnceValue(func() []string {
	var list []string
	seen := map[string]bool{}
	add := func(words string) {
		for phrase := range strings.SplitSeq(words, ",") {
			for _, t := range tokenize(strings.TrimLeft(strings.TrimSpace(phrase), "+-0!?")) {
				if t.word && len(t.text) >= 6 && !seen[t.text] {
					seen[t.text] = true
					list = append(list, t.text)
				}
			}
		}
	}
	for _, row := range englishPublicLevers[:26] {
		add(row.words)
	}
	for _, row := range englishOutcomes {
		add(row.words)
	}
	add("effect, percent, percentage, government, increase, decrease, reduce, minimum, interest, abolish, introduce, tariff, " +
		"retirement, contribution, innovation")
	return list
})

// nearestWord is the one word of the vocabulary that is one slip away from a word: a letter too many, too
// few, another one, or two in the wrong order; "" = none, or several.
func nearestWord(word string) string {
	found := ""
	for _, w := range mendable() {
		if w[0] != word[0] || len(w)-len(word) > 1 || len(word)-len(w) > 1 || !oneSlip(word, w) {
			continue
		}
		if found != "" && found != w {
			return ""
		}
		found = w
	}
	return found
}

func oneSlip(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	case len(a) != len(b) || a == "":
		return false
	}
	return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
