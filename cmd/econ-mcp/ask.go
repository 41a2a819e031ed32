package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// askOptions are the flags of econ-mcp ask.
type askOptions struct {
	data, out, lang, base string
	inquiry               lab.Inquiry
	seed                  uint64
	threads               int
	json, robust, dry     bool
}

func newAsk() *cobra.Command {
	o := &askOptions{}
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question about an economy by an experiment",
		Long: `Reads a question in English or Chinese, prints what will be done to answer it, does
it, and answers: a control and a treatment that differ in nothing but what the question
is about live through the same luck, again and again. The plan is stored, with its hash,
before the first month is simulated, and the experiment stays: econ-mcp show, report,
compare, export and rerun take its name.

Burnt-in states are kept: a second question about the same economy is answered in less
time. The exit code is 2 where no experiment follows from the question; stderr then says
what may be asked.`,
		Example: `  econ-mcp ask "How will AI agents reshape the labour market?"
  econ-mcp ask "Who pays for a VAT rise from 8% to 15%?" --out vat
  econ-mcp ask "把最低工资提高20%会怎样？"
  econ-mcp ask "What happens if we give everyone 500 a month?" --json
  econ-mcp ask "Cut the deficit by a third" --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				o.inquiry.Seed = &o.seed
			}
			o.inquiry.Question = strings.Join(args, " ")
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), cmd.Flags().Changed)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.inquiry.Households, "households", lab.AskHouseholds, "households of each economy (num_households)")
	f.IntVar(&o.inquiry.Months, "months", lab.AskMonths, "months after burn-in; the question may ask for more")
	f.IntVar(&o.inquiry.Replications, "replications", lab.AskReplications, "pairs of economies, each with its own seed")
	f.Uint64Var(&o.seed, "seed", 1, "base seed (random_state)")
	f.StringVar(&o.base, "base", "", "`preset` or config that the question is about (default \"baseline\")")
	f.StringVar(&o.lang, "lang", "auto", "language of the answer: en, zh, or auto, that of the question")
	f.StringVar(&o.out, "out", "", "`folder` to write report, figures, tables, scenarios and metadata to")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	f.BoolVar(&o.robust, "robust", false, "try the verdict under five perturbations of behavioural parameters (takes six times as long)")
	f.BoolVar(&o.dry, "dry-run", false, "print the plan and stop: nothing is simulated or stored")
	f.BoolVar(&o.json, "json", false, "print the answer as JSON, with the plan and all effects")
	dataFlag(cmd, &o.data)
	return cmd
}

// languageOf checks a choice of language; "" is that of the question.
func languageOf(lang string) (string, error) {
	switch {
	case lang == "auto" || lang == "":
		return "", nil
	case slices.Contains(analysis.ReportLanguages, lang):
		return lang, nil
	}
	return "", fault.Range("--lang", fmt.Sprintf("%q", lang), "en", "zh", "auto")
}

// check refuses what flags cannot be, before anything is opened.
func (o *askOptions) check(given func(flag string) bool) (err error) {
	o.inquiry.Base = o.base
	if o.inquiry.Language, err = languageOf(o.lang); err != nil {
		return err
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"--households", o.inquiry.Households}, {"--months", o.inquiry.Months}, {"--replications", o.inquiry.Replications}} {
		if n.value < 1 {
			return fault.Range(n.flag, fmt.Sprint(n.value), "1 or more")
		}
	}
	if !given("months") {
		o.inquiry.Months = 0 // as far as the question looks
	}
	if o.threads < 0 {
		return fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	if o.dry && (o.robust || o.out != "") {
		e := fault.New(fault.Conflict, "--dry-run", "--dry-run simulates nothing: there is nothing to try again and nothing to write")
		e.Hint = "leave out --robust and --out, or --dry-run"
		return e
	}
	return nil
}

func (o *askOptions) run(ctx context.Context, out, log io.Writer, given func(flag string) bool) error {
	begin := time.Now()
	if err := o.check(given); err != nil {
		return err
	}
	if strings.TrimSpace(o.inquiry.Question) == "" {
		if !o.json {
			writeHelp(log, &lab.NoExperiment{}, o.inquiry.Language)
		}
		e := fault.New(fault.WrongType, "question", "the question is missing")
		e.Hint = `for example econ-mcp ask "What happens if VAT rises from 8% to 15%?"`
		return e
	}
	w, err := openWorkshop(o.data, workshopOptions{threads: o.threads})
	if err != nil {
		return err
	}
	err = o.answer(ctx, w, begin, out, log)
	if e := w.close(); err == nil {
		err = e
	}
	return err
}

func (o *askOptions) answer(ctx context.Context, w *workshop, begin time.Time, out, log io.Writer) error {
	proposal, err := w.lab.Propose(o.inquiry)
	if none, ok := errors.AsType[*lab.NoExperiment](err); ok && !o.json {
		writeHelp(log, none, o.inquiry.Language)
	}
	if err != nil {
		return err
	}
	if o.dry && o.json {
		return encodeJSON(out, newPlanDocument(proposal), "  ")
	}
	if o.out != "" {
		if err := preparePackage(o.out); err != nil {
			return err
		}
	}
	if !o.json {
		writePlan(out, proposal)
	}
	if o.dry {
		return nil
	}
	a, err := o.carryOut(ctx, w, proposal, log)
	if err != nil {
		return err
	}
	if o.robust {
		if a, err = o.perturbed(ctx, w, a, log); err != nil {
			return err
		}
	}
	files := []string{}
	if o.out != "" {
		if files, err = writePackage(w.lab, a.Experiment.Name, a.Language, o.out); err != nil {
			return err
		}
	}
	seconds := time.Since(begin).Seconds()
	if o.json {
		return encodeJSON(out, newAnswerDocument(a, files, seconds), "  ")
	}
	writeAnswer(out, a, files)
	writeRobustness(out, a)
	fmt.Fprintf(out, "%s\n", analysisWord(a.Language, fmt.Sprintf("Answered in %.0f s.", seconds), fmt.Sprintf("用时 %.0f 秒。", seconds)))
	return nil
}

// carryOut starts what was proposed, waits for its end and reads the answer.
func (o *askOptions) carryOut(ctx context.Context, w *workshop, proposal lab.Proposal, log io.Writer) (lab.Answer, error) {
	started, err := w.lab.Ask(proposal)
	if err != nil {
		return lab.Answer{}, err
	}
	end, err := follow(ctx, w.runs, started.Name, log)
	if err != nil {
		return lab.Answer{}, err
	}
	if err := w.lab.Concluded(started.Name, end.State); err != nil {
		return lab.Answer{}, err
	}
	return w.lab.Answer(started.Name, o.inquiry.Language, owner)
}

// perturbed asks the question again under each perturbation, and returns the answer with
// what became of its verdict.
func (o *askOptions) perturbed(ctx context.Context, w *workshop, a lab.Answer, log io.Writer) (lab.Answer, error) {
	for _, p := range lab.Perturbations {
		inquiry := o.inquiry
		inquiry.Perturbation, inquiry.Tries = &p, a.PlanHash
		proposal, err := w.lab.Propose(inquiry)
		if err != nil {
			return a, err
		}
		fmt.Fprintf(log, "with %s times %s\n", p.Parameter, signed(p.Factor, 2))
		if _, err := o.carryOut(ctx, w, proposal, log); err != nil {
			return a, err
		}
	}
	return w.lab.Answer(a.Experiment.Name, o.inquiry.Language, owner)
}

// analysisWord chooses between two languages.
func analysisWord(language, en, zh string) string {
	if language == analysis.Chinese {
		return zh
	}
	return en
}

// answerDocument is the JSON form of an answer.
type answerDocument struct {
	Question       string                   `json:"question"`
	Type           design.Type              `json:"question_type"`
	Levers         []lab.RegisteredLever    `json:"levers"`
	Plan           lab.Registration         `json:"plan"`
	PlanHash       string                   `json:"plan_hash"`
	Effects        []analysis.ComparisonRow `json:"effects"`
	Distribution   []analysis.GainRow       `json:"distribution_effects"`
	Answer         string                   `json:"answer"`
	Verdict        analysis.Verdict         `json:"verdict"`
	VerdictText    string                   `json:"verdict_text"`
	Warnings       []string                 `json:"warnings"`
	Robustness     []analysis.Robustness    `json:"robustness,omitempty"`
	ExperimentName string                   `json:"experiment_name"`
	Files          []string                 `json:"files"`
	Seconds        float64                  `json:"seconds"`
}

func newAnswerDocument(a lab.Answer, files []string, seconds float64) answerDocument {
	return answerDocument{
		Question: a.Registration.Question, Type: a.Registration.Type, Levers: a.Registration.Levers, Plan: a.Registration, PlanHash: a.PlanHash,
		Effects: a.Analysis.Treatment, Distribution: a.Analysis.Distribution.Rows, Answer: a.Answered.Sentence, Verdict: a.Answered.Verdict,
		VerdictText: a.Answered.VerdictText, Robustness: a.Robustness, Warnings: append([]string{}, a.Analysis.Diagnostics.Cautions(a.Language)...),
		ExperimentName: a.Experiment.Name, Files: files, Seconds: seconds,
	}
}

// page writes paragraphs in one language, wrapped for a terminal.
type page struct {
	w        io.Writer
	language string
}

func (p page) say(en, zh string) string { return analysisWord(p.language, en, zh) }

// line is a paragraph under a label.
func (p page) line(label, text string) {
	const indent = 14
	fmt.Fprintln(p.w, wrapWide(text, tableWidth, "  "+leftWide(label, indent-2), strings.Repeat(" ", indent)))
}

// paragraph stands by itself.
func (p page) paragraph(text string) { fmt.Fprintln(p.w, wrapWide(text, tableWidth, "", "")) }

// writePlan says what will be done to answer a question.
func writePlan(w io.Writer, proposal lab.Proposal) {
	r := proposal.Registration
	p := page{w, r.Language}
	p.paragraph(r.Question)
	fmt.Fprintf(w, "\n%s\n", p.say("Plan", "计划"))
	kind := fmt.Sprintf(p.say("%s (%s), confidence %s", "%s（%s），置信度 %s"), proposal.Plan.Subject(), r.Type, percent(proposal.Plan.Confidence, 0))
	if c := proposal.Plan.Candidates; len(c) > 1 {
		kind += fmt.Sprintf(p.say("; else %s, %s", "；其次 %s，%s"), c[1].Type, percent(c[1].Confidence, 0))
	}
	p.line(p.say("about", "主题"), kind)
	for i, l := range proposal.Plan.Levers {
		label := ""
		if i == 0 {
			label = p.say("changes", "改变")
		}
		p.line(label, leverText(l, p.language))
	}
	for i, s := range r.BothArms {
		label := ""
		if i == 0 {
			label = p.say("in both", "两组均设")
		}
		p.line(label, fmt.Sprintf("%s = %v", s.Parameter, s.Value))
	}
	if held := proposal.Plan.Held; len(held) > 0 {
		p.line(p.say("left alone", "保持不变"), strings.Join(held, ", "))
	}
	for i, text := range r.Unmapped {
		label := ""
		if i == 0 {
			label = p.say("not mapped", "无法映射")
		}
		p.line(label, text)
	}
	p.line(p.say("hypothesis", "假设"), r.Hypothesis)
	p.registered(r)
	if p.language == analysis.Chinese {
		p.line("设计", fmt.Sprintf("对照组与处理组各%d次重复，每个经济体%d户家庭，预热%d个月后模拟%d个月，基础种子%d", r.Replications, r.Households, r.BurnIn, r.Months, r.Seed))
	} else {
		p.line("design", fmt.Sprintf("control and treatment, %s of each, %s, %d months after a burn-in of %d, base seed %d",
			plural(r.Replications, "replication"), plural(r.Households, "household"), r.Months, r.BurnIn, r.Seed))
	}
	p.line(p.say("takes", "预计用时"), fmt.Sprintf(p.say("about %.0f s on an idle machine, less where burnt-in states are kept", "空闲机器上约 %.0f 秒；已有预热状态时更短"), max(1, proposal.EstimatedSeconds)))
	p.line(p.say("plan hash", "计划哈希"), shortHash(proposal.Hash))
	fmt.Fprintln(w)
}

// leverText says what a lever does and where its size comes from.
func leverText(l design.Lever, language string) string {
	text := l.Title(language == analysis.Chinese)
	switch {
	case l.Assumed && l.Why != "":
		if language == analysis.Chinese {
			text += "；问题未给出可用的幅度，采用默认幅度（理由见 --json 的 why）"
		} else {
			text += "; the question gives no size that fits, so a usual one: " + l.Why
		}
	case l.FromText != "":
		text += fmt.Sprintf(analysisWord(language, "; from “%s”", "；来自“%s”"), l.FromText)
	}
	if l.Note != "" {
		text += analysisWord(language, "; ", "；") + l.Note
	}
	return text
}

func outcomeNames(names []string, language string) string {
	var list []string
	for _, name := range names {
		if i, ok := sim.IndicatorByName(name); ok {
			list = append(list, analysis.Label(i, language))
		}
	}
	return strings.Join(list, analysisWord(language, ", ", "、"))
}
