package model

import (
	"bytes"
	"regexp"
)

// Screen keeps the blocks of calls, as [ParseCalls] reads them, out of what is shown of a text
// that comes in pieces. A tag that neither JSON nor a fence follows is only spoken of, and shown.
// What follows the tag of a block is shown at the end: only then is it known what of it is no block.
type Screen struct {
	Show func(text string)
	held []byte // what is not shown yet: the beginning of a tag, or all from the tag of a block on
}

// mayBeBlock is what may follow the tag of a block, as far as it is there.
var mayBeBlock = regexp.MustCompile("^\\s*(?:`{0,2}$|(?:```[\\w-]*\\s*)?(?:$|[{\\[]))")

// longestLead is how many bytes behind a tag tell whether it may begin a block.
const longestLead = 100

// Write takes the next piece, and shows what is known to stand before any block.
func (s *Screen) Write(text string) {
	s.held = append(s.held, text...)
	for {
		at := bytes.Index(s.held, []byte(openTag))
		if at < 0 {
			s.show(len(s.held) - beginning(s.held))
			return
		}
		s.show(at)
		if behind := s.held[len(openTag):]; mayBeBlock.Match(behind[:min(len(behind), longestLead)]) {
			return
		}
		s.show(len(openTag))
	}
}

// show shows the first bytes of what was held.
func (s *Screen) show(n int) {
	if n > 0 {
		s.Show(string(s.held[:n]))
		s.held = s.held[n:]
	}
}

// beginning is how many bytes at the end of a text may be the beginning of a tag.
func beginning(text []byte) int {
	n := min(len(openTag)-1, len(text))
	for !bytes.HasSuffix(text, []byte(openTag[:n])) {
		n--
	}
	return n
}

// End shows what was held back and is no block.
func (s *Screen) End() {
	_, rest, _ := ParseCalls(string(s.held))
	s.held = []byte(rest)
	s.show(len(s.held))
}
