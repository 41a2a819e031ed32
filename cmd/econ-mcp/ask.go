package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/term"
)

// askOptions are the flags of econ-mcp ask.
type askOptions struct {
	out, lang    string
	window       string
	question     lab.Question
	seed         uint64
	threads      int
	replications string
	halfWidth    float64
	most         int
	robust, dry  bool
	posterior    posteriorDraws
	yaml         bool // of an inquiry
	model        modelOptions
	yes          bool // run what a model wrote
	shown        bool // the plan was, to be confirmed
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

With --provider a language model writes the inquiry of the question. It sees no results,
what it writes is checked as a file is, and nothing runs before you confirm it (or --yes).

Burnt-in states are kept: a second question about the same economy is answered in less
time. The exit code is 4 where the question is asked back and 5 where it is out of scope;
stderr, with --json stdout, then says what may be meant or asked.`,
		Example: `  econ-mcp ask "How will AI agents reshape the labour market?"
  econ-mcp ask "Who pays for a VAT rise from 8% to 15%?" --out vat
  econ-mcp ask "把增值税从8%提高到10%会怎样？"
  econ-mcp ask "What happens if we give everyone 500 a month?" --json
  econ-mcp ask "Cut the deficit by a third" --dry-run
  econ-mcp ask "Cut the deficit by a third" --dry-run --yaml > deficit.yaml
  econ-mcp ask deficit.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				o.question.Seed = &o.seed
			}
			if path, ok := inquiryFile(args); ok {
				return o.inquire(cmd, path)
			}
			o.question.Text = strings.Join(args, " ")
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.question.Households, "households", 0, "households of each economy (num_households), those of the base if not given")
	f.IntVar(&o.question.Months, "months", inquiry.DefaultMonths, "months after burn-in; without this flag the question may ask for more")
	f.StringVar(&o.replications, "replications", fmt.Sprint(inquiry.DefaultReplications),
		"pairs of economies, each with its own seed, or auto: added until the effect on the first outcome is known to --half-width")
	f.Float64Var(&o.halfWidth, "half-width", lab.DefaultHalfWidth,
		"of the effect's 95 % interval, relative to the effect, up to 0.5; for --replications auto")
	f.IntVar(&o.most, "max-replications", lab.DefaultMaxReplications, "the most that --replications auto comes to")
	f.Uint64Var(&o.seed, "seed", 1, "base seed (random_state)")
	f.StringVar(&o.question.Base, "base", "", "`preset`, config or scenario file that the question is about (default \"baseline\")")
	f.StringSliceVar(&o.question.Outcomes, "outcome", nil,
		"`indicator` that it is judged by, the primary one first (default: those that the question is about); may be repeated")
	f.StringVar(&o.window, "window", "", "months that all outcomes are judged by, as `FROM:TO` (default: the transition and the end)")
	f.StringVar(&o.lang, "lang", "auto", "language of the answer: en, zh, or auto, that of the question")
	f.StringVar(&o.out, "out", "", "`folder` to write report, figures, tables, scenarios and metadata to")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	f.BoolVar(&o.question.Assume, "assume", false, "take what is proposed first wherever the question leaves something open")
	f.BoolVar(&o.robust, "robust", false, "try the verdict under five perturbations of behavioural parameters, at three times the size and in the economies of three "+
		"countries (takes twelve times as long)")
	o.posterior.define(f)
	f.BoolVar(&o.dry, "dry-run", false, "print the plan and stop: nothing is simulated or stored")
	f.BoolVar(&o.yaml, "yaml", false, "with --dry-run: print the inquiry with every default, to edit it and ask the file")
	o.model.define(f, 5*time.Minute)
	f.BoolVar(&o.model.textCalls, "text-calls", false, "the model has no function calling: it answers in its text")
	f.BoolVar(&o.yes, "yes", false, "with --provider: run what the model wrote without asking")
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
	if o.question.Language, err = languageOf(o.lang); err != nil {
		return err
	}
	if o.question.Replications, err = lab.ParseReplications("--replications", o.replications); err != nil {
		return err
	}
	if given("half-width") {
		o.question.HalfWidth = &o.halfWidth
	}
	if given("max-replications") {
		o.question.MaxReplications = &o.most
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"--households", o.question.Households}, {"--months", o.question.Months}} {
		if n.value < 1 && given(n.flag[2:]) {
			return fault.Range(n.flag, fmt.Sprint(n.value), "1 or more")
		}
	}
	if !given("months") {
		o.question.Months = 0 // as far as the question looks
	}
	if o.question.Window, err = fromTo(o.window, "1:24"); err != nil {
		return err
	}
	if o.yaml && !o.dry {
		return fault.New(fault.Conflict, "--yaml", "--yaml prints an inquiry instead of carrying it out").WithHint("add --dry-run")
	}
	if o.threads < 0 {
		return fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	if o.dry && (o.robust || o.posterior.file != "" || o.out != "") {
		return fault.New(fault.Conflict, "--dry-run", "--dry-run simulates nothing: there is nothing to try again and nothing to write").
			WithHint("leave out --robust, --posterior and --out, or --dry-run")
	}
	return o.posterior.read(given)
}

