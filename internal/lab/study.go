package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Study is what is stored of an experiment, as analyses need it, up to the last month that
// all its runs have: over the window that the choice means.
func (l *Laboratory) Study(name string, c analysis.Choice) (*analysis.Study, error) {
	x, s, err := l.outline(name)
	if err != nil {
		return nil, err
	}
	indicators, err := indicatorsOf("", nil)
	if err != nil {
		return nil, err
	}
	for i := range s.Arms {
		if s.Arms[i].Panel, err = l.panel(x, i, indicators); err != nil {
			return nil, err
		}
	}
	from, to, err := s.WindowOf(c)
	if err != nil {
		return nil, err
	}
	for i := range s.Arms {
		arm := &s.Arms[i]
		if arm.Last, err = l.recordsOf(x, i, x.Month); err != nil {
			return nil, err
		}
		for r := range x.Replications {
			means := &analysis.RecordMeans{}
			err := l.Store.EachRecord(name, arm.Name, r+1, from, to, 1, func(r *sim.Record) error {
				means.Add(r, arm.Params)
				return nil
			})
			if err != nil {
				return nil, err
			}
			arm.Window = append(arm.Window, means)
			summary, until, err := l.innovationOf(x, i, r)
			if err != nil {
				return nil, err
			}
			if until > 0 {
				arm.Innovation = append(arm.Innovation, summary)
			}
			sizes, ok, err := l.sizesOf(x, i, r)
			if err != nil {
				return nil, err
			}
			if ok {
				arm.Sizes = append(arm.Sizes, sizes)
			}
		}
	}
	return s, nil
}

