package question

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// token is the least part of an English question: a word, a number in digits, or a sign.
type token struct {
	text   string // in lower case, in one spelling
	number float64
	digits bool // it is a number in digits
	word   bool // it is a word
	Span        // in code points
	glued  bool // no blank stands before it
}

// spellings are words that have two; the vocabulary knows the second.
var spellings = map[string]string{
	"labour": "labor", "labours": "labor", "labourer": "laborer", "labourers": "laborers", "programme": "program",
	"programmes": "programs",
	"licence":    "license", "licences": "licenses", "cheque": "check", "cheques": "checks", "centre": "center", "centres": "centers",
	"favour": "favor", "ageing": "aging", "defence": "defense", "neighbour": "neighbor", "neighbours": "neighbors",
	"behaviour": "behavior",
	"harbour":   "harbor", "colour": "color", "honour": "honor", "tyre": "tire", "tyres": "tires", "grey": "gray", "labor's": "labor",
	"percents": "percent", "percentages": "percentage", "pct": "percent", "cannot": "can't", "gonna": "will", "wanna": "want",
	"modernise": "modernize", "u.s": "us", "u.s.a": "usa", "r&d": "r&d", "cancelled": "canceled", "cancelling": "canceling",
	"travelling": "traveling", "travellers": "travelers", "enrol": "enroll", "fulfil": "fulfill", "jobseeker": "job-seeker",
	"tonne": "ton", "tonnes": "tons", "skilful": "skillful", "mom": "mother", "mum": "mother",
	// one word for what the vocabulary does not tell apart
	"government": "state", "company": "firm", "companies": "firms", "business": "firm", "businesses": "firms", "enterprise": "firm",
	"enterprises": "firms", "employee": "worker", "employees": "workers", "staff": "worker", "staffs": "workers", "salary": "wage",
	"salaries": "wages", "lender": "bank", "lenders": "banks", "boss": "employer", "bosses": "employers", "joblessness": "unemployment",
	"taxman": "state", "stuff": "goods", "wares": "goods", "merchandise": "goods", "overseas": "abroad", "shopper": "consumer",
	"shoppers": "consumers", "min": "minimum", "max": "maximum", "avg": "average", "govt": "state", "gov": "state",
	"unemp": "unemployment", "infl": "inflation", "mgmt": "management", "govt's": "state", "folk": "people", "folks": "people",
	"mo": "months", "mos": "months", "yr": "year", "yrs": "years", "mths": "months",
}

// signs are characters that have several forms.
func plainSign(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	case r == '\n' || r == '\r':
		return '\n'
	case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return ' '
	}
	switch r {
	case '。':
		return '.'
	case '’', '‘', '`', '´':
		return '\''
	case '“', '”', '„', '«', '»':
		return '"'
	case '–', '—', '―':
		return '—'
	case '−', '‑', '‐':
		return '-'
	case '→', '➔', '➜', '⇒':
		return '→'
	}
	return r
}

// tokenize splits a text. Whatever it does not know becomes a sign.
func tokenize(text string) []token {
	runes := []rune(text)
	for i, r := range runes {
		runes[i] = plainSign(r)
	}
	var list []token
	for i := 0; i < len(runes); {
		r := runes[i]
		t := token{Span: Span{i, i + 1}, glued: i > 0 && runes[i-1] != ' ' && runes[i-1] != '\n'}
		switch {
		case r == ' ':
			i++
			continue
		case isDigit(r) || r == '.' && i+1 < len(runes) && isDigit(runes[i+1]) && !t.glued:
			if x, n := scanDigits(runes[i:]); n > 0 {
				t.number, t.digits, t.To = x, true, i+n
			}
			t.text = string(runes[i:t.To])
		case unicode.IsLetter(r):
			n := 1
			for i+n < len(runes) && insideWord(runes, i+n) {
				n++
			}
			t.word, t.To = true, i+n
			t.text = spell(string(runes[i:t.To]))
		case r == '-' && (i == 0 || runes[i-1] == ' ') && i+1 < len(runes) && runes[i+1] == ' ':
			t.text = "—"
		case (r == '-' || r == '=') && i+1 < len(runes) && runes[i+1] == '>':
			t.word, t.text, t.To = true, "to", i+2 // 8% -> 10%
		case r == '→':
			t.word, t.text = true, "to"
		default:
			t.text = string(r)
		}
		list = append(list, t)
		i = t.To
	}
	return list
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func insideWord(runes []rune, i int) bool {
	r := runes[i]
	if unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) || isDigit(r) || unicode.Is(unicode.Mn, r) {
		return true
	}
	return (r == '&' || r == '_' || r == '\'') && i+1 < len(runes) && unicode.IsLetter(runes[i+1])
}

// scanDigits reads digits with a decimal point and with commas between thousands; n is 0 where they make no number.
func scanDigits(runes []rune) (x float64, n int) {
	var digits strings.Builder
	point := false
	for ; n < len(runes); n++ {
		r := runes[n]
		rest := runes[min(n+1, len(runes)):]
		switch {
		case isDigit(r):
			digits.WriteRune(r)
			continue
		case r == ',' && !point && thousands(rest):
			continue
		case r == '.' && !point && len(rest) > 0 && isDigit(rest[0]):
			point = true
			digits.WriteByte('.')
			continue
		}
		break
	}
	x, err := strconv.ParseFloat(digits.String(), 64)
	if err != nil || digits.Len() > 15 {
		return 0, 0
	}
	return x, n
}

