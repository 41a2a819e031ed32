package design

import (
	"bytes"
	"encoding/json"

	"econ-mcp/internal/inquiry"
)

// What an experiment that answers a question has where nobody says otherwise, whoever makes it:
// econ-mcp ask, a chat, the tools of a workflow or a prompt. Its economies have the size and the
// burn-in of what the question is about.
const (
	Replications = inquiry.DefaultReplications // of each arm
	Months       = inquiry.DefaultMonths       // after burn-in, at least: the question may look further ahead
)

// Argument is an argument of a tool.
type Argument struct {
	Name  string
	Value any
}

// Arguments are those of one call, in their order; their JSON is an object.
type Arguments []Argument

// MarshalJSON writes an object.
func (a Arguments) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // whose line ends are white space in JSON
	encoder.SetEscapeHTML(false)   // a question's "<" is one byte
	b.WriteByte('{')
	for i, argument := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, v := range []any{argument.Name, argument.Value} {
			if j > 0 {
				b.WriteByte(':')
			}
			if err := encoder.Encode(v); err != nil {
				return nil, err
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Step is a call of a tool in a workflow.
type Step struct {
	Step        int
	Tool        string
	Params      Arguments
	Description string
	Needs       []string // what earlier steps have produced
	Produces    []string
	Repeat      string // the call is repeated until this holds; "" = once
}

// Workflow is a list of calls that answers a question.
type Workflow struct {
	Plan     Reading
	Name     string // of the experiment and of the treatment's config
	Control  string // config of the control
	Steps    []Step
	Guidance string
}

// NewWorkflow lists the calls that carry a plan out. All names are fixed beforehand, so
// that each call can be made as it stands. A plan without levers has no steps: the
// guidance says what to ask instead.
func NewWorkflow(p Reading) Workflow {
	w := Workflow{Plan: p, Name: p.Name, Control: p.ControlName()}
	if len(p.Levers) == 0 {
		w.Guidance = p.either("No experiment follows from this question. ", "该问题无法形成实验。") + p.Describe()
		return w
	}
	language := p.either("en", "zh")
	experiment := Argument{"experiment_name", w.Name}
	add := func(tool string, needs, produces []string, repeat, en, zh string, params ...Argument) {
		w.Steps = append(w.Steps, Step{len(w.Steps) + 1, tool, params, p.either(en, zh), needs, produces, repeat})
	}
	configs := []string{"config " + w.Name, "config " + w.Control}
	running := []string{"experiment " + w.Name}
	done := []string{"months of " + w.Name}
	add("analyze_question", nil, []string{"question_type", "levers", "hypothesis"}, "",
		"Read the question: type, levers, outcomes to watch, what cannot be mapped.", "解读问题：类型、政策工具、观察指标、无法映射之处。",
		Argument{"question", p.Question})
	add("generate_config_from_question", nil, configs, "",
		"Save both arms; they differ only in the levers.", "保存两组配置；二者仅在政策工具上不同。",
		Argument{"question", p.Question}, Argument{"save", true})
	add("load_yaml_config", configs[:1], []string{"parameters of the workspace"}, "",
		"Make the treatment the scenario of this workspace.", "将实验组设为当前工作区的情景。",
		Argument{"config_name", w.Name}, Argument{"mode", "replace"})
	add("start_simulation", []string{"parameters of the workspace", configs[1]}, running, "",
		"Start treatment and control on the same seeds, from the same burnt-in states. The plan is stored before the first month: the "+
			"hypothesis is judged by it.", "以相同种子、相同预热状态启动实验组与对照组。plan 在第一个月之前存档，假设以此为准。",
		experiment, Argument{"replications", Replications}, Argument{"question", p.Question}, Argument{"plan", p.Criteria(p.Length())},
		Argument{"control", w.Control}, Argument{"wait_seconds", 60})
	add("get_simulation_status", running, done, "running = false",
		"Ask until the simulation has ended.", "反复查询，直到模拟结束。", experiment, Argument{"wait_seconds", 60})
	add("capture_experiment", done, []string{"captured " + w.Name}, "",
		"Mark it as research, with the question that it was started with and a hypothesis.", "标记为研究，记录启动时的问题与假设。",
		experiment, Argument{"status", "completed"}, Argument{"hypothesis", p.Hypothesis()}, Argument{"tags", []string{string(p.Type)}})
	add("analyze_experiment", done, []string{"analysis of " + w.Name}, "",
		"Treatment effects, winners and losers, diagnostics.", "处理效应、受益者与受损者、诊断。", experiment)
	add("compare_experiments", done, []string{"rows", "dynamic_effects"}, "",
		"Treatment against control as planned: the first row is the verdict on the hypothesis.", "按计划比较实验组与对照组：第一行即对假设的结论。",
		Argument{"experiment_names", []string{w.Name}})
	add("generate_experiment_report", []string{"analysis of " + w.Name}, []string{"report"}, "",
		"The report that answers the question.", "回答问题的报告。",
		experiment, Argument{"format", "markdown"}, Argument{"language", language})
	w.Guidance = p.either(
		"Make the calls in order, as they stand; repeat step 5 until running is false. Names are fixed: a second time the same question has "+
			"the same names, so if start_simulation answers conflict, the experiment is there already: go on with step 5. The verdict on the "+
			"hypothesis is that of the first row of step 8; the conclusion is in step 7 and in the report.",
		"按顺序原样调用；重复第 5 步直到 running 为 false。名称固定：同一问题名称相同，若 start_simulation 返回 conflict，说明实验已存在，请从第 5 步继续。对假设的结论是第 8 步第一行的 verdict；总体结论见第 7 "+
			"步的 conclusion 和报告。")
	return w
}
