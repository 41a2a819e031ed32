package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/fault"
)

const (
	openTag  = "<tool_call>"
	closeTag = "</tool_call>"
)

// mostBlocks bounds how many blocks of a message are read.
const mostBlocks = 100

// ParseCalls reads the calls that a model wrote into its text as
//
//	<tool_call>{"id": "1", "tool_name": "files.read_file", "arguments": {"path": "a.txt"}}</tool_call>
//
// with or without a Markdown fence, inside or around. "id" may be missing, and is then
// numbered; ids are made unique; "name" stands for "tool_name", as models are trained to
// write; "arguments" may be a text that is a JSON object; "source" is optional. Only a block
// that is closed and holds one JSON object is a call: any other is a problem, and nothing is
// mended or guessed. A problem is a sentence by which the model can write the block again, such as
//
//	tool_call 2 (line 3, column 41): a comma before '}' is not allowed, at `"a": 1,⟨here⟩}`
//
// rest is the text without the blocks. The tag in running text, without JSON behind it, is text.
func ParseCalls(text string) (calls []ToolCall, rest string, problems []string) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), removed, "")
	var kept strings.Builder
	ids := map[string]bool{}
	at, count := 0, 0
	for {
		next := strings.Index(text[at:], openTag)
		if next < 0 {
			break
		}
		start := at + next
		kept.WriteString(text[at:start])
		b := readBlock(text, start+len(openTag))
		if b.mention {
			kept.WriteString(text[start:b.end])
			at = b.end
			continue
		}
		if count++; count > mostBlocks {
			b = block{at: start, end: len(text), wrong: fmt.Sprintf("a message may hold %d calls; the rest of it was not read", mostBlocks)}
		}
		at = b.end
		kept.WriteString(removed)
		if b.wrong == "" {
			call, wrong := readCall(b.object)
			if b.wrong = wrong; wrong == "" {
				call.ID = unique(ids, call.ID, len(calls))
				calls = append(calls, call)
				continue
			}
		}
		before := text[:b.at]
		line, column := 1+strings.Count(before, "\n"), 1+utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:])
		problems = append(problems, fmt.Sprintf("tool_call %d (line %d, column %d): %s", count, line, column, b.wrong))
	}
	kept.WriteString(text[at:])
	return calls, tidy(kept.String()), problems
}

// block is what stands behind an opening tag.
type block struct {
	object  json.RawMessage
	wrong   string // "" = it holds an object and is closed
	at, end int    // where it is wrong, or begins; where the text goes on
	mention bool   // it is no block at all
}

// blank is white space, and a fence within a block.
var blank = regexp.MustCompile("^\\s*(?:```[\\w-]*\\s*)?")

// readBlock reads what follows an opening tag.
func readBlock(text string, from int) block {
	begin := from + len(blank.FindString(text[from:]))
	if !strings.HasPrefix(text[begin:], "{") {
		return blockWithoutObject(text, from, begin)
	}
	b := block{at: begin, end: len(text)}
	decoder := json.NewDecoder(strings.NewReader(text[begin:]))
	if err := decoder.Decode(&b.object); err != nil {
		// A string may hold the closing tag, but strings of broken JSON cannot be told apart.
		closing := strings.Index(text[begin:], closeTag)
		if closing >= 0 {
			b.end = begin + closing + len(closeTag)
		}
		at, wrong := describe(text[begin:b.end], err)
		b.at, b.wrong = begin+at, wrong
		if closing < 0 {
			b.wrong += "; and " + closeTag + " is missing"
		}
		return b
	}
	behind := begin + int(decoder.InputOffset())
	tail := behind + len(blank.FindString(text[behind:]))
	end, closed := endOfBlock(text, tail)
	switch b.end = end; {
	case !closed:
		b.at, b.end, b.wrong = tail, behind, closeTag+" is missing after the JSON object"
	case !strings.HasPrefix(text[tail:], closeTag):
		b.at, b.wrong = tail, "only one JSON object may stand in a block, without text behind it; it goes on at "+excerpt(text, tail)
	}
	return b
}

// blockWithoutObject is a block in which no object follows the tag.
func blockWithoutObject(text string, from, begin int) block {
	end, closed := endOfBlock(text, from)
	switch {
	case begin == len(text):
		return block{at: begin, end: end, wrong: "the block ends before the call"}
	case !closed && text[begin] != '[':
		return block{mention: true, end: from}
	}
	return block{at: begin, end: end, wrong: "a JSON object has to follow " + openTag + ", at " + excerpt(text, begin)}
}

