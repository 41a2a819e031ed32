package automation

import (
	"encoding/json"
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
)

// replications of each arm where nobody says otherwise, in words of guidance.
var replications = fmt.Sprint(inquiry.DefaultReplications)

type step struct {
	Step        int             `json:"step"`
	Tool        string          `json:"tool"`
	Params      json.RawMessage `json:"tool_params"`
	Description string          `json:"description"`
	Needs       []string        `json:"needs"`
	Produces    []string        `json:"produces"`
	Repeat      string          `json:"repeat_until,omitempty"`
}

// workflow is what get_experiment_workflow answers.
type workflow struct {
	Question   string          `json:"question" doc:"Its first 300 characters"`
	Status     question.Status `json:"status" enum:"ready,needs_clarification,out_of_scope"`
	ReadBack   string          `json:"read_back"`
	Type       question.Type   `json:"question_type"`
	Experiment string          `json:"experiment_name"`
	Steps      []step          `json:"steps" doc:"Empty unless ready"`
	Guidance   string          `json:"guidance"`
	Hypothesis string          `json:"hypothesis"`
	Outcomes   []string        `json:"outcomes_to_watch"`
}

// echoed is how much of a question an answer repeats.
const echoed = 300

// arguments of a call, in the order of the tool's schema.
type arguments struct {
	Names      []string        `json:"experiment_names,omitempty"`
	Experiment string          `json:"experiment_name,omitempty"`
	Inquiry    json.RawMessage `json:"inquiry,omitempty"`
	Status     string          `json:"status,omitempty"`
	Hypothesis string          `json:"hypothesis,omitempty"`
	Tags       []string        `json:"tags,omitempty"`
	Format     string          `json:"format,omitempty"`
	Language   string          `json:"language,omitempty"`
	Wait       int             `json:"wait_seconds,omitempty"`
}

// newWorkflow lists the calls that carry an inquiry out. All names are fixed beforehand, so that each
// call can be made as it stands.
func newWorkflow(p lab.Proposal) (workflow, error) {
	a, err := newAnalysis(p)
	if err != nil {
		return workflow{}, err
	}
	w := workflow{
		Question: fault.Shorten(p.Reading.Question, echoed), Status: a.Status, ReadBack: a.ReadBack, Type: a.Type,
		Outcomes: a.Outcomes, Hypothesis: a.Hypothesis,
	}
	say := func(en, zh string) string { return either(p.Language, en, zh) }
	if a.Status != question.Ready {
		w.Guidance = a.Description + say(" Call analyze_question; "+askBack, " 请调用 analyze_question；"+askBackZH)
		return w, nil
	}
	w.Experiment = a.Name
	running, done := []string{"experiment " + a.Name}, []string{"months of " + a.Name}
	add := func(tool string, needs, produces []string, repeat, en, zh string, in arguments) {
		params, failed := json.Marshal(in)
		if failed != nil {
			err = failed
		}
		w.Steps = append(w.Steps, step{len(w.Steps) + 1, tool, params, say(en, zh), needs, produces, repeat})
	}
	add("start_simulation", nil, running, "",
		"Start all arms of the inquiry on the same seeds. The plan is stored before the first month: the hypothesis is judged by it.",
		"以相同种子启动该提问的全部各组。计划在第一个月之前存档，假设以此为准。",
		arguments{Experiment: a.Name, Inquiry: *a.Inquiry, Wait: 60})
	add("get_simulation_status", running, done, "running = false", "Ask until the simulation has ended.", "反复查询，直到模拟结束。",
		arguments{Experiment: a.Name, Wait: 60})
	add("capture_experiment", done, []string{"captured " + a.Name}, "",
		"Mark it as research, with the question that it was started with and a hypothesis.", "标记为研究，记录启动时的问题与假设。",
		arguments{Experiment: a.Name, Status: "completed", Hypothesis: a.Hypothesis, Tags: []string{string(a.Type)}})
	add("analyze_experiment", done, []string{"analysis of " + a.Name}, "", "Treatment effects, winners and losers, diagnostics.",
		"处理效应、受益者与受损者、诊断。", arguments{Experiment: a.Name})
	add("compare_experiments", done, []string{"rows", "dynamic_effects"}, "",
		"The arms as planned: the first row is the verdict on the hypothesis.", "按计划比较各组：第一行即对假设的结论。",
		arguments{Names: []string{a.Name}})
	add("generate_experiment_report", []string{"analysis of " + a.Name}, []string{"report"}, "", "The report that answers the question.",
		"回答问题的报告。", arguments{Experiment: a.Name, Format: "markdown", Language: p.Language})
	w.Guidance = say(
		"Make the calls in order, as they stand; repeat step 2 until running is false. Names are fixed: a second time the same question has "+
			"the same name, so if start_simulation answers conflict, the experiment is there already: go on with step 2. The verdict on the "+
			"hypothesis is that of the first row of step 5; the conclusion is in step 4 and in the report.",
		"按顺序原样调用；重复第 2 步直到 running 为 false。名称固定：同一问题名称相同，若 start_simulation 返回 conflict，说明实验已存在，请从第 2 步继续。对假设的结论是第 5 步第一行的 verdict；总体结论见第 4 "+
			"步的 conclusion 和报告。")
	return w, err
}
