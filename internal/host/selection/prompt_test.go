package selection_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/selection"
)

func hint(v bool) *bool { return &v }

// promptTools are of two servers, which both can read, and list what they have in no order.
var promptTools = []host.Tool{
	{Server: "excel", Name: "read", Category: "sheets", Description: "Reads cells.\nOf one sheet.",
		Hints: host.Hints{ReadOnly: hint(true), Idempotent: hint(true)}, Input: json.RawMessage(`{
		"type":"object","required":["path"],"properties":{
			"range":{"type":"string","default":"A1:Z99","description":"Which cells"},
			"path":{"type":"string","description":"Where the\n file is"},
			"as":{"enum":["text","number"]},
			"sheets":{"type":"array","items":{"type":"integer"}},
			"style":{"$ref":"#/$defs/style"},
			"unit":{"anyOf":[{"$ref":"#/$defs/unit"},{"type":"null"}],"default":null,"description":"Of lengths"},
			"rows":{"type":"array","items":{"$ref":"#/$defs/row"}},
			"sort":{"allOf":[{"$ref":"#/$defs/sort"}]},
			"more":{"$ref":"#/$defs/more"}},
		"$defs":{"unit":{"type":"string","enum":["cm","in"],"description":"A unit."},"sort":{"type":"string","oneOf":[{"const":"up"},
			{"const":"down"}]},
			"row":{"type":"object","properties":{"from":{},"to":{}}},"more":{"$ref":"#/$defs/more"},"style":{"type":["object","null"],
				"properties":{"bold":{"type":"boolean"}}}}}`)},
	{Server: "files", Name: "read", Title: "Read a file", Hints: host.Hints{Destructive: hint(false), OpenWorld: hint(true)}},
	{Server: "excel", Name: "drop", Hints: host.Hints{Destructive: hint(true)}, Description: "Deletes a workbook."},
	{Server: "excel", Name: "merge_cells", Category: "sheets", Input: json.RawMessage(`{"properties":7}`)},
}

func TestPrompt(t *testing.T) {
	examples := func(server, tool string) (json.RawMessage, bool) {
		return json.RawMessage(`{"path": "a.xlsx"}`), server == "excel" && tool == "read"
	}
	for language, want := range map[string]string{
		"en": `# Tools

## Server excel
1. drop (may overwrite or end something): Deletes a workbook.

### Category sheets
2. excel.read (only reads, may be repeated): Reads cells. Of one sheet.
  - path (string, required): Where the file is
  - range (string, optional, default "A1:Z99"): Which cells
  - as (any, optional, one of text|number)
  - sheets (array of integer, optional)
  - style (object|null with bold, optional)
  - unit (string|null, optional, default null, one of cm|in): Of lengths
  - rows (array of object with from, to, optional)
  - sort (string, optional, one of up|down)
  - more (any, optional)
  Example: {"path":"a.xlsx"}
3. merge_cells

## Server files
4. files.read (reaches outside): Read a file

4 tools.
`,
		"zh": `# 工具

## 服务器 excel
1. drop (可能覆盖或终止): Deletes a workbook.

### 类别 sheets
2. excel.read (只读, 可重复调用): Reads cells. Of one sheet.
  - path (string, 必填): Where the file is
  - range (string, 可选, 默认 "A1:Z99"): Which cells
  - as (any, 可选, 取值 text|number)
  - sheets (integer 的array, 可选)
  - style (object|null 含 bold, 可选)
  - unit (string|null, 可选, 默认 null, 取值 cm|in): Of lengths
  - rows (object 的array 含 from, to, 可选)
  - sort (string, 可选, 取值 up|down)
  - more (any, 可选)
  示例: {"path":"a.xlsx"}
3. merge_cells

## 服务器 files
4. files.read (访问外部): Read a file

共 4 个工具。
`,
	} {
		if got := selection.Prompt(promptTools, selection.PromptOptions{Language: language, Examples: examples}); got != want {
			t.Errorf("%s:\n%s", language, got)
		}
	}
	if got := selection.Prompt(nil, selection.PromptOptions{}); got != "" {
		t.Errorf("without tools: %q", got)
	}
}

// Under a budget, what the question needs comes in full, the next by name and one line, the
// rest as a count; whatever the budget, the prompt keeps within it, but for its frame.
func TestPromptBudget(t *testing.T) {
	var tools []host.Tool
	for i := range 60 {
		tools = append(tools, host.Tool{Server: "s", Name: fmt.Sprintf("zebra_%d", i),
			Description: "Counts zebras. " + strings.Repeat("It knows all of them. ", 10),
			Input:       json.RawMessage(`{"properties":{"where":{"type":"string"}}}`)})
	}
	tools = append(
		tools,
		host.Tool{
			Server: "s", Name: "read_sheet", Description: "Reads a sheet. It is one of a workbook.",
			Input: json.RawMessage(`{"properties":{"cells":{"type":"string"}}}`),
		},
	)
	for _, language := range []string{"en", "zh"} {
		frame := selection.Tokens(selection.Prompt(tools, selection.PromptOptions{Budget: 1, Language: language}))
		for budget := frame; budget <= 1000; budget += 13 {
			if got := selection.Prompt(
				tools, selection.PromptOptions{Question: "read the sheet", Budget: budget, Language: language},
			); selection.Tokens(got) > budget {
				t.Errorf("%s: %d tokens with a budget of %d", language, selection.Tokens(got), budget)
			}
		}
		if frame > 45 {
			t.Errorf("%s: the frame has %d tokens", language, frame)
		}
	}
	got := selection.Prompt(tools, selection.PromptOptions{Question: "read the sheet", Budget: 400})
	for _, want := range []string{
		"read_sheet: Reads a sheet. It is one of a workbook.\n  - cells (string, optional)\n", ". zebra_9: Counts zebras.\n",
		" more tools are not shown; ask for what you miss.\n61 tools.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "zebra_59") {
		t.Errorf("what is less relevant takes the room:\n%s", got)
	}
}
