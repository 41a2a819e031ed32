package model

import (
	"bytes"
	"regexp"
)

// Screen keeps the blocks of calls, as [ParseCalls] reads them, out of what is shown of a text
// that comes in pieces.
type Screen struct {
	Show func(text string)
	held []byte // what is not shown yet: the beginning of a tag, or a block from its tag on
}

// What a text may be that begins with the tag: too short to tell, a block, and one that has
// ended: with a closing tag that does not stand within a text of its JSON.
var (
	mayBeBlock = regexp.MustCompile("^" + openTag + "\\s*(?:`{0,2}|```[\\w-]*\\s*)$")
	isBlock    = regexp.MustCompile("^" + openTag + "\\s*(?:```[\\w-]*\\s*)?[{\\[]")
	wholeBlock = regexp.MustCompile(`(?s)^` + openTag + `(?:[^"]|"(?:[^"\\]|\\.)*")*?` + closeTag)
)

// Write takes the next piece, and shows what is known to stand outside of blocks.
func (s *Screen) Write(text string) {
	s.held = append(s.held, text...)
	for {
		at := bytes.Index(s.held, []byte(openTag))
		if at < 0 {
			s.pass(len(s.held) - beginning(s.held))
			return
		}
		s.pass(at)
		switch {
		case mayBeBlock.Match(s.held):
			return
		case !isBlock.Match(s.held): // the tag is only spoken of
			s.pass(len(openTag))
		case !bytes.Contains(s.held[max(0, len(s.held)-len(text)-len(closeTag)):], []byte(closeTag)):
			return // nor did it end with the pieces before
		default:
			end := len(wholeBlock.Find(s.held))
			if end == 0 {
				return
			}
			s.held = s.held[end:]
		}
	}
}

// pass shows the first bytes of what was held.
func (s *Screen) pass(n int) {
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

// End shows what was held back and is no block. What stands behind a block that is broken is
// known only now.
func (s *Screen) End() {
	_, rest, _ := ParseCalls(string(s.held))
	s.held = []byte(rest)
	s.pass(len(s.held))
}