func (o *askOptions) run(cmd *cobra.Command) error {
	begin := time.Now()
	if err := o.check(cmd.Flags().Changed); err != nil {
		return err
	}
	if o.yes && o.model.provider == noModel {
		return fault.New(fault.Conflict, "--yes", "--yes confirms what a model wrote, and there is none").
			WithHint("leave it out, or add --provider")
	}
	if strings.TrimSpace(o.question.Text) == "" {
		return fault.New(fault.Required, "question", "the question is missing").
			WithHint(`for example econ-mcp ask "What happens if VAT rises from 8% to 15%?"`)
	}
	o.question.Principal = owner
	if isYAML(o.question.Base) {
		file, err := scenarioFile("--base", o.question.Base)
		if err != nil {
			return err
		}
		o.question.File, o.question.Base = &file, "file-"+file.Hash()[:8]
	}
	if _, err := o.model.client(nil); err != nil { // before anything is opened
		return err
	}
	return o.with(cmd, func(a *app.App) error {
		proposal, err := o.propose(cmd, a)
		if err == nil && proposal.Reading.Status != question.Ready {
			proposal, err = o.decide(cmd, a, proposal)
		}
		if err == nil {
			err = o.confirm(cmd, proposal)
		}
		if err != nil {
			return err
		}
		return o.answer(cmd, a, proposal, begin)
	})
}

// with opens the data folder; a plan alone makes none.
func (o *askOptions) with(cmd *cobra.Command, work func(a *app.App) error) error {
	settings := app.Options{Runs: run.Settings{Threads: o.threads}}
	if o.dry {
		return withReader(cmd, settings, work)
	}
	return withApp(cmd, settings, work)
}

// decide has a person at a terminal choose what a question means. Elsewhere, and of what is out of scope,
// it prints what is asked back, and fails.
func (o *askOptions) decide(cmd *cobra.Command, w *app.App, p lab.Proposal) (lab.Proposal, error) {
	r := p.Reading
	if !wantsJSON(cmd) {
		term.AskBack(cmd.ErrOrStderr(), r, p.Language)
	} else if err := encodeJSON(cmd.OutOrStdout(), newReadingDocument(p), "  "); err != nil {
		return p, err
	}
	if r.Status == question.OutOfScope {
		return p, fault.New(codeOutOfScope, "question", "the question is out of scope").
			WithHint("ask one of those above, or see econ-mcp design levers")
	}
	undecided := fault.New(codeUndecided, "question", "the question can be read in more than one way").
		WithHint("say which is meant, or add --assume to take what is proposed first")
	if wantsJSON(cmd) || o.dry || len(r.Questions) == 0 || len(r.Questions[0].Choices) == 0 || !atTerminal(cmd) {
		return p, undecided
	}
	choices := r.Questions[0].Choices
	what := fmt.Sprintf(term.Say(p.Language, "Which? 1 to %d, or Enter to stop:", "选哪一项？1 至 %d，直接回车则停止："), len(choices))
	if len(choices) == 1 {
		what = term.Say(p.Language, "1 if that is meant, or Enter to stop:", "是这个意思请输入 1，否则直接回车停止：")
	}
	answer, err := prompt(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), what)
	if err != nil {
		return p, err
	}
	k, err := strconv.Atoi(strings.TrimSpace(answer))
	if err != nil || k < 1 || k > len(choices) {
		return p, undecided
	}
	return w.Lab.Chosen(o.question, r, choices[k-1])
}

