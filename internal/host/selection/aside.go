package selection

import (
	"regexp"
	"slices"
	"strings"
)

// What a request says beside what it asks for.
var (
	// Up to the end of the clause it is what not to do.
	notThis = regexp.MustCompile(`(?i)(?:\b(?:don['’]?t|do not|without|rather than|instead of|no need to|needn['’]t|never|not to|no intention of)\s[^,.;:!?，。；：！？]*?|` +
		`(?:不用|不必|无需|无须|不需要|而不是|而非|暂不|先不|先别|请勿|千万别|也别|就别)[^，。；：！？,;:!?]*?)(?:[,.;:!?，。；：！？]|\bbut\b|$)`)

	// Why, when and under which condition it is asked for, and what comes after it.
	besideThis = regexp.MustCompile(`(?i)(?:(?:^|[,.;:!?]\s*|\band\s)(?:I['’]?ll|I will|we['’]?ll|I['’]?m going to|I still want|I want to (?:go|carry|continue|keep)|so that|so I|so we|in order to|because|since I|it is to be|to be)\s[^,.;:!?]*` +
		`|(?:^\s*|[.;:]\s*)(?:before|after|once|because|since|should|while|as soon as|now that|if)\s[^,.;:?]*,` +
		`|[,;]\s*(?:before|after|once|because|since|while|as soon as|now that|if|whether or not)\s[^,.;:!?]*` +
		`|(?:^|[，。；：！？,;:!?]\s*)(?:[我他她你咱们]*(?:回头|待会儿?|等会儿?|一会儿?|稍后|晚点|晚些|以后|之后|明天|后天|下周)|因为|由于|以便|以免|免得|省得|万一|好让|准备)[^，。；：！？,;:!?]*)`)
	alreadySo = regexp.MustCompile(`(?i)(?:^|[,;，；])[^,;，；。.]*(?:\balready\b|[^自而]已经?[\p{Han}])[^,;，；。.]*[,;，；]`)
)

// withoutAsides separates what a request asks for from what it says beside that, and
// leaves out what it wants not to be done; keeps says that there was something of the kind
// that would have changed something.
func withoutAsides(text string) (main, asides string, keeps bool) {
	l := theLexicon()
	cut := func(text string, look *regexp.Regexp, take func(string)) string {
		var out strings.Builder
		last := 0
		for _, at := range look.FindAllStringIndex(text, -1) {
			if len(l.words(text[:at[0]])) == 0 && len(l.words(text[at[1]:])) == 0 {
				continue // all that it says
			}
			take(text[at[0]:at[1]])
			out.WriteString(text[last:at[0]] + "\n")
			last = at[1]
		}
		return out.String() + text[last:]
	}
	negated := func(what string) {
		keeps = keeps || slices.ContainsFunc(l.words(what), func(w word) bool { return l.verbs[w.stem] && !slices.Contains(readingVerbs, w.stem) })
	}
	main = text
	if !questionStart.MatchString(text) {
		main = cut(main, notThis, negated)
	}
	for _, look := range []*regexp.Regexp{besideThis, alreadySo} {
		main = cut(main, look, func(s string) { asides += s + "\n" })
	}
	return main, asides, keeps
}
