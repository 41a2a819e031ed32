package model

import "testing"

// Whatever the pieces in which a text comes, blocks of calls are not shown, and all that is
// no block is.
func TestCallsAreNotShownInText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			`I look. <tool_call>{"tool_name":"a < b"}</tool_call> And <tool_ calls are text. 3 < 4 <tool_call>{}`,
			`I look. And <tool_ calls are text. 3 < 4`,
		},
		{
			"A call begins with <tool_call>, as you know; <tool_call> it does.", "A call begins with <tool_call>, as you know; <tool_call> it does.",
		},
		{"One.\n<tool_call>\n```json\n{\"a\":1}\n```\n</tool_call>\nTwo <tool_call>```{\"a\":1}```</tool_call>three", "One.\nTwo\n\nthree"},
		{`<tool_call>{"text":"ends with </tool_call> and \"<tool_call>\\"}</tool_call>After`, "After"},
		{`<tool_call>[{"a":1}]</tool_call>After`, "After"},
		{`<tool_call>{"text":"a quote is missing}</tool_call>After`, "After"},
		{"It ends in the tag <tool_call>\n", "It ends in the tag "},
		{"It ends in the tag <tool_call>", "It ends in the tag "},
		{"3 <", "3 <"},
	} {
		for size := 1; size <= len(c.text); size++ {
			got := ""
			s := Screen{Show: func(piece string) { got += piece }}
			for at := 0; at < len(c.text); at += size {
				s.Write(c.text[at:min(at+size, len(c.text))])
			}
			s.End()
			if got != c.want {
				t.Fatalf("%q in pieces of %d is shown as %q, want %q", c.text, size, got, c.want)
			}
		}
	}
}
