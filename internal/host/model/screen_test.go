package model

import (
	"runtime"
	"testing"
)

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

// A tag that is only spoken of holds nothing back, nor does what may stand behind it.
func TestTagsInTextAreShownAtOnce(t *testing.T) {
	for _, text := range []string{
		"A call begins with <tool_call>, as you know; <tool_call> it does.", "Write `<tool_call>` and then ```<tool_call>``` twice",
		"<tool_call><tool_calls",
	} {
		got := ""
		s := Screen{Show: func(piece string) { got += piece }}
		for i := range len(text) {
			s.Write(text[i : i+1])
		}
		if got != text {
			t.Errorf("of %q is shown %q", text, got)
		}
	}
}

// What is held back is not copied for each piece: a long call would take seconds.
func TestLongCallsAreHeldBackCheaply(t *testing.T) {
	const pieces = 40_000
	s := Screen{Show: func(piece string) { t.Errorf("shown: %q", piece) }}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.Write(openTag + `{"`)
	for range pieces {
		s.Write("long")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<30 { // copies would be 3 GB
		t.Errorf("%d bytes for %d pieces", n, pieces)
	}
}
