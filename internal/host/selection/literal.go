package selection

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// kind is what a literal in a request looks like.
type kind int

const (
	aNumber      kind = iota
	aMonth            // a number of a month, or of months
	aPath             // a file or a directory
	aPattern          // of paths: *.csv
	aRepository       // owner/repository
	aText             // quoted
	aQuestion         // a quoted question
	anIdentifier      // ai_jobs, run7, fix-1
	anObject          // {"a": 1} or a=1
	aURL
)

// isDefinite says whether the look of a literal tells what a request is about.
func (k kind) isDefinite() bool {
	return k == aPath || k == aPattern || k == aRepository || k == anObject || k == aURL
}

// literal is a part of a request that can be the value of an argument.
type literal struct {
	kind kind
	text string
}

// literalForms are tried in this order; what one takes is not seen by the next. The first
// group, where there is one, is the literal.
var literalForms = []struct {
	kind kind
	form *regexp.Regexp
}{
	{anObject, regexp.MustCompile(`\{[^{}]*\}`)},
	{aText, regexp.MustCompile("[“\"「『]([^”\"」』]+)[”\"」』]|`([^`]+)`|(?:^|[\\s(])'([^']+)'")},
	{aURL, regexp.MustCompile(`https?://[^\s\p{Han}，。、；]+`)},
	{anObject, regexp.MustCompile(`[A-Za-z_][\w.]*\s*=\s*[\w.+-]+`)},
	{aPattern, regexp.MustCompile(`[\w./~-]*\*[\w./*-]*`)},
	{aPath, regexp.MustCompile(`(?:^|[^\w.~:/-])((?:[A-Za-z]:[\\/]|~/|\.{0,2}/)[^\s\p{Han}，。、；：]*)`)},
	{aPath, regexp.MustCompile(`[\w-]+(?:/[\w.-]+){2,}|[\w-]+(?:/[\w-]+)?\.[A-Za-z][A-Za-z0-9]{0,4}\b`)},
	{aRepository, regexp.MustCompile(`[A-Za-z0-9][\w-]*/[\w-]+`)},
	{anIdentifier, regexp.MustCompile(`\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Za-z]+-?[0-9]+[A-Za-z0-9-]*`)},
	{aMonth, regexp.MustCompile(`(?i)\bmonths?\s+(\d+)|(\d+)\s*-?\s*months?\b|(\d+)\s*个?月`)},
	{aNumber, regexp.MustCompile(`[+-]?\d+(?:\.\d+)?`)},
}

// takeLiterals separates the literals of a request from its words. The word month stays
// with the words: it says what is asked for.
func takeLiterals(request string) (rest string, found []literal) {
	for _, f := range literalForms {
		var out strings.Builder
		last := 0
		for _, at := range f.form.FindAllStringSubmatchIndex(request, -1) {
			from, to := at[0], at[1]
			for g := 2; g < len(at); g += 2 {
				if at[g] >= 0 {
					from, to = at[g], at[g+1]
				}
			}
			text := strings.Trim(request[from:to], ".,;:!?)(")
			if strings.Trim(text, "/-. ") == "" {
				continue // a sign between words
			}
			kind := f.kind
			if kind == aRepository && theLexicon().hasAll(strings.Split(text, "/")) {
				continue // and/or
			}
			if kind == aText && isQuestion(request[from:to]) {
				kind = aQuestion
			}
			found = append(found, literal{kind, text})
			out.WriteString(request[last:from] + " ")
			last = to
		}
		request = out.String() + request[last:]
	}
	return request, found
}

// topicMark is what stands before the subject of a search: what follows is a value too.
var topicMark = regexp.MustCompile(`(?i)\b(?:about|regarding|concerning|mentioning|containing)\s|关于|有关|包含`)

// splitTopic separates what a request says from what it is to be about.
func splitTopic(rest string) (request, topic string) {
	if at := topicMark.FindStringIndex(rest); at != nil {
		return rest[:at[0]], rest[at[1]:]
	}
	return rest, ""
}

