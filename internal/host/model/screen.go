package model

import "strings"

// Screen keeps the blocks of calls, as [ParseCalls] reads them, out of what is shown of a text
// that comes in pieces. What follows the first tag is shown at the end: only then is it known
// what of it is no block.
type Screen struct {
	Show func(text string)
	held string // what is not shown yet: the beginning of a tag, or all from a tag on
}

// Write takes the next piece, and shows what is known to stand before any block.
func (s *Screen) Write(text string) {
	s.held += text
	at := strings.Index(s.held, openTag)
	if at < 0 {
		at = len(s.held) - beginning(s.held)
	}
	s.show(s.held[:at])
	s.held = s.held[at:]
}

func (s *Screen) show(text string) {
	if text != "" {
		s.Show(text)
	}
}

// beginning is how many bytes at the end of a text may be the beginning of a tag.
func beginning(text string) int {
	n := min(len(openTag)-1, len(text))
	for !strings.HasSuffix(text, openTag[:n]) {
		n--
	}
	return n
}

// End shows what was held back and is no block.
func (s *Screen) End() {
	_, rest, _ := ParseCalls(s.held)
	s.show(rest)
}
