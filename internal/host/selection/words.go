package selection

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

//go:embed words.txt
var wordList string

// vocabulary is what words.txt says.
type vocabulary struct {
	ignored  map[string]bool     // stems and Chinese words that tell nothing
	denies   map[string]bool     // what comes after one of these is not wanted
	synonyms map[string][]string // stem -> stems that stand in for it
	english  map[string][]string // Chinese word -> stems that it means
}

var theVocabulary = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{map[string]bool{}, map[string]bool{}, map[string][]string{}, map[string][]string{}}
	var set map[string]bool // nil where lines are meanings
	for line := range strings.Lines(wordList) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			set = map[string]map[string]bool{"[ignored]": v.ignored, "[not]": v.denies}[line]
			continue
		}
		meaning, chinese, _ := strings.Cut(line, "=")
		words := strings.Fields(meaning)
		for i, w := range words {
			if words[i] = stem(w); set != nil {
				set[words[i]] = true
			}
		}
		for _, w := range words {
			for _, other := range words {
				if set == nil && other != w && !slices.Contains(v.synonyms[w], other) {
					v.synonyms[w] = append(v.synonyms[w], other)
				}
			}
		}
		for _, w := range strings.Fields(chinese) {
			v.english[w] = append(v.english[w], words[0])
		}
	}
	return v
})

// longestChinese is how many characters a Chinese word of the vocabulary has at most.
const longestChinese = 6

func (v *vocabulary) has(chinese string) bool {
	return v.english[chinese] != nil || v.ignored[chinese] || v.denies[chinese]
}

// word is a word of a text.
type word struct {
	said   string
	stem   string // of an English word; a Chinese word as it is
	proper bool   // it looks like the name of something: capitalised within a sentence, or Latin among Chinese
	clause int    // in which part of the text, between signs, it stands
}

// split splits a text at spaces and signs, at the humps of camel case and the strokes of snake case,
// and between letters and digits; Chinese into words of the vocabulary and, of what lies between
// them, pairs of characters.
func (v *vocabulary) split(text string) (list []word) {
	runes := []rune(text)
	chinese, start, clause := slices.ContainsFunc(runes, isHan), true, 0
	for i := 0; i < len(runes); {
		r, end := runes[i], i+1
		switch {
		case isHan(r):
			for end < len(runes) && isHan(runes[end]) {
				end++
			}
			for _, w := range v.cut(runes[i:end]) {
				list = append(list, word{w, w, false, clause})
			}
			start = false
		case isWordRune(r):
			end = endOfWord(runes, i)
			said := string(runes[i:end])
			proper := chinese || !start && unicode.IsUpper(r)
			list = append(list, word{said, stem(said), proper, clause})
			start = false
		case r == '\'' && i > 0 && end < len(runes) && isWordRune(runes[i-1]) && isWordRune(runes[end]): // don't
			if before := &list[len(list)-1]; runes[end] == 't' {
				before.said, before.stem = before.said+"'t", stem(before.said+"'t")
				end++
			}
		case !unicode.IsSpace(r) && r != '_' && r != '-' && r != '/':
			start = start || strings.ContainsRune(".!?:;。！？：；", r)
			clause++
		}
		i = end
	}
	return list
}

// cut cuts a run of Chinese characters into words of the vocabulary so that the fewest characters are
// left over, and of those cuts the one with the fewest words; what is left over comes in pairs.
func (v *vocabulary) cut(run []rune) (list []string) {
	length := make([]int, len(run))
	cost := make([]int, len(run)+1) // of the best cut from here on
	for i := len(run) - 1; i >= 0; i-- {
		cost[i] = cost[i+1] + len(run) + 1
		for n := 1; n <= min(longestChinese, len(run)-i); n++ {
			if c := cost[i+n] + 1; c < cost[i] && v.has(string(run[i:i+n])) {
				length[i], cost[i] = n, c
			}
		}
	}
	for i := 0; i < len(run); i += max(length[i], 1) {
		switch {
		case length[i] > 0:
			list = append(list, string(run[i:i+length[i]]))
		case i+1 < len(run) && length[i+1] == 0:
			list = append(list, string(run[i:i+2]))
		case i == 0 || length[i-1] > 0:
			list = append(list, string(run[i:i+1]))
		}
	}
	return list
}

// endOfWord is where the word that begins at i ends: before a hump (parseJSON, JSONFile), a change
// between letters and digits, or anything else.
func endOfWord(runes []rune, i int) int {
	end := i + 1
	for ; end < len(runes); end++ {
		before, r := runes[end-1], runes[end]
		hump := unicode.IsUpper(r) && (unicode.IsLower(before) ||
			unicode.IsUpper(before) && end+2 < len(runes) && unicode.IsLower(runes[end+1]) && unicode.IsLower(runes[end+2]))
		if !isWordRune(r) || isHan(r) || hump || unicode.IsDigit(r) != unicode.IsDigit(before) {
			break
		}
	}
	return end
}

// longestWord is how many bytes a word has at most whose forms are looked at.
const longestWord = 40

// stem reduces an English word to its stem, by Porter's second algorithm.
func stem(word string) string {
	word = strings.ToLower(word)
	if isChinese(word) || len(word) > longestWord {
		return word
	}
	return english.Stem(word, true)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// isChinese says whether a word is one of Chinese characters.
func isChinese(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isHan(r)
}
