package question

import (
	"slices"
	"strings"
	"testing"
)

// The forms of a question that the grammar of English reads, by the sense that it takes from them.
func TestEnglishForms(t *testing.T) {
	for _, form := range englishForms {
		if got := readEnglish(form.question).String(); got != form.sense {
			t.Errorf("%s\n got %s\nwant %s", form.question, got, form.sense)
		}
	}
}

// What the grammar does not understand beside what happens stops the reading.
func TestEnglishStops(t *testing.T) {
	for _, question := range englishStops {
		s := readEnglish(question)
		stops := len(s.foreign) > 0
		for _, m := range s.marks {
			stops = stops || m.kind.stops()
		}
		if !stops {
			t.Errorf("%s: nothing stops %s", question, s)
		}
	}
}

// Every word that a lever is named by leads to it, whatever else stands in the vocabulary.
func TestEnglishVocabulary(t *testing.T) {
	for _, rows := range [][]leverWords{englishPublicLevers, englishMarketLevers} {
		for _, row := range rows {
			if strings.Contains(row.levers, ",") || row.levers == publicSpending {
				continue
			}
			l, _ := leverOf(row.levers)
			first := slices.IndexFunc(strings.Split(row.words, ","),
				func(w string) bool { return !strings.HasPrefix(strings.TrimSpace(w), "?") })
			named := strings.TrimLeft(strings.TrimSpace(strings.Split(row.words, ",")[first]), "+-0!")
			s := readEnglish("What about " + named + "?")
			found := len(s.held) > 0 || len(s.outcomes) > 0
			for _, a := range s.arms {
				for _, h := range a.happens {
					found = found || h.levers[0] == l.id
				}
			}
			if !found {
				t.Errorf("%s: %q is read as %s", l.id, named, s)
			}
		}
	}
}

// Every concept of a composition has words, and the lever that it makes exists.
func TestEnglishCompositions(t *testing.T) {
	words := map[string]bool{}
	for _, row := range englishConcepts {
		words[row.name] = true
	}
	used := map[string]bool{}
	for _, c := range compositions() {
		if _, ok := leverOf(c.levers[0]); !ok {
			t.Errorf("no lever %s", c.levers[0])
		}
		for _, name := range c.concepts {
			used[name] = true
			if !words[name] {
				t.Errorf("%s: concept %s has no words", c.levers[0], name)
			}
		}
	}
	for name := range words {
		if !used[name] {
			t.Errorf("nothing is made of concept %s", name)
		}
	}
}

func TestEnglishNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"8%": "8%", "twenty-five percent": "25%", "two points": "2pp", "25 basis points": "0.25pp", "a percentage point": "1pp",
		"half a percentage point": "0.5pp", "half a percent": "0.5%", "three quarters of a point": "0.75pp", "a third": "part 0.333333",
		"two thirds": "part 0.666667", "one in ten": "part 0.1", "3 in a thousand": "part 0.003", "1,500": "1500",
		"$300 a month":           "300money per 1m",
		"two and a half percent": "2.5%", "5 percent of GDP": "5% of GDP", "half of the median wage": "part 0.5 of median",
		"fifteen percent of the average wage": "15% of mean", "two years": "24m", "a hundred and twenty euros": "120money", "-3%": "-3%",
		"three times": "3x", "2 percent a year": "2% per 12m", "30k": "30000", "2/3": "part 0.666667",
	} {
		s := tokens(tokenize(text))
		q, end, ok := s.quantity(0)
		if !ok || end != len(s) || q.String() != want {
			t.Errorf("%s: %v %s, to %d of %d", text, ok, q, end, len(s))
		}
	}
}

func TestEnglishTimes(t *testing.T) {
	for text, want := range map[string]timing{
		"for two years": {last: 24}, "for the next eighteen months only": {last: 18}, "from month 13 on": {begin: 13, onward: true},
		"after the first year": {begin: 13}, "after half a year": {begin: 7}, "two years from now": {begin: 25},
		"in month 6":   {begin: 6, onward: true, point: true},
		"ten years on": {over: 120, ahead: 120}, "in year 2 and year 3": {begin: 13, until: 37, onward: true},
		"from year three": {begin: 25, onward: true}, "until the end of year 2": {until: 25}, "over ten years": {over: 120},
		"over the next five years": {over: 60, ahead: 60}, "from month 4 to month 9": {begin: 4, until: 10, onward: true},
		"starting in the third year": {begin: 25, onward: true}, "in three years' time": {begin: 37}, "for a year and a half": {last: 18},
	} {
		s := tokens(tokenize(text))
		got, end, ok := s.timing(0)
		if !ok || end != len(s) || got != want {
			t.Errorf("%s: %v %+v, to %d of %d", text, ok, got, end, len(s))
		}
	}
}
