// Package intervention has the tools that change an economy while it lives.
package intervention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// Tools lists the category in the order of the catalogue.
func Tools(spaces *param.Spaces, laboratory *lab.Laboratory) []tools.Tool {
	d := deps{spaces, laboratory}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "pause_simulation", Title: "Pause a simulation", TitleZH: "暂停模拟", Category: tools.Interventions, Hints: tools.Sets,
			Description: "Pauses an experiment at the end of the month under way.",
		}, d.pause),
		tools.New(tools.Spec{
			Name: "resume_simulation", Title: "Resume a simulation", TitleZH: "恢复模拟", Category: tools.Interventions, Hints: tools.Adds,
			Description: "Goes on with a paused or interrupted experiment. With months it plays so many, pauses again and returns the " +
				"indicators of every arm: live play is resume_simulation and inject_intervention in turn.",
		}, d.resume),
		tools.New(tools.Spec{
			Name: "inject_intervention", Title: "Plan an intervention", TitleZH: "注入干预", Category: tools.Interventions, Hints: tools.Adds,
			Description: "Changes the economy from target_month on. parameters: live parameters {\"vat_rate\":0.1}; {\"policy\":ID,\"level\":x}; " +
				"{\"shock\":ID,\"size\":x,\"persistence\":0.9}; {\"group\":ID,\"amount\":x}. With nothing running, or next_start, it is " +
				"planned for the next start_simulation without inquiry, which takes it over.",
		}, d.inject),
		tools.New(tools.Spec{
			Name: "list_pending_interventions", Title: "List interventions", TitleZH: "列出待执行干预", Category: tools.Interventions, Hints: tools.Reads,
			Description: "Interventions of an experiment, or those planned for the next start, and what became of them.",
		}, d.list),
		tools.New(tools.Spec{
			Name: "cancel_intervention", Title: "Cancel an intervention", TitleZH: "取消干预", Category: tools.Interventions, Hints: tools.Writes,
			Description: "Takes back an intervention that has not begun.",
		}, d.cancel),
	}
}

func ids(packages []sim.Package) []string {
	var list []string
	for _, p := range packages {
		list = append(list, p.ID)
	}
	return list
}

// deps is what the handlers of this package work on.
type deps struct {
	spaces *param.Spaces
	lab    *lab.Laboratory
}

type experimentArgs struct {
	Experiment tools.Name `json:"experiment_name,omitempty" doc:"Default: the last one of this workspace"`
}

type pauseResult struct {
	Paused     bool   `json:"paused"`
	Experiment string `json:"experiment_name"`
	Month      int    `json:"month"`
}

func (d deps) pause(ctx context.Context, c *tools.Call, in experimentArgs) (pauseResult, error) {
	name, err := d.spaces.Experiment(ctx, c.Workspace, string(in.Experiment))
	if err != nil {
		return pauseResult{}, err
	}
	s, err := d.lab.Pause(ctx, name, c.Caller)
	return pauseResult{Paused: s.State == "paused", Experiment: name, Month: s.Month}, err
}

type resumeArgs struct {
	experimentArgs
	PauseAt     *lab.Months `json:"pause_at_month,omitempty" doc:"Pauses again after this month, but not after the last"`
	Months      *lab.Months `json:"months,omitempty" doc:"In the place of pause_at_month: pauses after so many more"`
	WaitSeconds *float64    `json:"wait_seconds,omitempty" min:"0" max:"60" doc:"Waits so long for the pause or the end; default 0, with months 30"`
	Indicators  []string    `json:"indicators,omitempty" max:"100" doc:"Of arms; default: some main ones"`
}

type resumeResult struct {
	Running    bool                               `json:"running"`
	Experiment string                             `json:"experiment_name"`
	Month      int                                `json:"month"`
	State      string                             `json:"run_status"`
	Arms       map[string]map[string]stats.Number `json:"arms" doc:"where it was waited for: means over replications"`
}

// played are the indicators of a resumed experiment where none are named.
var played = []string{"real_gdp", "unemployment_rate", "inflation", "policy_rate", "real_wage_mean", "poverty_rate", "debt_to_gdp"}

// playedSeconds is how long a call waits for the months that it plays.
const playedSeconds = 30