// outline is a study without numbers, of an experiment that has a month.
func (l *Laboratory) outline(name string) (store.Experiment, *analysis.Study, error) {
	x, err := l.Store.Experiment(name)
	if err != nil {
		return x, nil, err
	}
	if x.Month == 0 {
		return x, nil, noMonths(x)
	}
	s := &analysis.Study{
		Name: x.Name, CreatedAt: x.CreatedAt, RunStatus: x.State, Question: x.Question, Seed: x.Seed, Months: x.Months,
		Households: x.Households, Firms: x.Firms, PlanHash: PlanHash(x.Plan), ModelVersion: x.ModelVersion, CodeVersion: x.CodeVersion, GoVersion: x.GoVersion, Arch: x.Arch,
	}
	if c := x.Captured; c != nil {
		s.Question, s.Hypothesis, s.Expected, s.Notes, s.Tags = cmp.Or(c.Question, s.Question), c.Hypothesis, c.ExpectedOutcome, c.Notes, c.Tags
	}
	for r := range x.Replications {
		s.Seeds = append(s.Seeds, ReplicationSeed(x.Seed, r))
	}
	for i := range x.Arms {
		sc, err := scenarioOf(x, i)
		if err != nil {
			return x, nil, err
		}
		arm := analysis.StudyArm{
			Name: x.Arms[i].Name, ScenarioHash: x.Arms[i].Hash, BurntInApart: x.Arms[i].BurntInApart, Params: sc.Params, Interventions: sc.Interventions,
		}
		for _, months := range began(x, i) {
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

// panel reads indicators of an arm up to the month of all runs; the others stay empty.
func (l *Laboratory) panel(x store.Experiment, arm int, indicators []sim.Indicator) (analysis.Panel, error) {
	series, err := l.Store.Series(x.Name, x.Arms[arm].Name, indicators, 1, x.Month, 1)
	if err != nil {
		return nil, err
	}
	panel := make(analysis.Panel, len(series.Values))
	for r := range panel {
		panel[r] = new([sim.NumIndicators][]float64)
		for k, i := range indicators {
			panel[r][i] = series.Values[r][k]
		}
	}
	return panel, nil
}

// Summary is where an experiment stands at the end of its last month.
func (l *Laboratory) Summary(name string) (analysis.Summary, error) {
	x, s, err := l.outline(name)
	if err != nil {
		return analysis.Summary{}, err
	}
	for i := range s.Arms {
		if s.Arms[i].Last, err = l.recordsOf(x, i, x.Month); err != nil {
			return analysis.Summary{}, err
		}
	}
	return analysis.Summarise(s, DefaultConfidence), nil
}

// Compare holds the arms of an experiment, or several experiments, against the first, for
// a principal.
func (l *Laboratory) Compare(names []string, c analysis.Choice, by string) (analysis.Comparison, error) {
	var studies []*analysis.Study
	var experiments []store.Experiment
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			e := fault.New(fault.Conflict, "experiment_names", "%q stands twice", name)
			e.Hint = "name each experiment once; one with several arms can stand alone"
			return analysis.Comparison{}, e
		}
		x, s, err := l.outline(name)
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "experiment_name" {
			e.Field = "experiment_names"
		}
		if err != nil {
			return analysis.Comparison{}, err
		}
		studies, experiments = append(studies, s), append(experiments, x)
	}
	c, err := l.judged(c, by, experiments...)
	if err != nil {
		return analysis.Comparison{}, err
	}
	for i, s := range studies {
		first := 0
		if len(studies) > 1 { // each is compared by its last arm
			first = len(s.Arms) - 1
		}
		for k := first; k < len(s.Arms); k++ {
			if s.Arms[k].Panel, err = l.panel(experiments[i], k, c.Needed()); err != nil {
				return analysis.Comparison{}, err
			}
		}
	}
	if err := comparable(studies, c.Metrics); err != nil {
		return analysis.Comparison{}, err
	}
	return analysis.Compare(studies, c)
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
	Settings    AnalysisSettings
	Analysis    analysis.Analysis
}

// Analyse computes what an experiment shows and stores it, for a principal.
func (l *Laboratory) Analyse(name string, settings AnalysisSettings, by string) (StoredAnalysis, error) {
	c, err := analysis.Choice{Confidence: settings.Confidence}.Over(settings.Window)
	if err != nil {
		return StoredAnalysis{}, err
	}
	x, err := l.Store.Experiment(name)
	if err != nil {
		return StoredAnalysis{}, err
	}
	if c, err = l.judged(c, by, x); err != nil {
		return StoredAnalysis{}, err
	}
	s, err := l.Study(name, c)
	if err != nil {
		return StoredAnalysis{}, err
	}
	var kinds []string // nil = without innovation
	if settings.Innovation {
		kinds = append([]string{}, settings.InnovationTypes...)
	}
	result, err := analysis.Analyse(s, c, kinds)
	if err != nil {
		return StoredAnalysis{}, err
	}
	settings.Window = []int{result.From, result.To}
	out := StoredAnalysis{AnalysedAt: l.now(), CodeVersion: l.Version, Settings: settings, Analysis: result}
	stored := store.Analysis{CreatedAt: out.AnalysedAt, CodeVersion: l.Version}
	if stored.Settings, err = json.Marshal(settings); err != nil {
		return out, err
	}
	if stored.Result, err = json.Marshal(result); err != nil {
		return out, err
	}
	out.Version, err = l.Store.SaveAnalysis(name, stored)
	return out, err
}

// AnalysisOf reads a stored analysis; version 0 is the last.
func (l *Laboratory) AnalysisOf(name string, version int) (StoredAnalysis, error) {
	stored, err := l.Store.Analysis(name, version)
	if err != nil {
		return StoredAnalysis{}, err
	}
	out := StoredAnalysis{Version: stored.Version, AnalysedAt: stored.CreatedAt, CodeVersion: stored.CodeVersion}
	if err := json.Unmarshal(stored.Settings, &out.Settings); err != nil {
		return out, err
	}
	return out, json.Unmarshal(stored.Result, &out.Analysis)
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
func (l *Laboratory) Capture(name string, n Note) (store.Capture, error) {
	return l.Store.UpdateCapture(name, func(c *store.Capture) {
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
		c.Status, c.CapturedAt = n.Status, l.now()
	})
}

// SetStatus changes the research status of a captured experiment and returns the one
// before.
func (l *Laboratory) SetStatus(name, status string) (previous string, err error) {
	return l.Store.SetCaptureStatus(name, status)
}