// thousands says whether exactly three digits follow.
func thousands(runes []rune) bool {
	return len(runes) >= 3 && isDigit(runes[0]) && isDigit(runes[1]) && isDigit(runes[2]) && (len(runes) == 3 || !isDigit(runes[3]))
}

func spell(word string) string {
	word = strings.TrimSuffix(strings.ToLower(word), "'s")
	if other, ok := spellings[word]; ok {
		return other
	}
	for _, ending := range [][2]string{
		{"isation", "ization"}, {"isations", "izations"}, {"ilise", "ilize"}, {"ilised", "ilized"}, {"ilising", "ilizing"},
		{"ilises", "ilizes"},
		{"idise", "idize"}, {"idised", "idized"}, {"idising", "idizing"}, {"idises", "idizes"}, {"alise", "alize"}, {"alised", "alized"},
		{"alising", "alizing"}, {"alises", "alizes"},
	} {
		if stem, ok := strings.CutSuffix(word, ending[0]); ok && len(stem) > 1 {
			return stem + ending[1]
		}
	}
	return word
}

// irregular are forms of words that do not follow the rules.
var irregular = map[string]string{
	"paid": "pay", "gave": "give", "given": "give", "got": "get", "gotten": "get", "sent": "send", "spent": "spend", "built": "build",
	"took": "take", "taken": "take", "held": "hold", "kept": "keep", "lost": "lose", "lent": "lend", "bought": "buy", "froze": "freeze",
	"frozen": "freeze", "made": "make", "left": "leave", "brought": "bring", "became": "become", "grew": "grow", "grown": "grow",
	"shrank": "shrink", "shrunk": "shrink", "began": "begin", "begun": "begin", "fell": "fall", "fallen": "fall", "rose": "rise",
	"risen": "rise", "went": "go", "gone": "go", "came": "come", "did": "do", "done": "do", "does": "do", "had": "have", "has": "have",
	"was": "be", "were": "be", "is": "be", "are": "be", "been": "be", "am": "be", "being": "be", "said": "say", "told": "tell",
	"saw": "see", "seen": "see", "knew": "know", "known": "know", "found": "find", "thought": "think", "meant": "mean",
	"struck": "strike", "sank": "sink", "sunk": "sink", "drove": "drive", "driven": "drive", "withdrew": "withdraw",
	"withdrawn": "withdraw",
	"men":       "man", "women": "woman", "people": "person", "children": "child", "wives": "wife", "halves": "half", "lives": "life",
	"slid": "slide", "dug": "dig", "hung": "hang", "stuck": "stick", "swept": "sweep", "sold": "sell", "taught": "teach",
	"stood": "stand", "understood": "understand", "won": "win", "wore": "wear", "broke": "break", "broken": "break", "chose": "choose",
	"chosen": "choose", "flew": "fly", "forgot": "forget", "heard": "hear", "led": "lead", "met": "meet", "ran": "run", "shown": "show",
	"worse": "bad", "threw": "throw", "thrown": "throw", "wrote": "write", "written": "write", "tied": "tie", "dying": "die",
	"shook":  "shake",
	"outdid": "outdo", "overtook": "overtake", "undid": "undo", "crises": "crisis",
}

// forms are the words that a word may be an inflection of, itself first: "taxes" is "taxes",
// "taxe" and "tax". Only those that the vocabulary holds will match.
func forms(word string) []string {
	list := []string{word}
	if base, ok := irregular[word]; ok {
		list = append(list, base)
	}
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
	add("s'", "")
	add("es", "")
	add("ies", "y")
	add("ing", "", "e")
	add("ed", "", "e")
	add("ied", "y")
	return list
}

// is says whether a word is one of the given ones, in any inflection.
func (t token) is(words ...string) bool {
	if slices.Contains(words, t.text) {
		return true
	}
	return t.word && slices.ContainsFunc(forms(t.text)[1:], func(form string) bool { return slices.Contains(words, form) })
}

// again reads "half as much again" and "half again as much" as "half more".
func (s tokens) again() {
	for i := range s {
		as := i + 1
		if !s[i].is("half", "third", "quarter", "fourth", "fifth", "tenth") || s.text(i-1) == "the" ||
			s.text(as) != "as" && s.text(as) != "again" {
			continue
		}
		if how := as + 1; s.text(as) == "as" && s.text(how+1) == "again" {
			if s[as].text = "more"; s[how].is("much", "high", "many", "large", "big", "long", "great") {
				s[how].text = "again"
			}
		} else if s.text(as) == "again" && s.text(how) == "as" {
			if s[as].text, s[how].text = "more", "again"; how+1 < len(s) && s[how+1].is("much", "high", "many", "large", "big", "long", "great") {
				s[how+1].text = "again"
			}
		}
	}
}

// capitals tells the US from us, unless everything is written so.
func (s tokens) capitals(text []rune) {
	if strings.ToUpper(string(text)) == string(text) {
		return
	}
	for i := range s {
		if s[i].text == "us" && string(text[s[i].From:s[i].To]) == "US" {
			s[i].text = "usa"
		}
	}
}
