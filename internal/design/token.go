package design

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// tokenKind says what a token is made of.
type tokenKind int

const (
	wordToken   tokenKind = iota // a word in Latin letters, with digits, & and _ inside
	numberToken                  // digits
	hanToken                     // one Chinese character
	signToken                    // one sign, such as % , . ?
)

// token is the least part of a question that has a meaning of its own. from and to are its
// place in the question, in characters.
type token struct {
	kind     tokenKind
	text     string // in lower case, in one spelling
	number   float64
	from, to int
}

// spellings are words that have two; the lexicon knows the second.
var spellings = map[string]string{
	"labour": "labor", "programme": "program", "programmes": "program", "subsidise": "subsidize", "subsidises": "subsidize",
	"subsidised": "subsidize", "subsidising": "subsidize", "percents": "percent", "licence": "license", "licences": "license",
	"favour": "favor", "centre": "center", "ageing": "aging", "utilisation": "utilization", "digitalisation": "digitalization",
	"liberalise": "liberalize", "liberalising": "liberalize", "liberalised": "liberalize", "neighbour": "neighbor", "defence": "defense",
}

// narrow turns full-width forms into ASCII and Chinese punctuation into its Latin
// counterpart, and control characters into blanks.
func narrow(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	case r == '　' || r == '\u00a0' || r == '\u202f' || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return ' '
	}
	switch r {
	case '。':
		return '.'
	case '、':
		return ','
	case '’', '‘', '＇':
		return '\''
	case '−', '–', '—', '‑':
		return '-'
	}
	return r
}

// tokenize splits a question. It never fails: what it does not know becomes signs.
func tokenize(question string) []token {
	runes := []rune(question)
	for i, r := range runes {
		runes[i] = narrow(r)
	}
	var list []token
	for i := 0; i < len(runes); {
		r := runes[i]
		n := 1
		switch {
		case unicode.IsSpace(r):
			i++
			continue
		case isDigit(r) || r == '-' && startsNegative(runes, i):
			var x float64
			if x, n = scanNumber(runes[i:]); n > 0 {
				list = append(list, token{numberToken, string(runes[i : i+n]), x, i, i + n})
			} else { // more digits than a number has
				n = 1
				list = append(list, token{kind: signToken, text: string(r), from: i, to: i + 1})
			}
		case unicode.Is(unicode.Han, r):
			list = append(list, token{kind: hanToken, text: string(r), from: i, to: i + 1})
		case unicode.IsLetter(r):
			n = wordLength(runes[i:])
			list = append(list, token{kind: wordToken, text: spell(string(runes[i : i+n])), from: i, to: i + n})
		default:
			list = append(list, token{kind: signToken, text: string(r), from: i, to: i + 1})
		}
		i += n
	}
	return list
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// startsNegative tells a sign from a dash: it stands before a digit and after a blank.
func startsNegative(runes []rune, i int) bool {
	return i+1 < len(runes) && isDigit(runes[i+1]) && (i == 0 || unicode.IsSpace(runes[i-1]))
}

// scanNumber reads digits with a decimal point and with commas between thousands. It
// returns how many characters it took, 0 where they make no finite number.
func scanNumber(runes []rune) (float64, int) {
	var digits strings.Builder
	n := 0
	if runes[0] == '-' {
		digits.WriteByte('-')
		n = 1
	}
	point := false
	for ; n < len(runes); n++ {
		r := runes[n]
		switch {
		case isDigit(r):
			digits.WriteRune(r)
			continue
		case r == ',' && !point && thousands(runes[n+1:]):
			continue
		case r == '.' && !point && n+1 < len(runes) && isDigit(runes[n+1]):
			point = true
			digits.WriteByte('.')
			continue
		}
		break
	}
	x, err := strconv.ParseFloat(digits.String(), 64)
	if err != nil || digits.Len() > 18 {
		return 0, 0
	}
	return x, n
}

// thousands says whether exactly three digits follow.
func thousands(runes []rune) bool {
	return len(runes) >= 3 && isDigit(runes[0]) && isDigit(runes[1]) && isDigit(runes[2]) && (len(runes) == 3 || !isDigit(runes[3]))
}

func wordLength(runes []rune) int {
	n := 1
	for n < len(runes) {
		r := runes[n]
		inside := r == '&' || r == '_' || r == '\''
		switch {
		case isDigit(r), unicode.IsLetter(r) && !unicode.Is(unicode.Han, r):
		case inside && n+1 < len(runes) && unicode.IsLetter(runes[n+1]) && !unicode.Is(unicode.Han, runes[n+1]):
		default:
			return n
		}
		n++
	}
	return n
}

func spell(word string) string {
	word = strings.ToLower(word)
	word = strings.TrimSuffix(word, "'s")
	if other, ok := spellings[word]; ok {
		return other
	}
	return word
}

// forms are the words that a word may be an inflection of, itself first: "taxes" is
// "taxes", "taxe" and "tax". Only those that the lexicon holds will match.
func forms(word string) []string {
	list := []string{word}
	add := func(suffix string, endings ...string) {
		stem, ok := strings.CutSuffix(word, suffix)
		if !ok || len(stem) < 2 {
			return
		}
		for _, ending := range endings {
			list = append(list, stem+ending)
		}
		if n := len(stem); n > 2 && stem[n-1] == stem[n-2] && slices.Contains(endings, "e") {
			list = append(list, stem[:n-1])
		}
	}
	add("s", "")
	add("es", "")
	add("ies", "y")
	add("ing", "", "e")
	add("ed", "", "e")
	add("ied", "y")
	return list
}
