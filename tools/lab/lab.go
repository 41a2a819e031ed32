// Package lab has the tools of the toolset +lab, which a server offers only where it is asked to: sweeps, which ask one inquiry at many
// points and say which numbers matter.
package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/hosted"
	"econ-mcp/tools"
)

// Toolset is how the operator asks for these tools: serve --toolsets +lab.
const Toolset = "+lab"

// Tools lists the category in the order of the catalogue.
func Tools(sweeps *hosted.Sweeps) []tools.Tool {
	d := deps{sweeps}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "run_sweep", Title: "Run a sweep", TitleZH: "多点扫描", Category: tools.Laboratory, Hints: tools.Sets,
			Description: "Asks one inquiry at many points: factors says which of its numbers vary, design how points are chosen. Returns at once " +
				"with a handle; follow with get_sweep, then get_sensitivity says what matters. With the name alone a sweep that was interrupted " +
				"goes on. dry_run tells points, economies and time, and begins nothing.",
		}, d.run),
		tools.New(tools.Spec{
			Name: "get_sweep", Title: "How far a sweep is", TitleZH: "扫描进度", Category: tools.Laboratory, Hints: tools.Reads,
			Description: "run_status, economies simulated, ETA in seconds, and at the end the range of each outcome over the points.",
		}, d.status),
		tools.New(tools.Spec{
			Name: "get_sensitivity", Title: "What matters in a sweep", TitleZH: "敏感性分析", Category: tools.Laboratory, Hints: tools.Reads,
			Description: "Of a completed sweep, for each outcome: how much each factor matters, with 95 % intervals, the strongest first, and " +
				"where the sign of the effect flips.",
		}, d.sensitivity),
	}
}

// deps is what the handlers of this package work on.
type deps struct{ sweeps *hosted.Sweeps }

type runArgs struct {
	Name        tools.Name      `json:"sweep_name,omitempty" doc:"Default: sweep_{kind}_{time}"`
	Inquiry     *tools.Inquiry  `json:"inquiry,omitempty" doc:"What is asked at each point: econ://schema/inquiry"`
	Factors     json.RawMessage `json:"factors,omitempty" doc:"{NAME: {from, to, log?} or {values: […]}}; NAME is a parameter of all arms, burn-in included, or the place of a number of the inquiry, such as arms.vat.events[0].set.vat_rate"`
	Design      json.RawMessage `json:"design,omitempty" doc:"{kind, points?, …}: factorial (levels), fractional (points), list (rows), one_at_a_time (levels), latin_hypercube or sobol (points), morris (trajectories, levels), sobol_indices (points, a power of two; second_order); seed"`
	MaxRuns     int             `json:"max_runs,omitempty" min:"1" max:"1000000" default:"100000" doc:"Economies, at most"`
	DryRun      bool            `json:"dry_run,omitempty" default:"false"`
	Stop        bool            `json:"stop,omitempty" default:"false" doc:"Ends the sweep of this name; what was simulated stays"`
	WaitSeconds float64         `json:"wait_seconds,omitempty" default:"0" min:"0" max:"60" doc:"Waits so long for the end"`
}

// design is the text of a design file.
func (in runArgs) design() ([]byte, error) {
	if in.Inquiry == nil || in.Factors == nil || in.Design == nil {
		for _, part := range []struct {
			name    string
			missing bool
		}{{"inquiry", in.Inquiry == nil}, {"factors", in.Factors == nil}, {"design", in.Design == nil}} {
			if part.missing {
				return nil, fault.Missing(part.name, "a sweep needs inquiry, factors and design")
			}
		}
	}
	return json.Marshal(struct {
		Inquiry *tools.Inquiry  `json:"inquiry"`
		Factors json.RawMessage `json:"factors"`
		Design  json.RawMessage `json:"design"`
		MaxRuns int             `json:"max_runs"`
	}{in.Inquiry, in.Factors, in.Design, in.MaxRuns})
}

// planning is how long a call waits for the points of a design.
const planning = 30 * time.Second