func (d deps) resume(ctx context.Context, c *tools.Call, in resumeArgs) (resumeResult, error) {
	name, err := d.spaces.Experiment(ctx, c.Workspace, string(in.Experiment))
	if err != nil {
		return resumeResult{}, err
	}
	pauseAt, seconds := int(tools.Given(in.PauseAt)), tools.Given(in.WaitSeconds)
	if in.Months != nil {
		if in.PauseAt != nil {
			return resumeResult{}, fault.New(fault.Conflict, "months", "months and pause_at_month both say when to pause").WithHint("give one of them")
		}
		s, err := d.lab.Status(ctx, name)
		if err != nil {
			return resumeResult{}, err
		}
		if pauseAt = s.Month + int(*in.Months); pauseAt >= s.Months {
			pauseAt = 0 // to the end
		}
		if in.WaitSeconds == nil {
			seconds = playedSeconds
		}
	}
	if err := d.lab.CheckIndicators(ctx, name, in.Indicators); err != nil {
		return resumeResult{}, err
	}
	s, err := d.lab.Resume(ctx, name, pauseAt, c.Caller)
	if err != nil || seconds == 0 {
		return resumeResult{Running: s.Running(), Experiment: name, Month: s.Month, State: string(s.State)}, err
	}
	// It goes on: whatever goes wrong from here on, the answer says so.
	waiting, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	defer cancel()
	if now, err := d.lab.Wait(waiting, name, func(s lab.Status) {
		c.Progress(s.Progress, 1, fmt.Sprintf("%s: month %d of %d", s.State, s.Month, s.Months))
	}); err == nil {
		s = now
	} else {
		slog.Warn("the status of an experiment could not be read", "experiment", name, "error", err)
	}
	out := resumeResult{Running: s.Running(), Experiment: name, Month: s.Month, State: string(s.State)}
	if s.Month == 0 {
		return out, nil
	}
	if in.Indicators == nil {
		in.Indicators = played
	}
	arms, err := d.lab.Latest(context.WithoutCancel(ctx), name, in.Indicators)
	if err != nil {
		slog.Warn("the indicators of an experiment could not be read", "experiment", name, "error", err)
	}
	out.Arms = map[string]map[string]stats.Number{}
	for _, arm := range arms {
		out.Month, out.Arms[arm.Arm] = arm.Month, map[string]stats.Number{}
		for _, v := range arm.Values {
			out.Arms[arm.Arm][v.Indicator.String()] = stats.Number(v.Mean.Mean)
		}
	}
	return out, nil
}

// interventionType is one of the four types.
type interventionType string

// Enum lists them.
func (interventionType) Enum() []string {
	var list []string
	for _, t := range sim.InterventionTypes {
		list = append(list, string(t))
	}
	return list
}

type injectArgs struct {
	Type        interventionType `json:"intervention_type"`
	TargetMonth lab.Months       `json:"target_month" doc:"First month in which it is in force"`
	Parameters  action           `json:"parameters"`
	Description string           `json:"description,omitempty" max:"1000"`
	Duration    *lab.Months      `json:"duration_months,omitempty" doc:"Then it returns; default: to the end, injections one month"`
	Ramp        *lab.Months      `json:"ramp_months,omitempty" doc:"Reached in equal steps"`
	When        string           `json:"when,omitempty" max:"500" doc:"Condition looked at monthly from target_month on: unemployment_rate > 8%"`
	Until       string           `json:"until,omitempty" max:"500" doc:"Makes it a rule, on from the month after when holds until this holds, again and again"`
	Arm         string           `json:"arm,omitempty" max:"100" doc:"Default: the only treatment; with several, required"`
	Experiment  tools.Name       `json:"experiment_name,omitempty" doc:"Default: the one of this workspace, while it has not ended"`
	NextStart   bool             `json:"next_start,omitempty" default:"false" doc:"For the next start, whatever runs"`
}

// policyID and shockID name the packages of the model.
type policyID string

// Enum lists them.
func (policyID) Enum() []string { return ids(sim.Policies()) }

type shockID string

// Enum lists them.
func (shockID) Enum() []string { return ids(sim.Shocks()) }

// action is what an intervention does: a policy, a shock or an injection by name, or
// changes of parameters.
type action struct {
	Policy      policyID `json:"policy,omitempty"`
	Level       *float64 `json:"level,omitempty" doc:"of the policy"`
	Shock       shockID  `json:"shock,omitempty"`
	Size        *float64 `json:"size,omitempty" doc:"of the shock"`
	Persistence *float64 `json:"persistence,omitempty" doc:"share of the shock left each month"`
	Industry    string   `json:"industry,omitempty" max:"10"`
	Group       string   `json:"group,omitempty" max:"40" doc:"of an injection: all, bottom_decile, unemployed, retired, banks, lottery (a random tenth), industry:NN"`
	Amount      *float64 `json:"amount,omitempty" doc:"units a head and month"`

	Changes map[string]tools.Value `json:"*"` // live parameters
}