// endOfBlock is where the closing tag ends, or the next block begins if there is none before it.
func endOfBlock(text string, from int) (end int, closed bool) {
	within, _, _ := strings.Cut(text[from:], openTag)
	before, _, closed := strings.Cut(within, closeTag)
	if closed {
		return from + len(before) + len(closeTag), true
	}
	return from + len(within), false
}

func isSpace(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }

// readCall reads the object of a block.
func readCall(raw json.RawMessage) (call ToolCall, wrong string) {
	var members map[string]json.RawMessage // exact names, unlike fields of a struct
	if err := json.Unmarshal(raw, &members); err != nil {
		return call, err.Error()
	}
	if name, ok := members["name"]; ok && members["tool_name"] == nil {
		members["tool_name"] = name
	}
	for _, field := range []struct {
		name string
		to   *string
	}{{"id", &call.ID}, {"tool_name", &call.Name}, {"source", &call.Source}} {
		value := members[field.name]
		if number := json.Number(""); field.name == "id" && json.Unmarshal(value, &number) == nil {
			value, _ = json.Marshal(number.String())
		}
		if value != nil && json.Unmarshal(value, field.to) != nil {
			return call, fmt.Sprintf("%q has to be a string", field.name)
		}
	}
	if call.Name == "" {
		return call, missing("tool_name", members)
	}
	if members["arguments"] == nil {
		return call, missing("arguments", members) + "; a tool without any takes {}"
	}
	arguments, err := object(members["arguments"])
	if err != nil {
		return call, `"arguments" has to be a JSON object: ` + err.Error()
	}
	call.Arguments = arguments
	return call, ""
}

func missing(field string, members map[string]json.RawMessage) string {
	there := strings.Join(slices.Sorted(maps.Keys(members)), ", ")
	return fmt.Sprintf("%q is missing; there is only %s", field, fault.Shorten(there, 100))
}

// describe says what is wrong with the JSON at the beginning of a text, and where.
func describe(text string, err error) (at int, wrong string) {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok || syntax.Error() == "unexpected end of JSON input" { // else it is that of a stream
		body := strings.TrimSuffix(text, closeTag)
		return len(strings.TrimRightFunc(body, isSpace)), "the JSON is not complete: a quote or a closing brace is missing"
	}
	at = max(0, min(int(syntax.Offset)-1, len(text)))
	wrong = strings.TrimPrefix(syntax.Error(), "json: ")
	before := strings.TrimRightFunc(text[:at], isSpace)
	if at < len(text) && strings.HasSuffix(before, ",") && strings.ContainsRune("}]", rune(text[at])) {
		wrong = fmt.Sprintf("a comma before %q is not allowed", text[at])
	}
	return at, wrong + ", at " + excerpt(text, at)
}

// excerpt shows a place of a text.
func excerpt(text string, at int) string {
	const around = 24
	from, to := max(0, at-around), min(len(text), at+around)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	before, after := strings.ToValidUTF8(text[from:at], ""), strings.ToValidUTF8(text[at:to], "")
	if at == 0 {
		return "`" + after + "`"
	}
	return "`" + before + "⟨here⟩" + after + "`"
}

// removed stands where a block was.
const removed = "\x00"

var removedAround = regexp.MustCompile(`\s*` + removed + `[\s` + removed + `]*`)

// tidy removes the marks of blocks from a text, and fences that held nothing else.
func tidy(text string) string {
	if !strings.Contains(text, removed) {
		return text
	}
	parts := strings.Split(text, "```")
	var b strings.Builder
	for i, part := range parts {
		fenced := i%2 == 1 && i < len(parts)-1
		if fenced && onlyBlocks(part) {
			b.WriteString(removed)
			continue
		}
		afterBlocks := i > 0 && i%2 == 0 && onlyBlocks(parts[i-1])
		if i > 0 && !afterBlocks {
			b.WriteString("```")
		}
		b.WriteString(part)
	}
	return strings.TrimSpace(removedAround.ReplaceAllString(b.String(), "\n\n"))
}

// onlyBlocks says whether a fence held blocks, and besides only the name of its language.
func onlyBlocks(part string) bool {
	language, blocks, found := strings.Cut(part, removed)
	return found && !strings.ContainsFunc(strings.TrimSpace(language), func(r rune) bool { return isSpace(r) || r == '`' }) &&
		strings.Trim(blocks, " \t\r\n"+removed) == ""
}