func (d deps) run(ctx context.Context, c *tools.Call, in runArgs) (sweepResult, error) {
	name, given := string(in.Name), in.Inquiry != nil || in.Factors != nil || in.Design != nil
	if in.Stop {
		if given || in.DryRun {
			return sweepResult{}, fault.New(fault.Conflict, "stop", "stop takes the name alone")
		}
		st, err := d.sweeps.Stop(ctx, c.Caller, name)
		return d.resultOf(st), err
	}
	var text []byte
	var err error
	if name != "" && !given {
		text, err = d.sweeps.File(name, sweep.DesignFile)
	} else {
		text, err = in.design()
	}
	if err != nil {
		return sweepResult{}, err
	}
	if in.DryRun {
		size, err := d.sweeps.Estimate(ctx, text)
		return sweepResult{
			Name: name, State: "dry_run", Points: size.Points, Economies: size.Economies, Hash: size.Hash, Seconds: &size.Seconds, Outcomes: []outcome{},
		}, err
	}
	st, err := d.sweeps.Begin(ctx, c.Caller, name, text, planning)
	if err != nil {
		return sweepResult{}, err
	}
	if in.WaitSeconds > 0 {
		st, err = d.sweeps.Wait(ctx, st.Name, time.Duration(in.WaitSeconds*float64(time.Second)))
	}
	return d.resultOf(st), err
}

type sweepResult struct {
	Name      string       `json:"sweep_name"`
	State     hosted.State `json:"run_status" doc:"planning, queued, running, stopped, interrupted, failed, completed; dry_run"`
	Running   bool         `json:"running"`
	Kind      string       `json:"kind"`
	Points    int          `json:"points"`
	Economies int          `json:"economies" doc:"that the points need, each once"`
	Known     int          `json:"known" doc:"of them, when it was begun last"`
	Done      int          `json:"simulated" doc:"since then"`
	Seconds   *float64     `json:"eta_seconds" doc:"Of a dry run, of all"`
	Hash      string       `json:"design_hash"`
	Created   string       `json:"created_at"`
	Error     string       `json:"error"`
	Outcomes  []outcome    `json:"outcomes" doc:"once it is completed"`
}

// ResourceLinks implements [tools.Linked].
func (r sweepResult) ResourceLinks() []tools.Link {
	if r.State != hosted.Completed {
		return nil
	}
	return tools.SweepLinks(r.Name)
}

// outcome is what is measured at each point: of an arm, less another one where there is one.
type outcome struct {
	Metric   string       `json:"metric"`
	From     int          `json:"from_month"`
	To       int          `json:"to_month"`
	Arm      string       `json:"arm"`
	With     string       `json:"with" doc:"The arm that is subtracted; empty: a level"`
	Relative bool         `json:"relative" doc:"Share of that arm's mean"`
	Least    stats.Number `json:"least" doc:"Of all points"`
	Most     stats.Number `json:"most"`
	Mean     stats.Number `json:"mean"`
	Positive float64      `json:"share_positive" doc:"Of the points"`
}

func outcomeOf(s sweep.Sensitivity) outcome {
	return outcome{s.Metric, s.From, s.To, s.Arm, s.With, s.Share, s.Least, s.Most, s.Mean, s.Positive}
}

func (d deps) resultOf(st hosted.Status) sweepResult {
	r := sweepResult{
		Name: st.Name, State: st.State, Running: !st.State.Ended(), Kind: string(st.Kind), Points: st.Points, Economies: st.Economies,
		Known: st.Known, Done: st.Done, Seconds: st.Seconds, Hash: st.Hash, Created: st.Created.UTC().Format(time.RFC3339), Error: st.Error,
		Outcomes: []outcome{},
	}
	if st.State != hosted.Completed {
		return r
	}
	if doc, err := d.sweeps.Found(st.Name); err == nil {
		for _, s := range doc.Sensitivity[:min(len(doc.Sensitivity), mostOutcomes)] {
			r.Outcomes = append(r.Outcomes, outcomeOf(s))
		}
	}
	return r
}

// mostOutcomes are told by get_sweep; sensitivity.json has all.
const mostOutcomes = 60

type statusArgs struct {
	Name tools.Name `json:"sweep_name,omitempty" doc:"Default: the newest"`
}

func (d deps) status(_ context.Context, _ *tools.Call, in statusArgs) (sweepResult, error) {
	st, err := d.named(in.Name)
	return d.resultOf(st), err
}

// named is the sweep of that name, or the newest.
func (d deps) named(name tools.Name) (hosted.Status, error) {
	if name != "" {
		return d.sweeps.Status(string(name))
	}
	list := d.sweeps.List()
	if len(list) == 0 {
		return hosted.Status{}, fault.New(fault.NotFound, "sweep_name", "there is no sweep").WithHint("run_sweep makes one")
	}
	return list[0], nil
}

