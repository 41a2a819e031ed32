package selection

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed lexicon.txt
var lexiconText string

//go:embed lexicon_zh.txt
var lexiconChinese string

// lexicon is what the ranker knows of words.
type lexicon struct {
	alias   map[string][]string // phrase of stems, "phrase in one form" or Chinese word -> stems that it is read as
	mates   map[string][]string // stem -> near-synonyms
	empty   map[string]bool     // stems that say nothing
	strict  map[string]bool     // actions that no other can stand in for
	verbs   map[string]bool     // stems that say what to do, not to what
	denies  map[string]bool     // phrases, as they are said, that begin what is not to be done
	chinese map[string]bool     // words that a run of Chinese characters is cut into
	longest int                 // of those, in characters
}

// theLexicon is the embedded one.
var theLexicon = sync.OnceValue(func() *lexicon { return readLexicon(lexiconText + "[nouns]\n" + lexiconChinese) })

// readLexicon reads the lines that lexicon.txt and lexicon_zh.txt explain.
func readLexicon(text string) *lexicon {
	l := &lexicon{map[string][]string{}, map[string][]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, 0}
	verbs := false
	take := func(words string) []string {
		list := stems(words)
		for _, w := range list {
			if verbs {
				l.verbs[w] = true
			}
		}
		return list
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch words, aliases, isAlias := strings.Cut(line, ":"); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			verbs = line == "[verbs]"
		case line[0] == '-':
			for _, w := range strings.Fields(line[1:]) {
				l.empty[stem(w)] = true
				l.know(w)
			}
		case line[0] == '^':
			for phrase := range strings.SplitSeq(line[1:], ",") {
				phrase = strings.TrimSpace(phrase)
				l.denies[phrase] = true
				l.know(phrase)
			}
		case line[0] == '!':
			for _, w := range stems(line[1:]) {
				l.strict[w], l.verbs[w] = true, true
			}
		case line[0] == '~':
			group := take(line[1:])
			for _, a := range group {
				for _, b := range group {
					if a != b {
						l.mates[a] = append(l.mates[a], b)
					}
				}
			}
		case isAlias:
			target := take(words)
			for alias := range strings.SplitSeq(aliases, ",") {
				alias = strings.ToLower(strings.TrimSpace(alias))
				if strings.HasPrefix(alias, `"`) { // in just this form
					l.alias[alias] = target
					continue
				}
				l.alias[strings.Join(stems(alias), " ")] = target
				l.know(alias)
			}
		}
	}
	return l
}

// know makes a Chinese word one that runs are cut into.
func (l *lexicon) know(w string) {
	if isChinese(w) {
		l.chinese[w] = true
		l.longest = max(l.longest, utf8.RuneCountInString(w))
	}
}

// hasAll says whether all words are verbs or words that say nothing.
func (l *lexicon) hasAll(words []string) bool {
	for _, w := range words {
		if s := stem(strings.ToLower(w)); !l.empty[s] && !l.verbs[s] {
			return false
		}
	}
	return true
}

func stems(text string) []string {
	list := strings.Fields(text)
	for i, w := range list {
		list[i] = stem(w)
	}
	return list
}