type injectResult struct {
	ID          string `json:"intervention_id"`
	Status      string `json:"status"`
	TargetMonth int    `json:"target_month"`
	AppliesTo   string `json:"applies_to" doc:"EXPERIMENT/ARM, or the next start"`

	Warnings []string `json:"warnings" doc:"why it can do nothing there"`
}

func (d deps) inject(ctx context.Context, c *tools.Call, in injectArgs) (injectResult, error) {
	v, err := in.intervention()
	if err != nil {
		return injectResult{}, err
	}
	space, err := d.spaces.Open(ctx, c.Workspace)
	if err != nil {
		return injectResult{}, err
	}
	name, next := d.meant(space, in.Experiment)
	if in.NextStart && in.Experiment != "" {
		return injectResult{}, fault.New(fault.Conflict, "next_start", "next_start and experiment_name both say where it acts").
			WithHint("give one of them")
	}
	if next || in.NextStart {
		if in.Arm != "" && in.Arm != lab.TreatmentArm && in.Arm != lab.OnlyArm {
			e := fault.New(fault.InvalidState, "arm", "what is planned for the next start acts in its treatment arm, not in %.80q", in.Arm)
			e.Hint = "leave arm out, or start with pause_at_month and inject then"
			return injectResult{}, e
		}
		id, err := space.Plan(ctx, v)
		if err != nil {
			return injectResult{}, err
		}
		s := space.Scenario()
		return injectResult{
			ID: id, Status: lab.Pending, TargetMonth: v.TargetMonth, AppliesTo: lab.NextStart,
			Warnings: lab.IdleReasons(s, len(s.Interventions)-1, report.English),
		}, nil
	}
	p, err := d.lab.Inject(ctx, name, in.Arm, v, c.Caller)
	if err != nil {
		return injectResult{}, err
	}
	return injectResult{ID: p.ID, Status: p.State, TargetMonth: v.TargetMonth, AppliesTo: p.AppliesTo(), Warnings: p.Warnings}, nil
}

// meant is the experiment that is named, or that the workspace looks at while it has not
// ended; else the next start is meant.
func (d deps) meant(space *param.Workspace, named tools.Name) (name string, next bool) {
	if named != "" {
		return string(named), false
	}
	return space.Looking(), !d.lab.Alive(space.Looking())
}

// intervention is the value that the arguments describe.
func (in injectArgs) intervention() (sim.Intervention, error) {
	a := in.Parameters
	v := sim.Intervention{
		Type: sim.InterventionType(in.Type), Description: in.Description, TargetMonth: int(in.TargetMonth), When: in.When, Until: in.Until,
		DurationMonths: int(tools.Given(in.Duration)), RampMonths: int(tools.Given(in.Ramp)),
		Policy:    sim.PolicyChange{Policy: string(a.Policy), Level: tools.Given(a.Level)},
		Shock:     sim.Shock{Shock: string(a.Shock), Size: tools.Given(a.Size), Persistence: tools.Given(a.Persistence), Industry: a.Industry},
		Injection: sim.Injection{Group: a.Group, Amount: tools.Given(a.Amount)},
	}
	for _, name := range slices.Sorted(maps.Keys(a.Changes)) {
		change, err := sim.NewParameterChange(name, a.Changes[name].X)
		if err != nil {
			return v, err
		}
		v.Parameters = append(v.Parameters, change)
	}
	if err := a.complete(v.Type); err != nil {
		return v, err
	}
	err := v.ReadConditions()
	if err == nil {
		err = v.Check()
	}
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "type" { // as a file calls it
		e.Field = "intervention_type"
	}
	return v, err
}

// complete says what an intervention of a type still needs.
func (a action) complete(t sim.InterventionType) error {
	for _, needed := range []struct {
		of    sim.InterventionType
		name  string
		given bool
	}{
		{sim.TypePolicy, "policy", a.Policy != ""}, {sim.TypePolicy, "level", a.Level != nil},
		{sim.TypeShock, "shock", a.Shock != ""}, {sim.TypeShock, "size", a.Size != nil},
		{sim.TypeInjection, "group", a.Group != ""}, {sim.TypeInjection, "amount", a.Amount != nil},
	} {
		if needed.of == t && !needed.given {
			return fault.Missing("parameters."+needed.name, "an intervention of type "+string(t)+" needs it")
		}
	}
	return nil
}

type listArgs struct {
	Experiment tools.Name `json:"experiment_name,omitempty" doc:"Default: the last one of this workspace, and the next start"`
	Done       bool       `json:"include_done,omitempty" default:"false" doc:"Also those executed, reverted, cancelled and failed"`
	tools.Page
}

