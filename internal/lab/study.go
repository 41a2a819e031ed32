package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Study is what is stored of an experiment, as analyses need it, up to the last month that
// all its runs have: over the main window that the choice means.
func (l *Laboratory) Study(ctx context.Context, name string, c inference.Choice) (*tables.Study, error) {
	x, s, err := l.outline(ctx, name)
	if err != nil {
		return nil, err
	}
	indicators := append(headlines(), c.Breakdowns()...)
	var base controlGDP // none in an experiment without a control
	if len(s.Arms) > 1 {
		if base, err = l.gdpOf(ctx, x, 0, indicators); err != nil {
			return nil, err
		}
	}
	for i := range s.Arms {
		if s.Arms[i].Panel, err = l.panel(ctx, x, i, indicators, base); err != nil {
			return nil, err
		}
	}
	window, err := c.Main(s)
	if err != nil {
		return nil, err
	}
	for i := range s.Arms {
		arm := &s.Arms[i]
		if arm.Last, err = l.recordsOf(ctx, x, i, x.Month); err != nil {
			return nil, err
		}
		for r := range x.Replications {
			means, plausibility := &tables.RecordMeans{}, sim.Plausibility{}
			err := l.Store.EachRecord(ctx, name, arm.Name, r+1, 1, x.Month, 1, func(r *sim.Record) error {
				plausibility.Observe(r)
				if window.From <= r.Month && r.Month <= window.To {
					means.Add(r, arm.Params)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			arm.Window = append(arm.Window, means)
			arm.Implausible = append(arm.Implausible, plausibility.Found())
		}
		if arm.Innovation, err = details[tables.InnovationSummary](ctx, l, x, i, innovationDetail); err != nil {
			return nil, err
		}
		if arm.Sizes, err = details[tables.FirmSizes](ctx, l, x, i, sizesDetail); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// outline is a study without numbers, of an experiment that has a month.
func (l *Laboratory) outline(ctx context.Context, name string) (store.Experiment, *tables.Study, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return x, nil, err
	}
	if x.Month == 0 {
		return x, nil, noMonths(x)
	}
	s := &tables.Study{
		Name: x.Name, CreatedAt: x.CreatedAt, RunStatus: x.State, Question: x.Question, Seed: x.Seed, Months: x.Months,
		Households: x.Households, Firms: x.Firms, PlanHash: PlanHash(x.Plan), ModelVersion: x.ModelVersion, CodeVersion: x.CodeVersion,
		Arch: x.Arch,
	}
	if c := x.Captured; c != nil {
		s.Question, s.Hypothesis, s.Expected, s.Notes = cmp.Or(c.Question, s.Question), c.Hypothesis, c.ExpectedOutcome, c.Notes
		s.NotedAt = c.CapturedAt
		if s.FirstRead, err = l.firstRead(ctx, x); err != nil {
			return x, nil, err
		}
	}
	data := dataOf(x)
	for r := range x.Replications {
		s.Seeds = append(s.Seeds, run.ReplicationSeed(x.Seed, r))
	}
	for i := range x.Arms {
		sc, err := scenarioOf(x, i)
		if err != nil {
			return x, nil, err
		}
		arm := tables.StudyArm{
			Name: x.Arms[i].Name, Data: data.withSeeds(x, i), ScenarioHash: x.Arms[i].Hash, BurntInApart: x.Arms[i].BurntInApart, Params: sc.Params,
			Interventions: sc.Interventions,
		}
		for _, months := range began(x, i)[:x.Replications] {
			arm.Began = append(arm.Began, beganBy(x.Month, months, len(sc.Interventions)))
		}
		s.Arms = append(s.Arms, arm)
	}
	return x, s, nil
}

// beganBy is what began up to a month of n interventions, of which the last may have been
// injected since it was noted.
func beganBy(month int, noted []int, n int) []int {
	began := make([]int, n)
	for k := range min(n, len(noted)) {
		if noted[k] <= month {
			began[k] = noted[k]
		}
	}
	return began
}

// panel reads indicators of an arm up to the month of all runs, and what windows of them need; the others stay empty.
func (l *Laboratory) panel(
	ctx context.Context, x store.Experiment, arm int, indicators []sim.Indicator, base controlGDP,
) (tables.Panel, error) {
	indicators = tables.WindowNeeds(indicators...)
	series, err := l.series(ctx, excerpt{x, arm, 1, x.Month, 1}, indicators, base)
	if err != nil {
		return nil, err
	}
	panel := make(tables.Panel, min(len(series.Values), x.Replications)) // some may have come to count meanwhile
	for r := range panel {
		panel[r] = new([sim.NumOutcomes][]float64)
		for k, i := range indicators {
			panel[r][i] = series.Values[r][k]
		}
	}
	return panel, nil
}

// Summary is where an experiment stands at the end of its last month.
func (l *Laboratory) Summary(ctx context.Context, name string) (tables.Summary, error) {
	x, s, err := l.outline(ctx, name)
	if err != nil {
		return tables.Summary{}, err
	}
	for i := range s.Arms {
		if s.Arms[i].Last, err = l.recordsOf(ctx, x, i, x.Month); err != nil {
			return tables.Summary{}, err
		}
	}
	l.look(ctx, name)
	return tables.Summarise(s, tables.DefaultConfidence), nil
}

// Compare holds the arms of an experiment, or several experiments, against the first, for
// a principal. Its words are in a language; "" is that of the question of the first.
func (l *Laboratory) Compare(ctx context.Context, names []string, c inference.Choice, language, by string) (inference.Comparison, error) {
	var studies []*tables.Study
	var experiments []store.Experiment
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return inference.Comparison{}, fault.New(fault.Conflict, "experiment_names", "experiment %q is named twice", name).
				WithHint("name each experiment once; one with several arms can stand alone")
		}
		x, s, err := l.outline(ctx, name)
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "experiment_name" {
			e.Field = "experiment_names"
		}
		if err != nil {
			return inference.Comparison{}, err
		}
		studies, experiments = append(studies, s), append(experiments, x)
	}
	c, err := l.judged(ctx, c, by, experiments...)
	if err != nil {
		return inference.Comparison{}, err
	}
	control := 0
	if len(studies) > 1 { // each is compared by its last arm
		control = len(studies[0].Arms) - 1
	}
	base, err := l.gdpOf(ctx, experiments[0], control, c.Needed())
	if err != nil {
		return inference.Comparison{}, err
	}
	for i, s := range studies {
		first := 0
		if len(studies) > 1 {
			first = len(s.Arms) - 1
		}
		for k := first; k < len(s.Arms); k++ {
			if s.Arms[k].Panel, err = l.panel(ctx, experiments[i], k, c.Needed(), base); err != nil {
				return inference.Comparison{}, err
			}
			if s.Arms[k].Implausible, err = l.implausible(ctx, experiments[i], k); err != nil {
				return inference.Comparison{}, err
			}
		}
	}
	shown := c.Metrics
	if len(shown) == 0 {
		shown = c.Needed()
	}
	if err := comparable(studies, shown); err != nil {
		return inference.Comparison{}, err
	}
	language = cmp.Or(language, languageOf(experiments[0]))
	out, err := report.Compare(ctx, studies, c, language)
	if err == nil {
		for _, name := range names {
			l.look(ctx, name)
		}
	}
	if err != nil || len(experiments) > 1 {
		return out, err
	}
	found, err := l.searched(ctx, experiments[0])
	if err == nil && found != (inference.Found{}) {
		out.Found, out.Text = &found, report.FoundText(found, language)+"\n\n"+out.Text
	}
	return out, err
}

// AnalysisSettings are what an analysis was asked for; they are stored with it.
type AnalysisSettings struct {
	Innovation      bool     `json:"include_innovation"`
	InnovationTypes []string `json:"innovation_types"`
	Window          []int    `json:"window"`
	Confidence      float64  `json:"confidence"`
}

// StoredAnalysis is an analysis with its number.
type StoredAnalysis struct {
	Version     int
	AnalysedAt  time.Time
	CodeVersion string
	By          string // principal; "" = the operator
	Settings    AnalysisSettings
	Analysis    inference.Analysis
	Language    string // of the question
}

// Analyse computes what an experiment shows and stores it, for a principal.
func (l *Laboratory) Analyse(ctx context.Context, name string, settings AnalysisSettings, by string) (StoredAnalysis, error) {
	c, err := inference.Choice{Confidence: settings.Confidence}.Over(settings.Window)
	if err != nil {
		return StoredAnalysis{}, err
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return StoredAnalysis{}, err
	}
	var kinds []string // nil = without innovation
	if settings.Innovation {
		kinds = append([]string{}, settings.InnovationTypes...)
	}
	_, result, err := l.analyse(ctx, &rest{experiment: x}, c, kinds, by)
	if err != nil {
		return StoredAnalysis{}, err
	}
	settings.Window, settings.Confidence = []int{result.From, result.To}, result.Confidence
	out := StoredAnalysis{
		AnalysedAt: l.now(), CodeVersion: l.Version, By: by, Settings: settings, Analysis: result, Language: languageOf(x),
	}
	stored := store.Analysis{CreatedAt: out.AnalysedAt, CodeVersion: l.Version, Principal: by}
	if stored.Settings, err = json.Marshal(settings); err != nil {
		return out, err
	}
	if stored.Result, err = json.Marshal(result); err != nil {
		return out, err
	}
	out.Version, err = l.Store.SaveAnalysis(ctx, name, stored)
	return out, err
}

// AnalysisOf reads a stored analysis; version 0 is the last that a principal or the owner of the
// experiment made, else the last of others.
func (l *Laboratory) AnalysisOf(ctx context.Context, name string, version int, by string) (StoredAnalysis, error) {
	stored, err := l.Store.Analysis(ctx, name, version, by)
	if err != nil {
		return StoredAnalysis{}, err
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return StoredAnalysis{}, err
	}
	out := StoredAnalysis{
		Version: stored.Version, AnalysedAt: stored.CreatedAt, CodeVersion: stored.CodeVersion, By: stored.Principal, Language: languageOf(x),
	}
	if err := json.Unmarshal(stored.Settings, &out.Settings); err != nil {
		return out, err
	}
	l.look(ctx, name)
	err = json.Unmarshal(stored.Result, &out.Analysis)
	for k := range out.Analysis.Treatment { // earlier programs did not store the windows of rows, of which there was one
		if row := &out.Analysis.Treatment[k]; row.Window == (inference.Window{}) {
			row.Window = inference.Window{From: out.Analysis.From, To: out.Analysis.To}
		}
	}
	return out, err
}

// languageOf is the language of the question of an experiment, English without one.
func languageOf(x store.Experiment) string {
	r, _ := RegistrationOf(x)
	asked := x.Question
	if x.Captured != nil {
		asked = cmp.Or(asked, x.Captured.Question)
	}
	return cmp.Or(r.Language, report.LanguageOf(asked))
}

// Note is what is noted when an experiment is captured as research. Absent texts keep
// what was noted before.
type Note struct {
	Status          string
	Question        *string
	Hypothesis      *string
	ExpectedOutcome *string
	Notes           *string
	Tags            []string // nil = as before
}

// Capture marks an experiment as research, or updates what was noted of it.
func (l *Laboratory) Capture(ctx context.Context, name string, n Note, by access.Caller) (store.Capture, error) {
	if err := l.may(ctx, by, "capture", name); err != nil {
		return store.Capture{}, err
	}
	return l.capture(ctx, name, n)
}

// capture is Capture by who may.
func (l *Laboratory) capture(ctx context.Context, name string, n Note) (store.Capture, error) {
	return l.Store.UpdateCapture(ctx, name, func(c *store.Capture) {
		before := *c
		for _, text := range []struct {
			given *string
			at    *string
		}{{n.Question, &c.Question}, {n.Hypothesis, &c.Hypothesis}, {n.ExpectedOutcome, &c.ExpectedOutcome}, {n.Notes, &c.Notes}} {
			if text.given != nil {
				*text.at = *text.given
			}
		}
		if n.Tags != nil {
			c.Tags = n.Tags
		}
		c.Status = n.Status
		if before.CapturedAt.IsZero() || c.Hypothesis != before.Hypothesis || c.ExpectedOutcome != before.ExpectedOutcome ||
			c.Notes != before.Notes {
			c.CapturedAt = l.now()
		}
	})
}

// Update changes the research status of a captured experiment, where one is given, and whether
// others may steer it, which only its owner may say. It returns how both were before.
func (l *Laboratory) Update(ctx context.Context, name string, to store.Change, by access.Caller) (before store.Change, err error) {
	if to == (store.Change{}) {
		return before, fault.Missing("status", "give status, shared or both")
	}
	if to.Status != "" {
		err = l.may(ctx, by, "set the status of", name)
	}
	if err == nil && to.Shared != nil {
		err = l.may(ctx, by, access.Share, name)
	}
	if err != nil {
		return before, err
	}
	return l.Store.Update(ctx, name, to)
}
