package question

import (
	"slices"
	"strings"
	"unicode"
)

// Candidate is a type that a question may have.
type Candidate struct {
	Type       Type
	Confidence float64 // 0 to 1
}

// Weights of what speaks for a type, and the evidence that a certain answer must outweigh.
const (
	leverWeight = 3.0
	topicWeight = 1.0
	doubt       = 1.0
)

// classify weighs what speaks for each type: the levers of a reading, by their types, and the topics
// that the text names. The best comes first; there is none where nothing speaks for any.
func classify(text string, levers []Type) []Candidate {
	weights := map[Type]float64{}
	for _, t := range levers {
		weights[t] += leverWeight
	}
	lower := strings.ToLower(text)
	for _, row := range typeTable {
		for _, topic := range row.topics {
			if names(lower, topic) {
				weights[row.name] += topicWeight
			}
		}
	}
	delete(weights, Other)
	sum := doubt
	for _, t := range Types() {
		sum += weights[t]
	}
	var list []Candidate
	for _, t := range Types() {
		if w := weights[t]; w > 0 {
			list = append(list, Candidate{t, w / sum})
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int {
		switch {
		case a.Confidence > b.Confidence+1e-12:
			return -1
		case b.Confidence > a.Confidence+1e-12:
			return 1
		}
		return 0
	})
	return list
}

// Describe says in a sentence or two what became of a question.
func (r Reading) Describe(language string) string {
	switch r.Status {
	case Ready:
		return r.Inquiry.ReadBack(language)
	case AskedBack:
		var asks []string
		for _, q := range r.Questions {
			asks = append(asks, q.Ask)
		}
		return strings.Join(asks, " ")
	}
	var why []string
	for _, l := range r.LeftOver {
		why = append(why, l.Why)
	}
	return either(language, "This is beyond the model: ", "超出本模型的范围：") + strings.Join(slices.Compact(why), "; ")
}

// names says whether a lower-case text has a phrase: whole words, plurals too, or characters that are
// written without blanks.
func names(text, phrase string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], phrase)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(phrase)
		if phrase[0] >= 0x80 {
			return true
		}
		rest := strings.TrimPrefix(text[to:], "s")
		before, after := lastRune(text[:from]), firstRune(rest)
		if !unicode.IsLetter(before) && (after >= 0x80 || !unicode.IsLetter(after)) {
			return true
		}
		at = to
	}
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func lastRune(s string) rune {
	list := []rune(s)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1]
}
