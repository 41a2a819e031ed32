package model

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Instructions tell a model without function calling how it calls tools, in the form that
// [ParseCalls] reads; the tools themselves are listed elsewhere. language is "en" or "zh".
func Instructions(language string) string {
	if language == "zh" {
		return instructionsZh
	}
	return instructionsEn
}

const instructionsEn = `To call a tool, write a block of exactly this form:

<tool_call>
{"id": "1", "tool_name": "name of the tool", "arguments": {"parameter": "value"}}
</tool_call>

- "id": any text; each call of a message has its own.
- "tool_name": the name of a tool of the list, as it stands there.
- "arguments": a JSON object that fits the tool's parameters; {} for a tool without any.
- Do not give a "source" beside these three: the tool is found by its name.
- One JSON object a block, in double quotes, without comments and trailing commas. Several calls are several blocks.
- Stop after the last block. The results come in the next message as <tool_result id="1">…</tool_result>, those of failed calls as <tool_error id="1">…</tool_error>. Never write these yourself.
- A block that cannot be read is answered with what is wrong in it: write it again.
- When you need no more tools, answer in plain text without a block.`

const instructionsZh = `调用工具时，请严格按以下格式写一个块：

<tool_call>
{"id": "1", "tool_name": "工具名称", "arguments": {"参数": "值"}}
</tool_call>

- "id"：任意文本；同一条消息中每个调用各不相同。
- "tool_name"：工具列表中的名称，须与列表完全一致。
- "arguments"：符合该工具参数的 JSON 对象；工具没有参数时写 {}。
- 除这三项外不要写 "source"：系统会按名称找到工具。
- 每个块只含一个 JSON 对象，使用英文双引号，不写注释，末尾不加逗号。多个调用写成多个块。
- 写完最后一个块后停止。结果会在下一条消息中以 <tool_result id="1">…</tool_result> 给出，失败的调用以 <tool_error id="1">…</tool_error> 给出。不要自己编写这些内容。
- 无法读取的块会得到错误说明：请改正后重写。
- 不再需要工具时，直接用文字回答，不写任何块。`

// asText puts calls and their results into the text of messages, for a model that knows
// only the form of [Instructions].
func asText(messages []Message) []Message {
	var list []Message
	for _, m := range messages {
		switch {
		case m.Role == RoleTool:
			m = Message{Role: RoleUser, Text: resultBlock(m), CallID: m.CallID}
			fallthrough
		case m.Role == RoleUser:
			// All results of a message, and problems with its blocks, go into one message: templates of
			// some models refuse two messages of the user in a row.
			if last := len(list) - 1; last >= 0 && list[last].CallID != "" {
				list[last].Text += "\n" + m.Text
				continue
			}
		case len(m.Calls) > 0:
			// A message that was kept as the model wrote it holds its calls already.
			if !strings.Contains(m.Text, openTag) {
				m.Text = strings.TrimSpace(m.Text + "\n\n" + callBlocks(m.Calls))
			}
			m.Calls = nil
		}
		list = append(list, m)
	}
	return list
}

func callBlocks(calls []ToolCall) string {
	var b strings.Builder
	for _, c := range calls {
		block, _ := json.Marshal(struct { // arguments are JSON
			ID        string          `json:"id"`
			ToolName  string          `json:"tool_name"`
			Arguments json.RawMessage `json:"arguments"`
			Source    string          `json:"source,omitempty"`
		}{c.ID, c.Name, c.Arguments, c.Source})
		b.WriteString(openTag + string(block) + closeTag + "\n")
	}
	return b.String()
}

// resultBlock is the result of a call. Results come from outside, and must not end the block.
func resultBlock(m Message) string {
	tag := "tool_result"
	if m.IsError {
		tag = "tool_error"
	}
	text := strings.NewReplacer("</tool_result>", "<\\/tool_result>", "</tool_error>", "<\\/tool_error>").Replace(m.Text)
	return "<" + tag + " id=" + strconv.Quote(m.CallID) + ">" + text + "</" + tag + ">"
}
