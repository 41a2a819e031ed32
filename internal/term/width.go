// Package term is what terminals show: answers, plans and tables of experiments, sparklines, a
// line of progress, and their parts: columns and wrapped lines of English and Chinese text.
package term

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// places measures text the same in every locale: Chinese characters take two places, symbols that
// some fonts draw wide take one.
var places = &runewidth.Condition{StrictEmojiNeutral: true}

// Width is how many places of a terminal a text takes.
func Width(s string) int { return places.StringWidth(s) }

// Left and Right pad a text to a width in places; a wider one stays as it is.
func Left(s string, width int) string { return places.FillRight(s, width) }

// Right pads on the left; see [Left].
func Right(s string, width int) string { return places.FillLeft(s, width) }

// Printable escapes what a terminal would act on, line breaks too.
func Printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
}

// lineWidth is the greatest width of a line for people.
const lineWidth = 100

// Indented wraps text to lines that people read, each of which begins with indent; see [Wrap].
func Indented(text, indent string) string { return Wrap(text, lineWidth, indent, indent) }

// closing characters do not begin a line, and opening ones do not end it.
const (
	closing = "，。；：、）！？”》"
	opening = "（“《"
)

// Wrap breaks text into lines of at most width places: at blanks, but not between a number and
// its unit, and between Chinese characters. The first line begins with first, all others with
// indent. What a terminal would act on is escaped.
func Wrap(text string, width int, first, indent string) string {
	var b strings.Builder
	line := first
	empty := true
	for _, piece := range pieces(text) {
		if !empty && Width(line)+Width(strings.TrimRight(piece, " ")) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += piece
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " "))
	return b.String()
}

// pieces cuts a text where a line may be broken.
func pieces(text string) (list []string) {
	for _, word := range words(text) {
		begin, runes := 0, []rune(word)
		for i, r := range runes {
			if i+1 < len(runes) && places.RuneWidth(r) == 2 && !strings.ContainsRune(opening, r) &&
				!strings.ContainsRune(closing, runes[i+1]) {
				list = append(list, string(runes[begin:i+1]))
				begin = i + 1
			}
		}
		list = append(list, string(runes[begin:])+" ")
	}
	return list
}

// words splits a text at blanks, except between a number and its unit.
func words(text string) (list []string) {
	for _, word := range strings.Fields(text) {
		word = Printable(word)
		unit := strings.TrimRightFunc(word, func(r rune) bool { return r != '%' && (r > unicode.MaxASCII || !unicode.IsLetter(r)) })
		if i := strings.IndexFunc(word, func(r rune) bool { return r > unicode.MaxASCII }); i >= 0 {
			unit = strings.TrimRight(word[:i], ".,;:)")
		}
		switch n := len(list); unit {
		case "%", "pp", "k", "M", "G", "T":
			if n > 0 {
				list[n-1] += " " + word
				continue
			}
		}
		list = append(list, word)
	}
	return list
}