// answer carries a proposal out, or says what it would do.
func (o *askOptions) answer(cmd *cobra.Command, w *app.App, proposal lab.Proposal, begin time.Time) error {
	ctx, out, log := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if o.yaml {
		_, err := out.Write(proposal.Inquiry.Encode())
		return err
	}
	if !wantsJSON(cmd) && !o.shown {
		term.Plan(out, proposal)
	}
	if o.dry {
		return printed(cmd, newReadingDocument(proposal), func(io.Writer) {})
	}
	single := len(proposal.Scenarios) == 2 && proposal.Scenarios[0].Name == lab.ControlArm
	if flag := o.tries(); flag != "" && !single {
		return fault.New(fault.Conflict, flag, "%s tries the verdict on one treatment against a control, and there are other arms", flag).
			WithHint("leave it out, or ask of one arm")
	}
	if o.posterior.file != "" {
		if err := lab.DrawsFit(proposal.Inquired, o.posterior.parameters); err != nil {
			return err
		}
	}
	if o.out != "" {
		if err := prepareFolder("--out", o.out); err != nil {
			return err
		}
	}
	name, err := o.carryOut(ctx, w, proposal, log)
	if err != nil {
		return err
	}
	if !single {
		return o.arms(cmd, w, proposal, name, begin)
	}
	if o.tries() != "" {
		if err := o.perturbed(ctx, w, proposal, log); err != nil {
			return err
		}
	}
	a, err := w.Lab.Answer(ctx, name, o.question.Language, owner)
	if err != nil {
		return err
	}
	files := []string{}
	if o.out != "" {
		if files, err = writePackage(ctx, w.Lab, name, a.Language, o.out); err != nil {
			return err
		}
	}
	seconds := time.Since(begin).Seconds()
	return printed(cmd, answerDocument{newReadingDocument(proposal), newResultDocument(a), files, seconds}, func(out io.Writer) {
		term.Answer(out, a, files)
		term.Robustness(out, a)
		fmt.Fprintln(out, term.Say(a.Language, fmt.Sprintf("Answered in %.0f s.", seconds), fmt.Sprintf("用时 %.0f 秒。", seconds)))
	})
}

// arms tells what an experiment shows that is not one treatment against a control: several arms, or one
// economy.
func (o *askOptions) arms(cmd *cobra.Command, w *app.App, p lab.Proposal, name string, begin time.Time) error {
	ctx := cmd.Context()
	doc := armsDocument{readingDocument: newReadingDocument(p), ExperimentName: name, Intervals: report.Intervals, Files: []string{}}
	var err error
	if len(p.Inquiry.Compare) > 0 {
		comparison, err := w.Lab.Compare(ctx, []string{name}, inference.Choice{}, p.Language, owner)
		if err != nil {
			return err
		}
		doc.Comparison = &comparison
		if doc.Conclusion, err = w.Lab.Findings(ctx, name, p.Language, owner); err != nil {
			return err
		}
	} else if doc.Conclusion, err = w.Lab.Implausible(ctx, name, p.Language); err != nil {
		return err
	}
	if o.out != "" {
		if doc.Files, err = writePackage(ctx, w.Lab, name, p.Language, o.out); err != nil {
			return err
		}
	}
	doc.Seconds = time.Since(begin).Seconds()
	return printed(cmd, doc, func(out io.Writer) {
		if doc.Comparison != nil {
			term.Findings(out, doc.Conclusion, p.Language)
			term.Comparison(out, *doc.Comparison)
		} else {
			term.Notes(out, doc.Conclusion, p.Language)
		}
		fmt.Fprintf(out, "%s: econ-mcp show %s, econ-mcp report %[2]s\n", term.Say(p.Language, "more", "更多"), name)
	})
}

