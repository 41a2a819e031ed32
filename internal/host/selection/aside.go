package selection

import (
	"regexp"
	"strings"
)

// What a request says beside what it asks for: why, when and under which condition, what
// comes after it, and what is so already.
var (
	besideThis = regexp.MustCompile(`(?i)(?:(?:^|[,.;:!?]\s*|\band\s)(?:I['’]?ll|I will|we['’]?ll|I['’]?m going to|I still want|I want to (?:go|carry|continue|keep)|so that|so I|so we|in order to|because|since I|it is to be|to be)\s[^,.;:!?]*` +
		`|(?:^\s*|[.;:]\s*)(?:before|after|once|because|since|should|while|as soon as|now that|if)\s[^,.;:?]*,` +
		`|[,;]\s*(?:before|after|once|because|since|while|as soon as|now that|if|whether or not)\s[^,.;:!?]*` +
		`|(?:^|[，。；：！？,;:!?]\s*)(?:[我他她你咱们]*(?:回头|待会儿?|等会儿?|一会儿?|稍后|晚点|晚些|以后|之后|明天|后天|下周)|因为|由于|以便|以免|免得|省得|万一|好让|准备)[^，。；：！？,;:!?]*)`)
	alreadySo = regexp.MustCompile(`(?i)(?:^|[,;，；])[^,;，；。.]*(?:\balready\b[^,;，；。.]*|[^自而]已经?[^的,;，；。.]*)[,;，；]`)
)

// withoutAsides separates what a request asks for from what it says beside that.
func withoutAsides(text string) (main, asides string) {
	l := theLexicon()
	main = text
	for _, look := range []*regexp.Regexp{besideThis, alreadySo} {
		var out strings.Builder
		last := 0
		for _, at := range look.FindAllStringIndex(main, -1) {
			if len(l.words(main[:at[0]])) == 0 && len(l.words(main[at[1]:])) == 0 {
				continue // all that it says
			}
			asides += main[at[0]:at[1]] + "\n"
			out.WriteString(main[last:at[0]] + "\n")
			last = at[1]
		}
		main = out.String() + main[last:]
	}
	return main, asides
}
