package selection

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word of a text: a stem, or a run of Chinese characters that the lexicon does
// not have.
type word struct {
	stem   string
	said   string // as it stood in the text
	proper bool   // a name: capitalised within a sentence, or in Latin letters among Chinese ones
}

// words splits a text into words: at spaces and signs, at the humps of camel case and the
// strokes of snake case; Chinese by the longest words that the lexicon has, and what lies
// between them in runs. What the lexicon reads as other words is replaced by those, and
// words that say nothing are left out.
func (l *lexicon) words(text string) []word {
	var tokens []word
	runes := []rune(text)
	start := true // of a sentence
	chinese := slices.ContainsFunc(runes, isHan)
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case isHan(r):
			end := i
			for end < len(runes) && isHan(runes[end]) {
				end++
			}
			tokens = append(tokens, l.segment(runes[i:end])...)
			i, start = end, false
		case isWordRune(r):
			end := endOfWord(runes, i)
			said := string(runes[i:end])
			lower := strings.ToLower(said)
			tokens = append(tokens, word{stem(lower), said, (chinese || !start && unicode.IsUpper(r) && lower != said) && strings.ToUpper(said) != said})
			i, start = end, false
		default:
			start = start || strings.ContainsRune(".!?:;\n。！？：；", r)
			i++
		}
	}
	return l.rewrite(tokens)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// endOfWord is where the Latin word that begins at i ends: before a hump (parseJSON,
// JSONFile), a change between letters and digits, or anything else.
func endOfWord(runes []rune, i int) int {
	end := i + 1
	for ; end < len(runes); end++ {
		before, r := runes[end-1], runes[end]
		inWord := isWordRune(r) && !isHan(r)
		plural := r == 's' && unicode.IsUpper(before) && (end+1 == len(runes) || !unicode.IsLetter(runes[end+1])) // PRs
		if plural {
			return end + 1
		}
		hump := unicode.IsUpper(r) && (unicode.IsLower(before) || end+1 < len(runes) && unicode.IsUpper(before) && unicode.IsLower(runes[end+1]) && !(runes[end+1] == 's' && (end+2 == len(runes) || !unicode.IsLetter(runes[end+2]))))
		if !inWord || hump || unicode.IsDigit(r) != unicode.IsDigit(before) {
			break
		}
	}
	return end
}

// segment cuts a run of Chinese characters into words of the lexicon, so that the fewest
// characters are left over, and of those cuts the one with the fewest words; the latter words
// are the longer ones where that leaves a choice. What the lexicon does not have stays together
// up to the next word that it has. What a word denies is left out with it ([lexicon.denies]).
func (l *lexicon) segment(run []rune) (list []word) {
	denied := 0 // words still to leave out
	take := func(text string) {
		switch {
		case l.denies[text]:
			denied = deniedWords
		case denied > 0 && !l.empty[text]:
			denied--
		default:
			list = append(list, word{stem: text, said: text})
		}
	}
	lengths := l.cut(run)
	unknown := 0 // where the run of unknown characters begins
	for i := 0; i < len(run); {
		n := lengths[i]
		if n == 0 {
			i++
			continue
		}
		if unknown < i {
			take(string(run[unknown:i]))
		}
		take(string(run[i : i+n]))
		i += n
		unknown = i
	}
	if unknown < len(run) {
		take(string(run[unknown:]))
	}
	return list
}

// deniedWords is how many words a denial reaches within its clause: what not to do, and to
// what.
const deniedWords = 2

// cut gives the length of the word that begins at each character of a run in the best cut; 0
// is a character that is in no word.
func (l *lexicon) cut(run []rune) []int {
	lengths := make([]int, len(run))
	over := make([]int, len(run)+1)  // characters left over from here on
	count := make([]int, len(run)+1) // words from here on
	for i := len(run) - 1; i >= 0; i-- {
		over[i], count[i] = over[i+1]+1, count[i+1]
		for n := 1; n <= min(l.longest, len(run)-i); n++ {
			o, c := over[i+n], count[i+n]+1
			if (o < over[i] || o == over[i] && c < count[i]) && l.chinese[string(run[i:i+n])] {
				lengths[i], over[i], count[i] = n, o, c
			}
		}
	}
	return lengths
}

// longestPhrase is how many words an alias of the lexicon has at most.
const longestPhrase = 4

// rewrite reads aliases as the words that they stand for, longest phrases first, and
// leaves out what says nothing.
func (l *lexicon) rewrite(tokens []word) (out []word) {
	for i := 0; i < len(tokens); {
		n := min(longestPhrase, len(tokens)-i)
		for ; n > 0; n-- {
			stems, said := make([]string, n), make([]string, n)
			for k, t := range tokens[i : i+n] {
				stems[k], said[k] = t.stem, t.said
			}
			if target, ok := l.alias[strings.Join(stems, " ")]; ok {
				for _, s := range target {
					out = append(out, word{stem: s, said: strings.Join(said, " ")})
				}
				break
			}
		}
		if n == 0 {
			if !l.empty[tokens[i].stem] {
				out = append(out, tokens[i])
			}
			n = 1
		}
		i += n
	}
	return out
}

// isChinese says whether a word is a run of Chinese characters.
func isChinese(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isHan(r)
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// bigrams are the pairs of neighbours in a run of Chinese characters; of a single one,
// itself.
func bigrams(s string) (list []string) {
	runes := []rune(s)
	if len(runes) < 2 {
		return []string{s}
	}
	for i := range len(runes) - 1 {
		list = append(list, string(runes[i:i+2]))
	}
	return list
}

// stem takes the endings from an English word in lower case, so that its forms meet: files
// and file, merging and merge, created, creation and create. It is no dictionary: forms
// that meet need not be words.
func stem(s string) string {
	if len(s) < 3 || isChinese(s) {
		return s
	}
	switch {
	case strings.HasSuffix(s, "ies"):
		s = s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"):
		s = s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") && !strings.HasSuffix(s, "is"):
		s = s[:len(s)-1]
	}
	if s == "setting" || s == "finding" { // things, not forms of set and find
		return s
	}
	for _, ending := range []string{"ing", "ed", "ion"} {
		root, ok := strings.CutSuffix(s, ending)
		if !ok || len(root) < 3 || !strings.ContainsAny(root, "aeiouy") {
			continue
		}
		last := root[len(root)-1]
		if ending == "ion" && last != 't' && last != 's' {
			break
		}
		if ending != "ion" && last == root[len(root)-2] && !strings.ContainsRune("lsz", rune(last)) {
			root = root[:len(root)-1]
		}
		s = root
		if before, ok := strings.CutSuffix(root, "i"); ok { // modified
			s = before + "y"
		}
		break
	}
	if root, ok := strings.CutSuffix(s, "ly"); ok && strings.HasSuffix(root, "e") { // recursively
		s = root
	}
	if len(s) > 3 {
		s = strings.TrimSuffix(s, "e")
	}
	return s
}
