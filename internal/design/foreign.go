package design

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// foreign are frequent words of languages that are not read, none of them English.
var foreign = map[string][]string{
	"French": {
		"le",
		"la",
		"les",
		"des",
		"une",
		"est",
		"et",
		"que",
		"qui",
		"pour",
		"dans",
		"sur",
		"avec",
		"si",
		"se",
		"du",
		"au",
		"comment",
		"quel",
		"quelle",
		"aux",
	},
	"German": {
		"der",
		"die",
		"das",
		"und",
		"ist",
		"ein",
		"eine",
		"wie",
		"wenn",
		"auf",
		"mit",
		"von",
		"für",
		"den",
		"dem",
		"wird",
		"werden",
		"nicht",
		"wirkt",
		"steigt",
		"sich",
	},
	"Spanish": {
		"el",
		"los",
		"las",
		"una",
		"es",
		"y",
		"que",
		"por",
		"para",
		"con",
		"si",
		"del",
		"cómo",
		"qué",
		"como",
		"al",
		"la",
		"de",
		"en",
	},
	"Italian":    {"il", "lo", "gli", "una", "è", "e", "che", "con", "se", "del", "della", "come", "cosa", "di", "la", "nel"},
	"Dutch":      {"wat", "als", "het", "een", "van", "niet", "er", "hoe", "wordt", "gebeurt", "met", "voor", "de"},
	"Swedish":    {"vad", "om", "och", "är", "inte", "hur", "med", "av", "på", "händer", "det"},
	"Polish":     {"co", "się", "jeśli", "jak", "nie", "na", "jest", "czy", "gdy", "podatek"},
	"Turkish":    {"ne", "olur", "ve", "bir", "mi", "nasıl", "için", "ise"},
	"Indonesian": {"apa", "yang", "jika", "dan", "bagaimana", "terjadi", "dengan", "untuk", "pajak", "akan"},
	"Portuguese": {"o", "os", "as", "uma", "é", "e", "que", "por", "para", "com", "se", "do", "da", "como", "em", "no", "na"},
}

// english are frequent words of English.
var english = []string{
	"the",
	"of",
	"and",
	"to",
	"in",
	"is",
	"what",
	"how",
	"does",
	"do",
	"will",
	"would",
	"if",
	"for",
	"on",
	"who",
	"by",
	"from",
	"with",
	"are",
	"happens",
	"we",
	"should",
	"a",
	"an",
	"at",
	"when",
	"which",
	"it",
	"per",
	"that",
	"this",
	"all",
	"every",
	"no",
	"not",
	"my",
	"you",
	"your",
	"i",
	"about",
	"be",
	"can",
	"could",
	"was",
	"were",
	"has",
	"have",
	"or",
	"as",
	"me",
	"give",
	"raise",
	"cut",
}

// scripts are writings that are neither English nor Chinese.
var scripts = []struct {
	name string
	has  func(r rune) bool
}{
	{"Japanese", func(r rune) bool { return r >= 0x3040 && r <= 0x30ff }},
	{"Korean", func(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }},
	{"Russian or another language in Cyrillic letters", func(r rune) bool { return r >= 0x400 && r <= 0x52f }},
	{"Arabic", func(r rune) bool { return r >= 0x600 && r <= 0x6ff }},
	{"Hindi", func(r rune) bool { return r >= 0x900 && r <= 0x97f }},
	{"Greek", func(r rune) bool { return r >= 0x370 && r <= 0x3ff }},
	{"Hebrew", func(r rune) bool { return r >= 0x590 && r <= 0x5ff }},
	{"Thai", func(r rune) bool { return r >= 0xe00 && r <= 0xe7f }},
}

// Foreign names the language of a question that is neither in English nor in Chinese, as
// far as its letters or its small words tell; "" = it may be either. What this package can
// read is not foreign for one small word, what it cannot read is.
func Foreign(question string) string {
	letters := 0
	count := make([]int, len(scripts))
	for _, r := range question {
		if unicode.IsLetter(r) {
			letters++
		}
		for i, s := range scripts {
			if s.has(r) {
				count[i]++
			}
		}
	}
	for i, s := range scripts {
		if count[i] > 1 && 6*count[i] > letters {
			return s.name
		}
	}
	if IsChinese(question) {
		return ""
	}
	words := map[string]int{}
	marked := false // a letter that English does not have
	for _, w := range strings.FieldsFunc(
		strings.ToLower(question), func(r rune) bool { return r <= ' ' || strings.ContainsRune(`.,;:!?¿¡'’"()`, r) },
	) {
		words[w]++
		marked = marked || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.Latin, r) })
	}
	ours := 0
	for _, w := range english {
		ours += words[w]
	}
	best, most := "", ours
	if readable(question) {
		most++ // one such word is none
	}
	for _, name := range slices.Sorted(maps.Keys(foreign)) {
		n := 0
		for _, w := range foreign[name] {
			n += min(words[w], 2) // a word that is repeated is no language
		}
		if n > most {
			best, most = name, n
		}
	}
	switch {
	case best != "":
		return best
	case strings.ContainsAny(question, "¿¡"):
		return "Spanish"
	case marked && ours == 0:
		return "another language"
	}
	return ""
}

// readable says whether the lexicon knows anything of a question but its numbers.
func readable(question string) bool {
	return slices.ContainsFunc(find(scan(tokenize(question))), func(it item) bool {
		return it.mention() || it.is(topicMeaning) || it.is(verbMeaning)
	})
}