// carryOut starts what was proposed and waits for its end.
func (o *askOptions) carryOut(ctx context.Context, w *app.App, proposal lab.Proposal, log io.Writer) (name string, err error) {
	started, err := w.Lab.Ask(ctx, proposal.Inquired)
	if err != nil {
		return "", err
	}
	end, err := follow(ctx, w.Runs, started.Name, log)
	if err != nil {
		return "", err
	}
	if proposal.Inquiry.Question == "" { // it is kept, and not captured
		return started.Name, nil
	}
	return started.Name, w.Lab.Concluded(ctx, started.Name, end.State)
}

// perturbed asks the question again under each perturbation.
func (o *askOptions) perturbed(ctx context.Context, w *app.App, first lab.Proposal, log io.Writer) error {
	for _, p := range o.perturbations(first.Inquiry) {
		if !p.Fits(first.Inquiry) {
			continue
		}
		q := o.question
		q.Perturbation, q.Tries = &p, first.PlanHash
		what := p.Text()
		proposal, err := w.Lab.Proposed(q, first.Reading)
		if err == nil {
			fmt.Fprintf(log, "with %s\n", what)
			_, err = o.carryOut(ctx, w, proposal, log)
		}
		if refused, ok := errors.AsType[*fault.Error](err); ok && ctx.Err() == nil { // the answer stands without it
			fmt.Fprintf(log, "without %s: %s\n", what, refused.Message)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answerDocument is the JSON form of an answer, with how the question was read.
type answerDocument struct {
	readingDocument
	resultDocument
	Files   []string `json:"files"`
	Seconds float64  `json:"seconds"`
}

// armsDocument is the JSON form of what several arms show.
type armsDocument struct {
	readingDocument
	ExperimentName string                `json:"experiment_name"`
	Conclusion     []string              `json:"conclusion"` // paragraphs, in the language of the question
	Intervals      string                `json:"intervals"`  // see [report.Intervals]
	Comparison     *inference.Comparison `json:"comparison"`
	Files          []string              `json:"files"`
	Seconds        float64               `json:"seconds"`
}

// resultDocument is the JSON form of what an experiment answers.
type resultDocument struct {
	ExperimentName string                    `json:"experiment_name"`
	Answer         string                    `json:"answer"`
	Verdict        inference.Verdict         `json:"verdict"`
	VerdictText    string                    `json:"verdict_text"`
	Intervals      string                    `json:"intervals"` // see [report.Intervals]
	Effects        []inference.ComparisonRow `json:"effects"`
	Distribution   []inference.GainRow       `json:"distribution_effects"`
	Warnings       []string                  `json:"warnings"`
	Robustness     []report.Robustness       `json:"robustness,omitempty"`
	Posterior      *report.Spread            `json:"posterior,omitempty"` // the effect over the draws among them
}

func newResultDocument(a lab.Answer) resultDocument {
	return resultDocument{
		ExperimentName: a.Experiment.Name, Answer: a.Answered.Sentence, Verdict: a.Answered.Verdict, VerdictText: a.Answered.VerdictText,
		Intervals: report.Intervals, Effects: a.Analysis.Treatment, Distribution: a.Analysis.Distribution.Rows, Robustness: a.Robustness,
		Posterior: report.SpreadOf(a.Robustness), Warnings: append([]string{}, report.Cautions(&a.Analysis.Diagnostics, a.Language)...),
	}
}
