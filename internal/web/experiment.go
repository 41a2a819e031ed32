package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// oneExperimentOperations are those on one experiment: what it is, what it found, and what it rests on.
func (s *Site) oneExperimentOperations() []operation {
	return slices.Concat([]operation{
		reads("/experiments/{experiment_name}", "get_experiment", "What an experiment is, and how far.", s.experiment),
		reads("/experiments/{experiment_name}/answer", "get_experiment_answer",
			"What an experiment found, in words, by the plan that was stored before it began. "+countsWhile, s.experimentAnswer),
		reads("/experiments/{experiment_name}/effects", "get_experiment_effects",
			"The effects of the arms with intervals, adjusted p-values and verdicts, by the plan. What is asked beyond the plan (another window, "+
				"other indicators) is exploratory and counted: p-values are adjusted for all that was ever asked so.", s.experimentEffects),
		reads("/experiments/{experiment_name}/path", "get_experiment_path",
			"The effect of each arm on an indicator month by month, with a band that holds the whole path. It claims nothing and is not counted.",
			s.experimentPath),
		reads("/experiments/{experiment_name}/gains", "get_experiment_gains",
			"Who gains and who loses: real incomes of households by where they stood before month 1. "+countsWhile, s.experimentGains),
		reads("/experiments/{experiment_name}/budget", "get_experiment_budget", "What each arm changes in the public budget. "+countsWhile,
			s.experimentBudget),
		reads("/experiments/{experiment_name}/firms", "get_experiment_firms",
			"Firms of an arm in a month, by industry or size. Of months before the last some numbers may be missing.", s.experimentFirms),
		reads("/experiments/{experiment_name}/changes", "get_experiment_changes",
			"What was planned in the arms and what became of it, and what was changed after the plan was made.", s.experimentInterventions),
		reads("/experiments/{experiment_name}/scenarios", "get_experiment_scenarios", "In what the arms differ.", s.experimentScenarios),
		reads("/experiments/{experiment_name}/provenance", "get_experiment_provenance",
			"Seeds, hashes and versions that determine every bit, and how to repeat it.", s.experimentProvenance),
		reads("/experiments/{experiment_name}/files", "list_experiment_files", "What can be downloaded of an experiment.", s.listFiles),
	}, s.fileOperations())
}

// countsWhile is what callers should know of what is judged of an experiment that goes on.
const countsWhile = "While the experiment runs each month is another window, beyond the plan, and is counted."

func (s *Site) oneExperimentPages() []shown {
	return []shown{{
		Pattern: "/experiments/{experiment_name}", Template: "experiment", Here: "/experiments", Script: "experiment.js", Style: "experiment.css",
		Data: s.experimentPage,
	}}
}

type experimentArgs struct {
	Experiment tools.Name `json:"experiment_name"`
}

type toldArgs struct {
	experimentArgs
	languageArgs
}

// told is a part of a report: what is said, and a table of texts.
type told struct {
	Title      string           `json:"title"`
	Paragraphs []string         `json:"paragraphs"`
	Heads      []string         `json:"heads"`
	Rows       [][]string       `json:"rows"`
	Figures    []report.Caption `json:"figures"`

	numeric []bool
}

func toldOf(s report.Section) told {
	return told{s.Title, s.Paragraphs, s.Heads, s.Rows, s.Figures, s.Numeric()}
}

// Numeric says whether a column holds numbers only.
func (t told) Numeric(column int) bool { return column < len(t.numeric) && t.numeric[column] }

// partOf is a part of a report; without one, nothing.
func partOf(r *report.Report, name string) told {
	s, _ := r.Section(name)
	return toldOf(s)
}

