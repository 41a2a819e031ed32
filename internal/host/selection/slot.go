package selection

import (
	"regexp"
	"slices"
	"strings"
)

// Words in the names of arguments that say what they take.
var (
	pathWords       = stemSet("path file filename filepath dir directory folder source destination src dst")
	patternWords    = stemSet("pattern glob include exclude query")
	repositoryWords = stemSet("owner repo repository slug")
	branchWords     = stemSet("branch head base ref")
	proseWords      = stemSet("cursor content body question message note description comment")
	questionWords   = stemSet("question query q prompt text body content message title comment note")
	searchWords     = stemSet("q query search keyword")
	urlWords        = stemSet("url uri link href endpoint")
	numberWords     = stemSet("id no number")
	nameWords       = stemSet("name id key slug login user parameter metric indicator column field branch head base ref tag label title")
	valueWords      = stemSet("value val")
	spanWords       = stemSet("from to start end since until begin first last")
)

func stemSet(text string) map[string]bool {
	set := make(map[string]bool)
	for _, s := range stems(text) {
		set[s] = true
	}
	return set
}

// slot is an argument with what it can take.
type slot struct {
	argument
	nameStems    []string
	words        []string // of its name and description
	choiceWords  []string
	inRepository bool // another argument says in which
}

func newSlot(a argument, l *lexicon) slot {
	s := slot{argument: a}
	for _, w := range l.split(a.name) {
		s.nameStems = append(s.nameStems, w.stem)
	}
	for _, w := range l.words(a.name + "\n" + a.description) {
		s.words = append(s.words, w.stem)
	}
	for _, w := range l.words(strings.Join(a.choices, "\n")) {
		s.choiceWords = append(s.choiceWords, w.stem)
	}
	return s
}

func (s slot) about(set map[string]bool) bool {
	return slices.ContainsFunc(s.nameStems, func(w string) bool { return set[w] })
}

// takesMany says whether one argument can hold several literals.
func (s slot) takesMany() bool { return s.is("array", "object") }

// isOpen says whether the argument is an object of names that the schema does not list.
func (s slot) isOpen() bool { return s.is("object") && len(s.fields) == 0 }

// isName says whether the argument is called the name or the number of something.
func (s slot) isName() bool {
	return len(s.nameStems) > 1 && slices.Contains([]string{"nam", "id"}, s.nameStems[len(s.nameStems)-1])
}

// How well an argument takes a literal.
const (
	well    = 1.0
	loosely = 0.5 // an argument that need not be given, or that is not called a name
)

// takes says how well a literal can be a value of the argument, or a part of it, from 0 to
// 1. A number goes into an argument that need not be given only where the request speaks of
// it.
func (s slot) takes(l literal, said []string) float64 {
	text := len(s.types) == 0 || s.is("string") || s.is("array") && (s.items == "string" || s.items == "")
	number := s.is("number", "integer")
	if l.kind != anObject && len(s.choices) > 0 && text {
		return when(slices.Contains(s.choices, l.text), well)
	}
	switch l.kind {
	case aNumber:
		if number = number || s.is("array") && (s.items == "number" || s.items == "integer"); number {
			return when(s.required || share(s.words, said), well)
		}
		return when(text && s.required && s.about(numberWords), well)
	case aMonth:
		return when(number && slices.Contains(s.nameStems, "month") && !months.MatchString(s.name), well)
	case aSpan:
		return when(number && months.MatchString(s.name+" "+s.description), well)
	case aWindow:
		return when(s.is("array") && s.items == "integer" && slices.Contains(s.words, "month") || number && slices.Contains(s.nameStems, "month") && s.about(spanWords), well)
	case aPath:
		return when((text || s.is("array")) && s.about(pathWords) && !(s.inRepository && isAbsolute(l.text)), well)
	case aPattern:
		return when(text && s.about(patternWords), well)
	case aRepository:
		return when(text && s.about(repositoryWords), well)
	case aBranch:
		return when(text && s.about(branchWords), well)
	case aURL:
		return when(text && s.about(urlWords), well)
	case anObject:
		if text {
			return when(s.about(proseWords), loosely)
		}
		return when(s.is("object") || s.is("array") && s.items == "object", well)
	case anAssignment:
		if s.isOpen() {
			return when(true, s.prefer())
		}
		if s.is("object") {
			return loosely
		}
		return when(s.required && s.about(valueWords), well)
	case aQuestion:
		return when(text && s.about(questionWords), well)
	case anIdentifier:
		switch {
		case !text || s.about(proseWords) || s.about(pathWords) || s.about(repositoryWords):
			return 0
		case s.about(nameWords) && (s.required || s.takesMany()), s.isName():
			return well
		}
		return loosely
	}
	return when(text && !s.about(pathWords) && !s.about(repositoryWords), s.prefer())
}

// prefer is well for an argument that has to be given.
func (s slot) prefer() float64 {
	if s.required {
		return well
	}
	return loosely
}

func when(holds bool, value float64) float64 {
	if holds {
		return value
	}
	return 0
}

var months = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:months|years)(?:[^a-z]|$)`)

// isAbsolute says whether a path begins at a root, as no path in a repository does.
func isAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || len(path) > 1 && path[1] == ':'
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// fit says how well the literals of a request and the arguments of a tool meet: which share
// of the literals finds an argument, and which share of the required arguments a literal,
// or a choice of which the request says a word.
// A tool without required arguments misses none, as a request without literals offers none.
func fit(found []literal, said []string, slots []slot) (taken, filled float64, pairs []string) {
	full := make([]int, len(slots)) // literals
	used, all := 0.0, 0.0
	for _, l := range found {
		all += l.kind.counts()
		best := 0.0
		for best < well {
			at, value := -1, best
			for i, s := range slots {
				if full[i] > 0 && !s.takesMany() {
					continue
				}
				if v := s.takes(l, said); v > value {
					at, value = i, v
				}
			}
			if at < 0 {
				break
			}
			if full[at] == 0 {
				pairs = append(pairs, slots[at].name+"="+l.text)
			}
			full[at]++
			best = value
		}
		used += l.kind.counts() * best
	}
	needed, got := 0.0, 0.0
	for i, s := range slots {
		if s.required {
			needed++
			switch {
			case full[i] == 1 && s.is("array"):
				got += oneOfMany
			case full[i] > 0 || share(s.choiceWords, said):
				got++
			}
		}
	}
	taken, filled = 1, 1
	if all > 0 {
		taken = used / all
	}
	if needed > 0 {
		filled = got / needed
	}
	return taken, filled, pairs
}

// oneOfMany is how well a single literal fills an argument that is for several.
const oneOfMany = 0.5

// counts is how much a literal of a kind says.
func (k kind) counts() float64 {
	if k.isDefinite() {
		return 2
	}
	return 1
}
