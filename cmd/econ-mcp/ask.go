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

	"econ-mcp/internal/app"
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/term"
)

// askOptions are the flags of econ-mcp ask.
type askOptions struct {
	out, lang    string
	inquiry      lab.Inquiry
	seed         uint64
	threads      int
	replications string
	halfWidth    float64
	most         int
	robust, dry  bool
	yaml         bool // of an inquiry
}

func newAsk() *cobra.Command {
	o := &askOptions{}
	cmd := &cobra.Command{
		Use:   "ask QUESTION | FILE",
		Short: "Answer a question about an economy by an experiment",
		Long: `Reads a question in English or Chinese, prints what will be done to answer it, does
it, and answers: a control and a treatment that differ in nothing but what the question
is about meet the same random draws, again and again. The plan is stored, with its hash,
before the first month is simulated, and the experiment stays: econ-mcp show, report,
compare, export and rerun take its name.

A FILE.yaml or FILE.json holds an inquiry: background, any number of arms and doses
against one control, outcomes with windows, design. --dry-run --yaml writes one of a question.

Burnt-in states are kept: a second question about the same economy is answered in less
time. The exit code is 2 where no experiment follows from the question; stderr then says
what may be asked.`,
		Example: `  econ-mcp ask "How will AI agents reshape the labour market?"
  econ-mcp ask "Who pays for a VAT rise from 8% to 15%?" --out vat
  econ-mcp ask "把最低工资提高20%会怎样？"
  econ-mcp ask "What happens if we give everyone 500 a month?" --json
  econ-mcp ask "Cut the deficit by a third" --dry-run
  econ-mcp ask "Cut the deficit by a third" --dry-run --yaml > deficit.yaml
  econ-mcp ask deficit.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				o.inquiry.Seed = &o.seed
			}
			if path, ok := inquiryFile(args); ok {
				return o.inquire(cmd, path)
			}
			o.inquiry.Question = strings.Join(args, " ")
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.inquiry.Households, "households", 0, "households of each economy (num_households), those of the base if not given")
	f.IntVar(&o.inquiry.Months, "months", design.Months, "months after burn-in; the question may ask for more")
	f.StringVar(&o.replications, "replications", fmt.Sprint(design.Replications),
		"pairs of economies, each with its own seed, or auto: added until the effect on the first outcome is known to --half-width")
	f.Float64Var(&o.halfWidth, "half-width", lab.DefaultHalfWidth,
		"of the effect's 95 % interval, relative to the effect, up to 0.5; for --replications auto")
	f.IntVar(&o.most, "max-replications", lab.DefaultMaxReplications, "the most that --replications auto comes to")
	f.Uint64Var(&o.seed, "seed", 1, "base seed (random_state)")
	f.StringVar(&o.inquiry.Base, "base", "", "`preset` or config that the question is about (default \"baseline\")")
	f.StringVar(&o.lang, "lang", "auto", "language of the answer: en, zh, or auto, that of the question")
	f.StringVar(&o.out, "out", "", "`folder` to write report, figures, tables, scenarios and metadata to")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	f.BoolVar(&o.robust, "robust", false, "try the verdict under five perturbations of behavioural parameters (takes six times as long)")
	f.BoolVar(&o.dry, "dry-run", false, "print the plan and stop: nothing is simulated or stored")
	f.BoolVar(&o.yaml, "yaml", false, "with --dry-run: print the inquiry with every default, to edit it and ask the file")
	storeFlags(cmd, "print the answer as JSON, with the plan and all effects")
	return cmd
}

// languageOf checks a choice of language; "" is that of the question.
func languageOf(lang string) (string, error) {
	switch {
	case lang == "auto" || lang == "":
		return "", nil
	case slices.Contains(report.Languages, lang):
		return lang, nil
	}
	return "", fault.Range("--lang", fmt.Sprintf("%q", lang), "en", "zh", "auto")
}

// check refuses wrong values of flags, before anything is opened.
func (o *askOptions) check(given func(flag string) bool) (err error) {
	if o.inquiry.Language, err = languageOf(o.lang); err != nil {
		return err
	}
	if o.inquiry.Replications, err = lab.ParseReplications("--replications", o.replications); err != nil {
		return err
	}
	if given("half-width") {
		o.inquiry.HalfWidth = &o.halfWidth
	}
	if given("max-replications") {
		o.inquiry.MaxReplications = &o.most
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"--households", o.inquiry.Households}, {"--months", o.inquiry.Months}} {
		if n.value < 1 && given(n.flag[2:]) {
			return fault.Range(n.flag, fmt.Sprint(n.value), "1 or more")
		}
	}
	if !given("months") {
		o.inquiry.Months = 0 // as far as the question looks
	}
	if o.yaml && !o.dry {
		return fault.New(fault.Conflict, "--yaml", "--yaml prints an inquiry instead of carrying it out").WithHint("add --dry-run")
	}
	if o.threads < 0 {
		return fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	if o.dry && (o.robust || o.out != "") {
		return fault.New(fault.Conflict, "--dry-run", "--dry-run simulates nothing: there is nothing to try again and nothing to write").
			WithHint("leave out --robust and --out, or --dry-run")
	}
	return nil
}

func (o *askOptions) run(cmd *cobra.Command) error {
	begin := time.Now()
	if err := o.check(cmd.Flags().Changed); err != nil {
		return err
	}
	if strings.TrimSpace(o.inquiry.Question) == "" {
		if !wantsJSON(cmd) {
			term.Help(cmd.ErrOrStderr(), &lab.NoExperiment{}, o.inquiry.Language)
		}
		return fault.New(fault.Required, "question", "the question is missing").
			WithHint(`for example econ-mcp ask "What happens if VAT rises from 8% to 15%?"`)
	}
	return withApp(cmd, app.Options{Runs: run.Settings{Threads: o.threads}}, func(a *app.App) error { return o.answer(cmd, a, begin) })
}

func (o *askOptions) answer(cmd *cobra.Command, w *app.App, begin time.Time) error {
	ctx, out, log := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	proposal, err := w.Lab.Propose(o.inquiry)
	if none, ok := errors.AsType[*lab.NoExperiment](err); ok && !wantsJSON(cmd) {
		term.Help(log, none, o.inquiry.Language)
	}
	if err != nil {
		return err
	}
	if o.yaml {
		text := proposal.Inquiry().Encode()
		if _, err := inquiry.Decode(text); err != nil { // a seed that no inquiry can say
			return err
		}
		_, err := out.Write(text)
		return err
	}
	if o.dry && wantsJSON(cmd) {
		doc, err := newPlanDocument(proposal)
		if err != nil {
			return err
		}
		return encodeJSON(out, doc, "  ")
	}
	if o.out != "" {
		if err := prepareFolder("--out", o.out); err != nil {
			return err
		}
	}
	if !wantsJSON(cmd) {
		term.Plan(out, proposal)
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
		if files, err = writePackage(ctx, w.Lab, a.Experiment.Name, a.Language, o.out); err != nil {
			return err
		}
	}
	seconds := time.Since(begin).Seconds()
	return printed(cmd, newAnswerDocument(a, files, seconds), func(out io.Writer) {
		term.Answer(out, a, files)
		term.Robustness(out, a)
		fmt.Fprintln(out, term.Say(a.Language, fmt.Sprintf("Answered in %.0f s.", seconds), fmt.Sprintf("用时 %.0f 秒。", seconds)))
	})
}

// carryOut starts what was proposed, waits for its end and reads the answer.
func (o *askOptions) carryOut(ctx context.Context, w *app.App, proposal lab.Proposal, log io.Writer) (lab.Answer, error) {
	started, err := w.Lab.Ask(ctx, proposal)
	if err != nil {
		return lab.Answer{}, err
	}
	end, err := follow(ctx, w.Runs, started.Name, log)
	if err != nil {
		return lab.Answer{}, err
	}
	if err := w.Lab.Concluded(ctx, started.Name, end.State); err != nil {
		return lab.Answer{}, err
	}
	return w.Lab.Answer(ctx, started.Name, o.inquiry.Language, owner)
}

// perturbed asks the question again under each perturbation, and returns the answer with
// what became of its verdict.
func (o *askOptions) perturbed(ctx context.Context, w *app.App, a lab.Answer, log io.Writer) (lab.Answer, error) {
	for _, p := range lab.Perturbations {
		inquiry := o.inquiry
		inquiry.Perturbation, inquiry.Tries = &p, a.PlanHash
		proposal, err := w.Lab.Propose(inquiry)
		if err != nil {
			return a, err
		}
		fmt.Fprintf(log, "with %s times %s\n", p.Parameter, report.FormatNumber(p.Factor, 2))
		if _, err := o.carryOut(ctx, w, proposal, log); err != nil {
			return a, err
		}
	}
	return w.Lab.Answer(ctx, a.Experiment.Name, o.inquiry.Language, owner)
}

// answerDocument is the JSON form of an answer.
type answerDocument struct {
	Question       string                    `json:"question"`
	Type           design.Type               `json:"question_type"`
	Levers         []lab.RegisteredLever     `json:"levers"`
	Plan           lab.Registration          `json:"plan"`
	PlanHash       string                    `json:"plan_hash"`
	Effects        []inference.ComparisonRow `json:"effects"`
	Distribution   []inference.GainRow       `json:"distribution_effects"`
	Answer         string                    `json:"answer"`
	Verdict        inference.Verdict         `json:"verdict"`
	VerdictText    string                    `json:"verdict_text"`
	Warnings       []string                  `json:"warnings"`
	Robustness     []report.Robustness       `json:"robustness,omitempty"`
	ExperimentName string                    `json:"experiment_name"`
	Files          []string                  `json:"files"`
	Seconds        float64                   `json:"seconds"`
}

func newAnswerDocument(a lab.Answer, files []string, seconds float64) answerDocument {
	return answerDocument{
		Question: a.Registration.Question, Type: a.Registration.Type, Levers: a.Registration.Levers, Plan: a.Registration, PlanHash: a.PlanHash,
		Effects: a.Analysis.Treatment, Distribution: a.Analysis.Distribution.Rows, Answer: a.Answered.Sentence, Verdict: a.Answered.Verdict,
		VerdictText: a.Answered.VerdictText, Robustness: a.Robustness, Warnings: append([]string{},
			report.Cautions(&a.Analysis.Diagnostics, a.Language)...),
		ExperimentName: a.Experiment.Name, Files: files, Seconds: seconds,
	}
}
