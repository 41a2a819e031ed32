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

// Study is what is stored of an experiment, as analyses need it: over the window that
// the choice means.
func (l *Laboratory) Study(name string, c analysis.Choice) (*analysis.Study, error) {
	x, err := l.Store.Experiment(name)
	if err != nil {
		return nil, err
	}
	s, runs, err := l.withPanels(x)
	if err != nil {
		return nil, err
	}
	from, to, err := s.WindowOf(c)
	if err != nil {
		return nil, err
	}
	for i := range s.Arms {
		arm := &s.Arms[i]
		for r, records := range runs[i] {
			first, last := min(from-1, len(records)), min(to, len(records))
			arm.Window = append(arm.Window, analysis.NewRecordMeans(records[first:last], arm.Params))
			arm.Last = append(arm.Last, records[len(records)-1])
			summary, ok, err := l.innovationOf(x, i, r)
			if err != nil {
				return nil, err
			}
			if ok {
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

// withPanels reads the months of all runs.
func (l *Laboratory) withPanels(x store.Experiment) (*analysis.Study, [][][]sim.Record, error) {
	s := &analysis.Study{
		Name: x.Name, CreatedAt: x.CreatedAt, RunStatus: x.State, Question: x.Question, Seed: x.Seed, Months: x.Months,
		Households: x.Households, Firms: x.Firms, ModelVersion: x.ModelVersion, CodeVersion: x.CodeVersion, GoVersion: x.GoVersion, Arch: x.Arch,
	}
	if c := x.Captured; c != nil {
		s.Question, s.Hypothesis, s.Expected, s.Notes, s.Tags = cmp.Or(c.Question, s.Question), c.Hypothesis, c.ExpectedOutcome, c.Notes, c.Tags
	}
	for r := range x.Replications {
		s.Seeds = append(s.Seeds, ReplicationSeed(x.Seed, r))
	}
	var all [][][]sim.Record
	for i := range x.Arms {
		sc, err := scenarioOf(x, i)
		if err != nil {
			return nil, nil, err
		}
		arm := analysis.StudyArm{
			Name: x.Arms[i].Name, ScenarioHash: x.Arms[i].Hash, BurntInApart: x.Arms[i].BurntInApart, Params: sc.Params, Interventions: sc.Interventions,
		}
		for _, r := range x.Runs {
			if r.Arm == arm.Name {
				arm.Began = append(arm.Began, beganOf(r, sc.Interventions))
			}
		}
		runs, err := l.records(x, i, 1, 0, 1)
		if err != nil {
			return nil, nil, err
		}
		if len(runs[0]) == 0 {
			return nil, nil, noMonths(x)
		}
		for _, records := range runs {
			arm.Panel = append(arm.Panel, panelOf(records))
		}
		s.Arms = append(s.Arms, arm)
		all = append(all, runs)
	}
	return s, all, nil
}

// beganOf is the first month of each intervention in a run: what was kept at its end, or
// as far as it is known before.
func beganOf(r store.Run, plan []sim.Intervention) []int {
	if len(r.Began) == len(plan) {
		return r.Began
	}
	began := make([]int, len(plan))
	for k, v := range plan {
		if v.When == "" && v.TargetMonth <= r.Month && !v.Cancelled {
			began[k] = v.TargetMonth
		}
	}
	return began
}

func panelOf(records []sim.Record) *[sim.NumIndicators][]float64 {
	series := new([sim.NumIndicators][]float64)
	for i := range sim.NumIndicators {
		series[i] = make([]float64, len(records))
		for m := range records {
			series[i][m] = records[m].Value(i)
		}
	}
	return series
}

// Summary is where an experiment stands at the end of its last month.
func (l *Laboratory) Summary(name string) (analysis.Summary, error) {
	s, err := l.Study(name, analysis.Choice{})
	if err != nil {
		return analysis.Summary{}, err
	}
	return analysis.Summarise(s, DefaultConfidence), nil
}

// Compare holds the arms of an experiment, or several experiments, against the first.
func (l *Laboratory) Compare(names []string, c analysis.Choice) (analysis.Comparison, error) {
	var studies []*analysis.Study
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			e := fault.New(fault.Conflict, "experiment_names", "%q stands twice", name)
			e.Hint = "name each experiment once; one with several arms can stand alone"
			return analysis.Comparison{}, e
		}
		s, err := l.Study(name, c)
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "experiment_name" {
			e.Field = "experiment_names"
		}
		if err != nil {
			return analysis.Comparison{}, err
		}
		studies = append(studies, s)
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

// Analyse computes what an experiment shows and stores it.
func (l *Laboratory) Analyse(name string, settings AnalysisSettings) (StoredAnalysis, error) {
	c, err := analysis.Choice{Confidence: settings.Confidence}.Over(settings.Window)
	if err != nil {
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
	x, err := l.Store.Experiment(name)
	if err != nil {
		return store.Capture{}, err
	}
	c := store.Capture{Question: x.Question}
	if x.Captured != nil {
		c = *x.Captured
	}
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
	return c, l.Store.SetCapture(name, c)
}

// SetStatus changes the research status of a captured experiment and returns the one
// before.
func (l *Laboratory) SetStatus(name, status string) (previous string, err error) {
	return l.Store.SetCaptureStatus(name, status)
}
