package chat

import (
	"bytes"
	"strings"

	"econ-mcp/internal/host/model"
)

// callScreen keeps the blocks of calls out of what is shown of a text that comes in pieces.
type callScreen struct {
	show   func(string)
	held   []byte // what is not shown yet: the beginning of a tag, or a block from its tag on
	inside bool   // held begins with the tag
	at     int    // of a block, how much of held has been looked at; 0 = not yet known to be one
	quoted bool   // at is within a text, where a closing tag means nothing
}

const (
	openTag  = "<tool_call>"
	closeTag = "</tool_call>"
)

func (c *callScreen) write(text string) {
	c.held = append(c.held, text...)
	for {
		if !c.inside {
			at := bytes.Index(c.held, []byte(openTag))
			if at < 0 {
				c.pass(len(c.held) - beginning(c.held, openTag))
				return
			}
			c.pass(at)
			c.inside, c.at, c.quoted = true, 0, false
		}
		if c.at == 0 {
			first := firstOfBlock(c.held)
			switch {
			case first < 0:
				return
			case c.held[first] != '{' && c.held[first] != '[': // the tag is only spoken of
				c.pass(len(openTag))
				c.inside = false
				continue
			}
			c.at = first
		}
		if !c.skipBlock() {
			return
		}
		c.held, c.inside = c.held[c.at:], false
	}
}

// pass shows the first bytes of what was held.
func (c *callScreen) pass(n int) {
	if n > 0 {
		c.show(string(c.held[:n]))
		c.held = c.held[n:]
	}
}

// longestBlank is how much white space, or name of a language, may stand before a block.
const longestBlank = 200

// firstOfBlock is where the JSON of a block begins, behind white space and a fence; -1 = that
// has not come yet.
func firstOfBlock(held []byte) int {
	const blank = " \t\r\n"
	undecided := -1
	if len(held) > longestBlank {
		held, undecided = held[:longestBlank], 0 // it is no block, or a strange one
	}
	rest := strings.TrimLeft(string(held[len(openTag):]), blank)
	if fenced, ok := strings.CutPrefix(rest, "```"); ok {
		language, behind, found := strings.Cut(fenced, "\n")
		if at := strings.IndexAny(fenced, "{["); at >= 0 && (!found || at < len(language)) {
			behind, found = fenced[at:], true
		}
		if !found {
			return undecided
		}
		rest = strings.TrimLeft(behind, blank)
	}
	if rest == "" || strings.HasPrefix("```", rest) {
		return undecided
	}
	return len(held) - len(rest)
}

// skipBlock goes on to the end of a block, and says whether it has come: a closing tag that
// does not stand within a text.
func (c *callScreen) skipBlock() bool {
	for ; c.at < len(c.held); c.at++ {
		switch rest := c.held[c.at:min(len(c.held), c.at+len(closeTag))]; {
		case c.quoted && string(rest) == `\`:
			return false
		case c.quoted && rest[0] == '\\':
			c.at++
		case rest[0] == '"':
			c.quoted = !c.quoted
		case c.quoted:
		case string(rest) == closeTag:
			c.at += len(closeTag)
			return true
		case strings.HasPrefix(closeTag, string(rest)):
			return false
		}
	}
	return false
}

// beginning is how many bytes at the end of a text may be the beginning of a tag.
func beginning(text []byte, tag string) int {
	for n := min(len(tag)-1, len(text)); n > 0; n-- {
		if bytes.HasSuffix(text, []byte(tag[:n])) {
			return n
		}
	}
	return 0
}

// end shows what was held back and is no block. What stands behind a block that is broken is
// known only now.
func (c *callScreen) end() {
	if c.inside {
		_, rest, _ := model.ParseCalls(string(c.held))
		c.held, c.inside = []byte(rest), false
	}
	c.pass(len(c.held))
}