type experimentAnswer struct {
	Name         string   `json:"experiment_name"`
	Question     string   `json:"question"`
	Hypothesis   string   `json:"hypothesis"`
	Created      string   `json:"created"`
	Owner        string   `json:"owner" doc:"empty = who runs the program"`
	RunStatus    string   `json:"run_status"`
	Message      string   `json:"message" doc:"why it is in this state, where there is more to say"`
	Month        int      `json:"month" doc:"that all runs have reached"`
	Months       int      `json:"months"`
	Replications int      `json:"replications"`
	Households   int      `json:"households"`
	Firms        int      `json:"firms"`
	Arms         []string `json:"arms" doc:"the control first, where there are several"`
	Judgeable    bool     `json:"judgeable" doc:"it has months and will have no more: looking at it by its plan asks nothing new"`
	Outcomes     []string `json:"outcomes" doc:"that it was planned to be judged by, the primary one first"`
	Windows      [][]int  `json:"windows" doc:"months that they are judged in"`
}

func (s *Site) experiment(ctx context.Context, _ *tools.Call, in toldArgs) (experimentAnswer, error) {
	x, err := s.Lab.Store.Experiment(ctx, string(in.Experiment))
	if err != nil {
		return experimentAnswer{}, err
	}
	return experimentOf(x, in.Language), nil
}

func experimentOf(x store.Experiment, language string) experimentAnswer {
	out := experimentAnswer{
		Name: x.Name, Question: x.Question, Created: x.CreatedAt.UTC().Format(time.RFC3339), Owner: x.Principal, RunStatus: x.State,
		Message: x.Message, Month: x.Month, Months: x.Months, Replications: x.Replications, Households: x.Households, Firms: x.Firms,
		Judgeable: lab.Judgeable(x),
	}
	for _, arm := range x.Arms {
		out.Arms = append(out.Arms, arm.Name)
	}
	r, _ := lab.RegistrationOf(x)
	out.Outcomes, out.Windows = r.Outcomes, plannedWindows(r)
	if r.FromQuestion() {
		out.Hypothesis = r.HypothesisIn(language)
	}
	if c := x.Captured; c != nil {
		out.Question, out.Hypothesis = cmp.Or(c.Question, out.Question), cmp.Or(out.Hypothesis, c.Hypothesis)
	}
	return out
}

// plannedWindows are the windows of a plan, each once.
func plannedWindows(r lab.Registration) (list [][]int) {
	add := func(w []int) {
		if len(w) == 2 && !slices.ContainsFunc(list, func(other []int) bool { return slices.Equal(other, w) }) {
			list = append(list, w)
		}
	}
	for _, c := range r.Criteria {
		for _, w := range c.Windows {
			add(w)
		}
	}
	if list == nil {
		add(r.Window)
	}
	return list
}

type answerAnswer struct {
	Experiment  string            `json:"experiment_name"`
	Verdict     inference.Verdict `json:"verdict" doc:"on the hypothesis; empty = none was stated"`
	VerdictText string            `json:"verdict_text"`
	Answer      told              `json:"answer"`
	Found       []string          `json:"found" doc:"where the inquiry looks for a number: what was found"`
}

func (s *Site) experimentAnswer(ctx context.Context, c *tools.Call, in toldArgs) (answerAnswer, error) {
	r, err := s.Lab.Told(ctx, string(in.Experiment), in.Language, c.Principal)
	if err != nil {
		return answerAnswer{}, err
	}
	return answerOf(r), nil
}

func answerOf(r *report.Report) answerAnswer {
	out := answerAnswer{Experiment: r.Experiment, Verdict: r.Verdict, Answer: partOf(r, "answer"), Found: partOf(r, "found").Paragraphs}
	if r.Verdict != "" {
		out.VerdictText = report.VerdictWord(r.Verdict, r.Language)
	}
	return out
}

