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
	clause bool   // it begins one, or a run of Chinese characters
}

// words are those of a text that tell something: what the lexicon reads as other words is
// replaced by those; words that say nothing are left out, and so is what is not to be done.
func (l *lexicon) words(text string) []word {
	return l.rewrite(withoutContractions(l.split(text)))
}

// split splits a text into words: at spaces and signs, at the humps of camel case and the
// strokes of snake case; Chinese into words that the lexicon has, and what lies between them.
func (l *lexicon) split(text string) (tokens []word) {
	runes := []rune(text)
	start, clause := true, true // of a sentence, of a part of it
	chinese := slices.ContainsFunc(runes, isHan)
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case isHan(r):
			end := i
			for end < len(runes) && isHan(runes[end]) {
				end++
			}
			tokens = append(tokens, l.segment(runes[i:end])...)
			i, start, clause = end, false, false
		case isWordRune(r):
			end := endOfWord(runes, i)
			said := string(runes[i:end])
			lower := strings.ToLower(said)
			tokens = append(tokens, word{stem(lower), said, (chinese || !start && unicode.IsUpper(r) && lower != said) && strings.ToUpper(said) != said, clause})
			i, start, clause = end, false, false
		default:
			start = start || strings.ContainsRune(".!?:;\n。！？：；", r)
			clause = clause || start || strings.ContainsRune(",，()", r)
			i++
		}
	}
	return tokens
}

// withoutContractions reads "what's" as "what is": with a word of asking, the s is no
// possession.
func withoutContractions(tokens []word) []word {
	for i := range tokens[min(1, len(tokens)):] {
		before, w := strings.ToLower(tokens[i].said), &tokens[i+1]
		if w.said == "s" && slices.Contains([]string{"what", "where", "who", "when", "how", "which", "there"}, before) {
			w.stem, w.said = "is", "is"
		}
	}
	return tokens
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
// up to the next word that it has.
func (l *lexicon) segment(run []rune) (list []word) {
	take := func(text string) {
		list = append(list, word{stem: text, said: text, clause: list == nil})
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
// leaves out what says nothing and what is not to be done.
func (l *lexicon) rewrite(tokens []word) (out []word) {
	for i := 0; i < len(tokens); {
		if n := l.unwanted(tokens[i:]); n > 0 {
			i += n
			continue
		}
		n := min(longestPhrase, len(tokens)-i)
		for ; n > 0; n-- {
			if target, said, ok := l.read(tokens[i : i+n]); ok {
				for _, s := range target {
					out = append(out, word{stem: s, said: said})
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

// read is what a phrase stands for. An alias in quotes stands for words in just that form,
// the others for words in any.
func (l *lexicon) read(phrase []word) (target []string, said string, ok bool) {
	forms, stems := make([]string, len(phrase)), make([]string, len(phrase))
	for k, t := range phrase {
		forms[k], stems[k] = t.said, t.stem
	}
	said = strings.Join(forms, " ")
	if target, ok = l.alias[quoted(strings.ToLower(said))]; !ok {
		target, ok = l.alias[strings.Join(stems, " ")]
	}
	return target, said, ok
}

func quoted(form string) string { return `"` + form + `"` }

// How many words are looked at for what is not to be done: of English ones, and of Chinese
// ones, which are what not to do, and to what.
const (
	longestDenial = 16
	deniedWords   = 2
)

// unwanted is how many words say what is not to be done, or will be done without help: "do
// not save it", "without running anything", "I'll continue later", 不要保存. One that denies
// begins them. In English, a verb behind it in the same clause follows, and those that "or"
// joins to that; "why don't you" is no such thing. In Chinese, which does not tell verbs by
// their place, the next words do.
func (l *lexicon) unwanted(tokens []word) (end int) {
	from := l.denial(tokens)
	if from == 0 {
		return 0
	}
	if isChinese(tokens[0].stem) {
		end = from
		for left := deniedWords; left > 0 && end < len(tokens) && !tokens[end].clause && l.denial(tokens[end:]) == 0; end++ {
			if !l.empty[tokens[end].stem] {
				left--
			}
		}
		return end
	}
	for i := from; i < min(longestDenial, len(tokens)) && !tokens[i].clause; i++ {
		said, verb := strings.ToLower(tokens[i].said), l.verbAt(tokens[i:])
		switch {
		case verb > 0:
			i += verb - 1
			end = i + 1
		case end > 0 && said != "or" && said != "nor":
			return end
		case !l.empty[tokens[i].stem] || said == "you" || said == "we":
			return end
		}
	}
	return end
}

// denial is how many words the phrase has with which a text begins that says what is not to
// be done; 0 = it begins with none.
func (l *lexicon) denial(tokens []word) int {
	phrase := ""
	for n, t := range tokens[:min(longestPhrase, len(tokens))] {
		phrase = strings.TrimSpace(phrase + " " + strings.ToLower(t.said))
		if l.denies[phrase] {
			return n + 1
		}
	}
	return 0
}

// verbAt is how many words the verb has with which a text begins; 0 = it begins with none.
func (l *lexicon) verbAt(tokens []word) int {
	for n := min(longestPhrase, len(tokens)); n > 0; n-- {
		if target, _, ok := l.read(tokens[:n]); ok && len(target) > 0 && l.verbs[target[0]] {
			return n
		}
	}
	if l.verbs[tokens[0].stem] {
		return 1
	}
	return 0
}

// isChinese says whether a word is a run of Chinese characters.
func isChinese(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isHan(r)
}

// hasHan says whether a text is Chinese, at least in part.
func hasHan(text string) bool { return strings.ContainsFunc(text, isHan) }

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
	return american(s)
}

// american spells a stem as Americans do, as far as an ending tells: summarise, analyse,
// labour, labelled.
func american(s string) string {
	for _, pair := range [][2]string{{"isat", "iz"}, {"izat", "iz"}, {"is", "iz"}, {"ys", "yz"}, {"our", "or"}, {"ell", "el"}} {
		if root, ok := strings.CutSuffix(s, pair[0]); ok && len(root) > 2 && strings.ContainsAny(root, "aeiouy") {
			return root + pair[1]
		}
	}
	return s
}