// implied are the words that literals say by what they look like.
func implied(found []literal) string {
	var words []string
	files := 0
	for _, l := range found {
		switch ending := strings.ToLower(path.Ext(l.text)); {
		case l.kind == aPath && slices.Contains(imageEndings, ending):
			words = append(words, "image")
		case l.kind == aPath && ending != "", l.kind == aPattern:
			words = append(words, "file")
			files++
		case l.kind == aPath && ending == "":
			words = append(words, "directory")
		case l.kind == aRepository:
			words = append(words, "repository")
		case l.kind == aQuestion:
			words = append(words, "question")
		}
	}
	if files > 1 {
		words = append(words, "multiple")
	}
	return strings.Join(words, " ")
}

var imageEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff"}

// Words in the names of arguments that say what they take.
var (
	pathWords       = stemSet("path file filename filepath dir directory folder source destination src dst")
	patternWords    = stemSet("pattern glob include exclude query")
	repositoryWords = stemSet("owner repo repository slug")
	proseWords      = stemSet("cursor content body question message note description comment")
	questionWords   = stemSet("question query q prompt text body content message title comment note")
	searchWords     = stemSet("q query search keyword")
	urlWords        = stemSet("url uri link href endpoint")
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
	nameStems   []string
	words       []string // of its name and description
	choiceWords []string
}

func newSlot(a argument, l *lexicon) slot {
	s := slot{argument: a}
	for _, t := range latinWords(a.name) {
		s.nameStems = append(s.nameStems, stem(t))
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

// takes says whether a literal can be a value of the argument, or a part of it. A number
// goes into an argument that need not be given only where the request speaks of it.
func (s slot) takes(l literal, said []string) bool {
	text := len(s.types) == 0 || s.is("string") || s.is("array") && (s.items == "string" || s.items == "")
	switch l.kind {
	case aNumber:
		number := s.is("number", "integer") || s.is("array") && (s.items == "number" || s.items == "integer")
		return number && (s.required || share(s.words, said))
	case aMonth:
		return s.is("number", "integer") && slices.Contains(s.nameStems, "month")
	case aPath:
		return (text || s.is("array")) && s.about(pathWords)
	case aPattern:
		return text && s.about(patternWords)
	case aRepository:
		return text && s.about(repositoryWords)
	case aURL:
		return text && s.about(urlWords)
	case anObject:
		return s.is("object") || s.is("array") && s.items == "object"
	case anIdentifier:
		if len(s.choices) > 0 {
			return slices.Contains(s.choices, l.text)
		}
		if s.about(proseWords) {
			return false
		}
	case aQuestion:
		return text && s.about(questionWords)
	case aText:
		if len(s.choices) > 0 {
			return false
		}
	}
	return text && !s.about(pathWords) && !s.about(repositoryWords)
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// fit says how well the literals of a request and the arguments of a tool meet: which share
// of the literals finds an argument, and which share of the required arguments a literal,
// or a choice of which the request says a word.
// A tool without required arguments misses none, as a request without literals offers none.
func fit(found []literal, said []string, slots []slot) (taken, filled float64, pairs []string) {
	full := make([]bool, len(slots))
	used, needed, got := 0, 0, 0
	for _, l := range found {
		ok := false
		for i, s := range slots {
			if full[i] && !s.takesMany() || !s.takes(l, said) {
				continue
			}
			if !full[i] {
				pairs = append(pairs, s.name+"="+l.text)
			}
			full[i], ok = true, true
			if l.kind != aRepository { // which is an owner and a name
				break
			}
		}
		if ok {
			used++
		}
	}
	for i, s := range slots {
		if s.required {
			needed++
			if full[i] || share(s.choiceWords, said) {
				got++
			}
		}
	}
	taken, filled = 1, 1
	if len(found) > 0 {
		taken = float64(used) / float64(len(found))
	}
	if needed > 0 {
		filled = float64(got) / float64(needed)
	}
	return taken, filled, pairs
}

// latinWords splits a name at signs and humps, in lower case.
func latinWords(name string) (list []string) {
	runes := []rune(name)
	for i := 0; i < len(runes); {
		if !isWordRune(runes[i]) {
			i++
			continue
		}
		end := endOfWord(runes, i)
		list = append(list, strings.ToLower(string(runes[i:end])))
		i = end
	}
	return list
}