// onePage is what the page of an experiment shows.
type onePage struct {
	experimentAnswer
	CreatedAt     time.Time
	State         string // in words
	Running       bool   // or will, or can
	Asked         bool   // the visitor wants it judged although it goes on
	Waits         bool   // what was found is being worked out
	Problem       string // why nothing is judged although it should be
	Answer        *answerAnswer
	Effects       *effectsPart
	Gains         told
	Budget        told
	Trust         told
	Plan          []report.Said
	Interventions interventionsAnswer
	Scenarios     scenariosAnswer
	Provenance    provenanceAnswer
	Files         []fileRow
	Indicators    []indicatorChoice
	Repeat        []string // commands

	pairs int // of treatments that the plan holds against each other
}

// indicatorChoice is an indicator that charts can show.
type indicatorChoice struct{ Name, Label string }

func (s *Site) experimentPage(r *http.Request, p *page) (any, error) {
	ctx, name := r.Context(), r.PathValue("experiment_name")
	x, err := s.Lab.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	registered, _ := lab.RegistrationOf(x)
	d := onePage{
		experimentAnswer: experimentOf(x, p.Language), CreatedAt: x.CreatedAt, State: report.StateText(x.State, p.Language),
		Plan: registered.PlanText(lab.PlanHash(x.Plan), p.Language), Asked: r.URL.Query().Has("judge"),
	}
	for _, p := range registered.Compare {
		if p.With != lab.ControlArm {
			d.pairs++
		}
	}
	d.Running = !run.State(x.State).Ended() || run.State(x.State) == run.StateInterrupted
	p.Title = name
	in := toldArgs{experimentArgs{tools.Name(name)}, languageArgs{p.Language}}
	c := s.call(p.Caller)
	if d.Interventions, err = s.experimentInterventions(ctx, c, in); err != nil {
		return nil, err
	}
	if d.Scenarios, err = s.experimentScenarios(ctx, c, in); err != nil {
		return nil, err
	}
	if d.Provenance, err = s.experimentProvenance(ctx, c, in); err != nil {
		return nil, err
	}
	judged := x.Month > 0 && (d.Judgeable || d.Asked)
	d.Files = filesOf(x, p.Language, judged)
	d.Indicators = indicatorChoices(x, p.Language)
	if !judged {
		return d, nil
	}
	return d, s.judge(ctx, c, &d, r, p.Language)
}

// judge fills in what was found, as far as it is there soon: the rest is asked for by the script of the page. Of an experiment that
// goes on it is made now and once, without figures: whoever comes back for more asks about another month.
func (s *Site) judge(ctx context.Context, c *tools.Call, d *onePage, r *http.Request, language string) error {
	patience := soon
	if !d.Judgeable {
		patience = time.Minute
	}
	tell := func(ctx context.Context) (*report.Report, error) {
		return s.Lab.Told(ctx, d.Name, language, c.Principal)
	}
	made, ready, err := await(ctx, s, patience, c.Principal, "told "+d.Name+" "+language+" "+c.Principal, tell)
	if err != nil {
		return s.unjudged(d, err, language)
	}
	if d.Waits = !ready; d.Waits {
		return nil
	}
	answer := answerOf(made)
	d.Answer, d.Gains, d.Budget, d.Trust = &answer, partOf(made, "distribution"), partOf(made, "budget"), partOf(made, "trust")
	if !d.Judgeable {
		d.Gains.Figures, d.Budget.Figures = nil, nil
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("from"))
	to, _ := strconv.Atoi(r.URL.Query().Get("to"))
	if from == 0 && to == 0 {
		d.Effects = plannedEffects(made, language)
		return nil
	}
	d.Effects = &effectsPart{From: from, To: to, Chosen: true, Asked: made.Analysis.Method.Asked}
	choice, err := inference.Choice{}.Over([]int{from, to})
	if err == nil && to > d.Month {
		err = fault.Range("to", strconv.Itoa(to), fmt.Sprintf("1 to %d", d.Month))
	}
	if err == nil {
		var compared *inference.Comparison
		compare := func(ctx context.Context) (*inference.Comparison, error) {
			return s.Lab.Effects(ctx, d.Name, choice, c.Principal)
		}
		compared, ready, err = await(ctx, s, patience, c.Principal, fmt.Sprint("effects ", d.Name, " ", from, " ", to, " ", c.Principal), compare)
		if err == nil && ready {
			d.Effects = shownEffects(compared, language)
			d.Effects.Chosen = true
		}
		d.Waits = d.Waits || err == nil && !ready
	}
	if err != nil {
		e := fault.Public(err)
		d.Effects.Problem = e.MessageIn(language)
	}
	return nil
}