type interventionRow struct {
	ID          string                 `json:"intervention_id"`
	AppliesTo   string                 `json:"applies_to" doc:"EXPERIMENT/ARM, or next start"`
	Type        string                 `json:"type"`
	TargetMonth int                    `json:"target_month"`
	Duration    int                    `json:"duration_months" doc:"0 = to the end"`
	Ramp        int                    `json:"ramp_months"`
	When        string                 `json:"when"`
	Until       string                 `json:"until"`
	Status      string                 `json:"status" enum:"pending,active,executed,reverted,cancelled,failed" doc:"failed: the experiment ended before it began"`
	Parameters  map[string]tools.Value `json:"parameters"`
	Description string                 `json:"description"`
	Executed    *int                   `json:"executed_month" doc:"the first, of any replication"`
	On          int                    `json:"replications_on" doc:"in which it has been in force"`
	Of          int                    `json:"replications"`
	MonthsOn    stats.Number           `json:"months_on" doc:"mean over those"`
	Months      string                 `json:"months" doc:"in force in any replication"`
	Effect      string                 `json:"effect" doc:"what it changes"`
}

type listResult struct {
	Count         int               `json:"count" doc:"on this page"`
	Total         int               `json:"total"`
	Interventions []interventionRow `json:"interventions"`
	Next          string            `json:"next_cursor"` // empty after the last
}

func (d deps) list(ctx context.Context, c *tools.Call, in listArgs) (listResult, error) {
	space, err := d.spaces.Open(ctx, c.Workspace)
	if err != nil {
		return listResult{}, err
	}
	name := string(in.Experiment)
	var planned []lab.Planned
	if name == "" {
		name = space.Looking()
	}
	if name != "" {
		if planned, err = d.lab.Planned(ctx, name); err != nil {
			return listResult{}, err
		}
	}
	if in.Experiment == "" {
		for _, p := range space.Planned() {
			planned = append(planned, lab.Planned{ID: p.ID, Intervention: p.Intervention, State: lab.Pending})
		}
	}
	planned = slices.DeleteFunc(planned, func(p lab.Planned) bool {
		return !in.Done && p.State != lab.Pending && p.State != lab.Active && p.ID != in.Cursor
	})
	return page(planned, in.Page)
}

// page are the rows after the one that the cursor names.
func page(planned []lab.Planned, p tools.Page) (listResult, error) {
	out := listResult{Total: len(planned)}
	if p.Cursor != "" {
		k := slices.IndexFunc(planned, func(v lab.Planned) bool { return v.ID == p.Cursor })
		if k < 0 {
			return out, fault.New(fault.WrongType, "cursor", "cursor %.40q is not one that this list gave", p.Cursor).
				WithHint("leave it out to begin with the first")
		}
		planned = planned[k+1:]
	}
	for _, v := range planned[:min(len(planned), p.Limit)] {
		out.Interventions = append(out.Interventions, row(v))
	}
	out.Interventions = out.Interventions[:tools.Fitting(out.Interventions)]
	if out.Count = len(out.Interventions); out.Count < len(planned) {
		out.Next = planned[out.Count-1].ID
	}
	return out, nil
}

func row(p lab.Planned) interventionRow {
	v := p.Intervention
	r := interventionRow{
		ID: p.ID, Type: string(v.Type), TargetMonth: v.TargetMonth, Duration: v.DurationMonths, Ramp: v.RampMonths, When: v.When, Until: v.Until,
		AppliesTo: p.AppliesTo(), Status: p.State, Parameters: tools.Values(v.Action()), Description: v.Description, Effect: v.String(),
		On: p.InForce.Replications(), Of: len(p.InForce.Spans), MonthsOn: stats.Number(p.InForce.Mean()),
		Months: tables.MonthsText(p.InForce.Any()),
	}
	if p.Began > 0 {
		r.Executed = &p.Began
	}
	return r
}

type cancelArgs struct {
	ID string `json:"intervention_id" min:"1" max:"300"`
}

type cancelResult struct {
	ID     string `json:"intervention_id"`
	Status string `json:"status"`
}

func (d deps) cancel(ctx context.Context, c *tools.Call, in cancelArgs) (cancelResult, error) {
	if param.IsPlanned(in.ID) {
		space, err := d.spaces.Open(ctx, c.Workspace)
		if err != nil {
			return cancelResult{}, err
		}
		return cancelResult{ID: in.ID, Status: lab.Cancelled}, space.Cancel(ctx, in.ID)
	}
	p, err := d.lab.Cancel(ctx, in.ID, c.Caller)
	return cancelResult{ID: p.ID, Status: p.State}, err
}
