package term

import (
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"fmt"
	"io"
	"strings"
)

// examplesOf are questions for the help of people whose question has no experiment.
var examplesOf = map[bool][]string{
	false: {"How will AI agents reshape the labour market?", "Who pays for a VAT rise from 8% to 15%?",
		"What happens if we give everyone 500 a month?", "What does a 25% tariff do to wages?", "Raise the minimum wage by 20% over two years"},
	true: {"人工智能将如何改变劳动力市场？", "把增值税从8%提高到15%会怎样？",
		"给每人每月发500会怎样？", "征收25%的关税对工资有什么影响？", "最低工资提高20%会怎样？"},
}

// Help says what may be asked.
func Help(w io.Writer, none *lab.NoExperiment, language string) {
	chinese := none.Plan.Chinese && language == "" || language == report.Chinese
	p := page{w, report.English}
	if chinese {
		p.language = report.Chinese
	}
	if missing := none.Plan.Missing(); none.Cause != nil && none.Cause.Kind != fault.InvalidState {
		p.paragraph(p.say("This cannot be read as a question. Nothing was simulated.", "无法将其作为问题来理解。未进行任何模拟。"))
	} else if len(missing) > 0 {
		p.paragraph(p.say("No experiment follows from this question: ", "该问题无法形成实验：") + strings.Join(missing, p.say("; ", "；")))
	} else {
		p.paragraph(
			p.say(
				"No experiment follows from this: nothing in it names something that this economy has. Nothing was simulated.",
				"该问题无法形成实验：其中没有这个经济模型所具有的内容。未进行任何模拟。",
			),
		)
	}
	fmt.Fprintf(w, "\n%s\n", p.say("What can be changed (among other things):", "可以改变的内容（部分）："))
	byType := map[design.Type][]string{}
	for _, l := range design.LeverTable() {
		phrase := l.English
		if chinese {
			phrase = l.Chinese
		}
		if phrase != "" && len(byType[l.Type]) < 6 {
			byType[l.Type] = append(byType[l.Type], phrase)
		}
	}
	for _, t := range design.Types() {
		if list := byType[t]; len(list) > 0 {
			fmt.Fprintln(w, Wrap(strings.Join(list, p.say(", ", "、")), lineWidth, "  "+Left(string(t), 20), strings.Repeat(" ", 22)))
		}
	}
	fmt.Fprintf(w, "\n%s\n", p.say("Ask in English or Chinese, for example:", "请用中文或英文提问，例如："))
	for _, q := range examplesOf[chinese] {
		fmt.Fprintf(w, "  econ-mcp ask %q\n", q)
	}
	fmt.Fprintf(w, "%s\n\n",
		p.say("econ-mcp params lists every parameter, econ-mcp presets all scenarios.", "econ-mcp params 列出全部参数，econ-mcp presets 列出全部情景。"))
}
