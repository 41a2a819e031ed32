package question

import (
	"slices"
	"strings"
	"unicode"

	"econ-mcp/internal/inquiry"
)

// otherWords are frequent words of languages that are not read, none of them English.
var otherWords = map[string]string{
	"French": "le la les des une est et que qui pour dans sur avec si se du au comment quel quelle aux augmente baisse " +
		"taux impôt chômage",
	"German": "der die das und ist ein eine wie wenn auf mit von für den dem wird werden nicht wirkt steigt sich sinkt " +
		"was passiert erhöht steuer",
	"Spanish":    "el los las una es y que por para con si del cómo qué como al la de en sube baja impuesto pasa",
	"Italian":    "il lo gli una è e che con se del della come cosa di la nel aumenta tasse succede",
	"Dutch":      "wat als het een van niet er hoe wordt gebeurt met voor de belasting",
	"Swedish":    "vad om och är inte hur med av på händer det skatt",
	"Polish":     "co się jeśli jak nie na jest czy gdy podatek",
	"Turkish":    "ne olur ve bir mi nasıl için ise vergi",
	"Indonesian": "apa yang jika dan bagaimana terjadi dengan untuk pajak akan",
	"Portuguese": "o os as uma é e que por para com se do da como em no na imposto sobe",
}

const englishWords = "the of and to in is what how does do will would if for on who by from with are happens we should a an at when which " +
	"it per that or not be tax raise cut rate more than over after price prices as no so but they them their this these those have has had " +
	"must can could may might now every all each people their firms firm company companies workers pay get let make give take my our your"

// foreignLanguage names the language of a text where that is neither English nor Chinese, "" elsewhere.
func foreignLanguage(text string) string {
	letters, others := 0, map[string]int{}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			others["Japanese"] += 3
		case unicode.Is(unicode.Hangul, r):
			others["Korean"]++
		case unicode.Is(unicode.Cyrillic, r):
			others["Russian"]++
		case unicode.Is(unicode.Arabic, r):
			others["Arabic"]++
		case !unicode.In(r, unicode.Latin, unicode.Han):
			others["a language in another script"]++
		}
	}
	for _, language := range []string{"Japanese", "Korean", "Russian", "Arabic", "a language in another script"} {
		if 2*others[language] > letters {
			return language
		}
	}
	if languageOf(text) == inquiry.Chinese {
		return ""
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	count := func(known string) (n int) {
		list := strings.Fields(known)
		for _, w := range words {
			if slices.Contains(list, w) {
				n++
			}
		}
		return n
	}
	most, language := 1, "" // one word alone may be a name
	for _, name := range []string{
		"French", "German", "Spanish", "Italian", "Dutch", "Swedish", "Polish", "Turkish", "Indonesian", "Portuguese",
	} {
		if n := count(otherWords[name]); n > most {
			most, language = n, name
		}
	}
	if most <= count(englishWords) {
		return ""
	}
	return language
}

// languageOf says which grammar reads a text: the Chinese one where a quarter of its letters are Han.
func languageOf(text string) string {
	han, latin := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			latin++
		}
	}
	if han > 0 && 3*han >= latin {
		return inquiry.Chinese
	}
	return inquiry.English
}
