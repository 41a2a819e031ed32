package main

import (
	"strings"
	"unicode"
)

// Chinese characters take two places of a terminal and lines of Chinese break between
// them: texts of answers are measured and wrapped here for both writings.

// runeWidth is how many places of a terminal a character takes.
func runeWidth(r rune) int {
	if unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x30ff || r >= 0xff00 && r <= 0xff60 || r >= 0xac00 && r <= 0xd7a3 {
		return 2
	}
	return 1
}

// textWidth is that of a text.
func textWidth(s string) (n int) {
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// rightWide and leftWide pad to a width in places.
func rightWide(s string, width int) string {
	return strings.Repeat(" ", max(0, width-textWidth(s))) + s
}

func leftWide(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-textWidth(s)))
}

// closing characters do not begin a line.
const closing = "，。；：、）！？”》"

// words are parted by blanks, but those between a number and its unit.
func words(text string) (list []string) {
	for _, word := range strings.Fields(text) {
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

// pieces cuts a text where a line may be broken: at blanks, and after Chinese characters.
func pieces(text string) (list []string) {
	for _, word := range words(printable(text)) {
		begin, runes := 0, []rune(word)
		for i, r := range runes {
			if i+1 < len(runes) && runeWidth(r) == 2 && r != '（' && r != '“' && r != '《' && !strings.ContainsRune(closing, runes[i+1]) {
				list = append(list, string(runes[begin:i+1]))
				begin = i + 1
			}
		}
		list = append(list, string(runes[begin:])+" ")
	}
	return list
}

// wrapWide breaks text into lines of at most width places; lines after the first begin
// with indent.
func wrapWide(text string, width int, first, indent string) string {
	var b strings.Builder
	line := first
	empty := true
	for _, piece := range pieces(text) {
		if !empty && textWidth(line)+textWidth(strings.TrimRight(piece, " ")) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += piece
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " "))
	return b.String()
}
