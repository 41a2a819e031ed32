package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/model"
	"econ-mcp/internal/host/selection"
)

// Limits of what a model is given and may ask for at once, as servers and models set none.
const (
	// mostCalls is how many calls of one message are made.
	mostCalls = 32
	// longestResult is how much of a result a model is given, in bytes; longestResults is the limit
	// for all results of one message.
	longestResult, longestResults = 32 << 10, 128 << 10
	// longestDescription is how much is told of a tool, and of each of its arguments, in bytes.
	longestDescription = 2 << 10
	// longestSchema is the longest schema with which a tool is offered, in bytes.
	longestSchema = 64 << 10
	// keptResult is how much is kept of an old result when room is needed, in bytes.
	keptResult = 200
)

// beginningOf is a text of at most so many bytes, without a character that is cut.
func beginningOf(text string, most int) string {
	return strings.ToValidUTF8(text[:min(most, len(text))], "")
}

// shortened says in a text how much of it is missing.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s\n(cut: the first %d of %d bytes)", beginningOf(text, most), most, len(text))
}

// Tellable shortens the descriptions of tools for a model. Tools whose schema is too long even so
// are left out: their names are in dropped.
func Tellable(tools []host.Tool) (told []host.Tool, dropped []string) {
	for _, t := range tools {
		t.Description, t.Input = shortened(t.Description, longestDescription), withShortTexts(t.Input)
		if len(t.Input) > longestSchema {
			dropped = append(dropped, t.FullName())
			continue
		}
		told = append(told, t)
	}
	return told, dropped
}

// withShortTexts is a schema with its long descriptions cut; without any, it is the same bytes.
func withShortTexts(schema json.RawMessage) json.RawMessage {
	if len(schema) <= longestDescription {
		return schema
	}
	var whole any
	if json.Unmarshal(schema, &whole) != nil || !shortenTexts(whole) {
		return schema
	}
	data, err := json.Marshal(whole)
	if err != nil {
		return schema
	}
	return data
}

// shortenTexts cuts long descriptions, and says whether there was one.
func shortenTexts(value any) (cut bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			cut = shortenTexts(item) || cut
		}
	case map[string]any:
		for name, member := range v {
			text, isText := member.(string)
			if isText && len(text) > longestDescription && slices.Contains([]string{"description", "title", "$comment"}, name) {
				v[name], cut = shortened(text, longestDescription), true
				continue
			}
			cut = shortenTexts(member) || cut
		}
	}
	return cut
}

// fit removes old results from a conversation until it has at most so many tokens, the oldest
// first; results that the model has not seen yet stay. It says how many were removed, and whether
// the rest fits. Messages are changed in place.
func fit(messages []model.Message, most int) (gone int, fits bool) {
	size := tokensOf(messages...)
	unseen := len(messages)
	for unseen > 0 && messages[unseen-1].Role != model.RoleAssistant {
		unseen--
	}
	for i := range messages[:unseen] {
		if size <= most {
			break
		}
		if m := &messages[i]; m.Role == model.RoleTool && len(m.Text) > 2*keptResult {
			size -= tokensOf(*m)
			m.Text = beginningOf(m.Text, keptResult) + "…\n(the rest was left out, as the conversation is long; make the call again if you need it)"
			size += tokensOf(*m)
			gone++
		}
	}
	return gone, size <= most
}

// listOf names the first of many.
func listOf(names []string) string {
	const most = 40
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// notOffered tells a model which tools it is not offered.
func (s *Session) notOffered(names []string) string {
	if len(names) == 0 {
		return ""
	}
	if s.Language == "zh" {
		return "\n\n另有下列工具因篇幅所限未提供；如确需使用，请在回答中说明：" + listOf(names)
	}
	return "\n\nThere are more tools, for which there is no room here. If you need one of them, say so in your answer: " + listOf(names)
}

// tokensOfFunction are those of a function, estimated.
func tokensOfFunction(f model.Function) int {
	return selection.Tokens(f.Name + " " + f.Description + " " + string(f.Parameters))
}

// tokensOf are those of messages, estimated.
func tokensOf(messages ...model.Message) (n int) {
	for _, m := range messages {
		n += selection.Tokens(m.Text)
		for _, c := range m.Calls {
			n += selection.Tokens(c.Name + " " + string(c.Arguments))
		}
	}
	return n
}