// unjudged shows why nothing is judged, where that is no mistake of the program.
func (s *Site) unjudged(d *onePage, err error, language string) error {
	if fault.KindOf(err) == "" || fault.KindOf(err) == fault.Internal {
		return err
	}
	d.Problem = fault.Public(err).MessageIn(language)
	return nil
}

// soon is how long a page waits for what takes long; then it is sent without.
const soon = 100 * time.Millisecond

// await is what make returns, or ready = false where that takes longer than the caller has patience. It goes on nevertheless, once
// for all who ask, and what it makes is kept by the laboratory.
func await[T any](
	ctx context.Context, s *Site, patience time.Duration, principal, key string, make func(context.Context) (T, error),
) (made T, ready bool, err error) {
	done := s.making.DoChan(key, func() (made any, err error) {
		defer func() {
			if p := recover(); p != nil { // in a goroutine of its own, where it would end the program
				err = fmt.Errorf("%s: %v", key, p)
			}
		}()
		if err := s.waiting.take(principal, mostWaiting, "comparisons under way"); err != nil {
			return nil, err
		}
		defer s.waiting.give(principal)
		ctx, cancel := s.lasting(ctx)
		defer cancel()
		return make(ctx)
	})
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case r := <-done:
		made, _ = r.Val.(T)
		return made, true, r.Err
	case <-late.C:
		return made, false, nil
	case <-ctx.Done():
		return made, false, ctx.Err()
	}
}

// indicatorChoices are the indicators that an experiment has: planned outcomes first, then the headline ones, then breakdowns.
func indicatorChoices(x store.Experiment, language string) (list []indicatorChoice) {
	r, _ := lab.RegistrationOf(x)
	seen := map[string]bool{}
	add := func(i sim.Indicator) {
		if _, needs := i.OnControlGDP(); seen[i.String()] || needs && len(x.Arms) < 2 {
			return
		}
		seen[i.String()] = true
		list = append(list, indicatorChoice{i.String(), report.Label(i, language)})
	}
	for _, name := range r.Outcomes {
		if i, ok := sim.IndicatorByName(name); ok {
			add(i)
		}
	}
	for i := range sim.NumOutcomes {
		add(i)
	}
	return list
}

// windowsText writes windows, such as "1–12, 49–60".
func windowsText(windows [][]int) string {
	var list []string
	for _, w := range windows {
		list = append(list, fmt.Sprintf("%d–%d", w[0], w[1]))
	}
	return strings.Join(list, ", ")
}

// WindowsText are the planned windows for people.
func (d onePage) WindowsText() string { return windowsText(d.Windows) }

// Hypotheses is how many a look at another window asks.
func (d onePage) Hypotheses() int { return len(d.Outcomes) * (len(d.Arms) - 1 + d.pairs) }

// VerdictClass is the colour of the verdict, beside which there are a sign and a word.
func (d onePage) VerdictClass() string {
	switch d.Answer.Verdict {
	case inference.Supported:
		return "good"
	case inference.Contradicted, inference.EquivalentToZero:
		return "bad"
	}
	return ""
}

// VerdictMark is the sign of the verdict.
func (d onePage) VerdictMark() string {
	switch d.Answer.Verdict {
	case inference.Supported:
		return "✓"
	case inference.Contradicted, inference.EquivalentToZero:
		return "✗"
	}
	return "?"
}

// ArmsJSON are the names of the arms for scripts.
func (d onePage) ArmsJSON() (string, error) {
	text, err := json.Marshal(d.Arms)
	return string(text), err
}
