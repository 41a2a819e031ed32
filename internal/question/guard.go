package question

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/inquiry"
)

// carrying are words that change what a question asks, in ways that no grammar carries through: where no
// used word covers them, they stop the reading.
var carrying = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(every (other|second|third|fourth) [a-z]+|unless\b|` +
		`(at most|no more than|up to) (once|twice|three times)|` +
		`(year|month|quarter)s? (before|after|prior to) [a-z]+ing|(each|every) (year|quarter)|year (after|by) year|` +
		`alternat(e|es|ely|ing)|how (much|far|high|low|big|large)\b.{0,60}\b(have|need|needs|has|had|must)\b( to)?|` +
		`(at|from|beyond|above|until) (what|which) [^.?!;]{1,50}\b(do|does|would|will|is|are)\b|` +
		`(leav|keep|hold)(e|es|ing|s)? [a-z ]{1,30} (untouched|unchanged|alone|as (it|they) (is|are)))`),
	"zh": regexp.MustCompile(`既要.{1,12}又要|永久.{1,20}(期限|为期|持续)|政策(应该|应当|该|要)(怎么|如何)|多高|多少才|(到|至)多少|每隔|隔年|逐年|年年([^初底末中]|$)|(逐步|逐渐|慢慢|分步)恢复|除外|轮流|交替`),
}

// enduring are words for how long a background lasts, which no preset takes, whatever took them.
var enduring = regexp.MustCompile(`(?i)\b(recession|slump|crisis|downturn|pandemic)` +
	`( that| which)? (lasting|lasts|of) [a-z0-9]+ (months?|years?)`)

// structural are words that say when, against what or to what something happens: they must have become
// something, or be told.
var structural = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b((rather than|instead of|as opposed to) (right away|at once|immediately|now|today|later|gradually|` +
		`straight away|all at once|slowly|overnight|[0-9]+)|((one|two|three|five|ten|[0-9]+|first|second|third|next|following) (month|year|quarter)|a (year|quarter))s?|` +
		`(double|halve|triple|scrap|abolish|raise|lower|increase|reduce|cut|keep) (it|them|all of it|half of it))\b`),
}

// choosing are words that ask for one of several things.
var choosing = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\bwhich (would|one|of|does|do|policy|option)\b|(^|[^,] )which is\b|\b(better|worse|cheaper) than\b`),
	"zh": regexp.MustCompile(`哪[个种一]([^月年季天行群人类]|$)|孰`),
}

// nothing are words for the control, which every arm is compared with.
var nothing = regexp.MustCompile(`(?i)\b(do(ing)? nothing|leav(e|ing) (things|everything) (as|be|alone)|` +
	`status quo|not doing (it|so|anything))\b`)

// sized are numbers that some change must have taken: no preset does.
var sized = regexp.MustCompile(`(?i)\d\s*(%|percent|per cent|points?\b|元|块)|\b\d{3,}\b|\d{3,}`)

// guard doubts a reading whose words say more than it holds.
func (r *resolver) guard(marks []mark) {
	text := string(r.text)
	if pattern := carrying[r.s.lang]; pattern != nil {
		for _, at := range pattern.FindAllStringIndex(text, -1) {
			span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
			held := slices.ContainsFunc(r.s.held, func(m mention) bool { return m.span.From < span.To && span.From < m.span.To })
			if !held && !carried(marks, span) && !tells(text[:at[0]], text[at[0]:at[1]]) {
				r.doubting("the time", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", text[at[0]:at[1]])
			}
		}
	}
	if pattern := structural[r.s.lang]; pattern != nil {
		for _, at := range pattern.FindAllStringIndex(text, -1) {
			if span := (Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}); passedOver(marks, span) {
				r.doubting("the time", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", text[at[0]:at[1]])
			}
		}
	}
	if at := enduring.FindString(text); at != "" {
		r.doubting("the time", "How long the background lasts cannot be said: is “%s” meant for the background alone?",
			"背景持续多久无法设定：“%s”只针对背景吗？", at)
	}
	places := !slices.ContainsFunc(r.q.Arms, func(a inquiry.Arm) bool {
		return len(a.Set)+len(a.Events)+len(a.Rules) > 0 ||
			a.Doses != nil
	})
	if at := sized.FindString(text); at != "" && places {
		r.doubting("a number", "No change takes “%s”. Is the scenario alone meant?", "没有任何改变采用“%s”。只是指该情景吗？", at)
	}
	if pattern := choosing[r.s.lang]; pattern != nil && len(r.q.Arms) < 2 && pattern.MatchString(text) && !nothing.MatchString(text) {
		r.doubting("the alternatives", "The question compares, but only one change was understood. Is that enough?",
			"问题在比较，但只理解了其中一项。这样可以吗？")
	}
}

// tells says whether words such as 到多少 ask how far an outcome goes: 失业率会升到多少.
func tells(before, words string) bool {
	if !strings.HasSuffix(words, "多少") {
		return false
	}
	runes := []rune(before)
	near := string(runes[max(0, len(runes)-4):])
	return strings.ContainsAny(near, "会能将可")
}

// passedOver says whether words say nothing, as their marks have it.
func passedOver(marks []mark, span Span) bool {
	return !slices.ContainsFunc(marks, func(m mark) bool {
		return m.span.From < span.To && span.From < m.span.To && m.kind != fillerMark
	})
}

// carried says whether words that became something cover a span whole, but for its blanks.
func carried(marks []mark, span Span) bool {
	for at := span.From; at < span.To; at++ {
		for _, m := range marks {
			if m.span.From <= at && at < m.span.To && m.kind != usedMark {
				return false
			}
		}
	}
	return true
}