type sensitivityArgs struct {
	Name   tools.Name `json:"sweep_name,omitempty" doc:"Default: the newest"`
	Metric string     `json:"metric,omitempty" max:"100" doc:"Of the outcomes; default all"`
	Arm    tools.Name `json:"arm,omitempty" doc:"Default all"`
	Limit  int        `json:"limit,omitempty" default:"5" min:"1" max:"60" doc:"Outcomes"`
}

type sensitivityResult struct {
	Name     string        `json:"sweep_name"`
	Count    int           `json:"count" doc:"outcomes that there are"`
	Outcomes []sensitivity `json:"outcomes"`
}

// ResourceLinks implements [tools.Linked].
func (r sensitivityResult) ResourceLinks() []tools.Link { return tools.SweepLinks(r.Name) }

type sensitivity struct {
	outcome
	Method  string              `json:"method" doc:"sobol: shares of variance; morris: mu_star, the mean size of the effect over the range; pawn: shift of the distribution, 0 to 1; main_effects: last value less first; one_at_a_time; none"`
	Factors []sweep.FactorIndex `json:"factors" doc:"the strongest first; matters: more than a factor that changes nothing"`
	Pairs   []pair              `json:"pairs" doc:"second order: share of the variance that two factors have together only"`
	Dummy   *sweep.DummyIndex   `json:"dummy" doc:"what a factor that changes nothing comes to"`
	Flips   []region            `json:"regions" doc:"where the sign flips: parts of the space, none where it does not"`
	Note    string              `json:"note"`
}

type pair struct {
	Factor string         `json:"factor"`
	Other  string         `json:"other"`
	Second sweep.Estimate `json:"second"`
}

// region is a part of the space of the factors.
type region struct {
	Conditions []string `json:"conditions" doc:"all of them hold"`
	Points     int      `json:"points"`
	Positive   float64  `json:"share_positive"`
}

func (d deps) sensitivity(_ context.Context, _ *tools.Call, in sensitivityArgs) (sensitivityResult, error) {
	st, err := d.named(in.Name)
	if err != nil {
		return sensitivityResult{}, err
	}
	doc, err := d.sweeps.Found(st.Name)
	if err != nil {
		return sensitivityResult{}, err
	}
	r := sensitivityResult{Name: st.Name, Outcomes: []sensitivity{}}
	var metrics, arms []string
	for _, s := range doc.Sensitivity {
		if metrics = append(metrics, s.Metric); in.Metric != "" && s.Metric != in.Metric {
			continue
		}
		if arms = append(arms, s.Arm); in.Arm != "" && s.Arm != string(in.Arm) {
			continue
		}
		if r.Count++; r.Count > in.Limit {
			continue
		}
		said := sensitivity{outcomeOf(s), s.Method, slices.Clone(s.Factors), []pair{}, s.Dummy, regions(s.Flip, nil), s.Note}
		for _, p := range s.Pairs {
			said.Pairs = append(said.Pairs, pair{p.Factors[0], p.Factors[1], p.Second})
		}
		slices.SortStableFunc(said.Factors, func(a, b sweep.FactorIndex) int { return cmp.Compare(b.Size(), a.Size()) })
		r.Outcomes = append(r.Outcomes, said)
	}
	if len(arms) == 0 {
		return r, unknown("metric", in.Metric, metrics)
	}
	if r.Count == 0 {
		return r, unknown("arm", string(in.Arm), arms)
	}
	r.Outcomes = r.Outcomes[:tools.Fitting(r.Outcomes)]
	return r, nil
}

func unknown(argument, value string, known []string) error {
	e := fault.Unknown(fault.NotFound, argument, value, slices.Compact(slices.Sorted(slices.Values(known))))
	e.Field = argument
	return e
}

// regions are the leaves of a tree, each with the conditions on the way to it.
func regions(n *sweep.FlipCondition, way []string) []region {
	if n == nil {
		return []region{}
	}
	if n.Factor == "" {
		return []region{{way, n.Points, n.Positive}}
	}
	and := func(sign string) []string {
		return append(slices.Clone(way), fmt.Sprintf("%s %s %.4g", n.Factor, sign, n.Threshold))
	}
	return append(regions(n.Below, and("<=")), regions(n.Above, and(">"))...)
}
