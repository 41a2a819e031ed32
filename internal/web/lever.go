package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// leverOperations change the economies of experiments that run.
func (s *Site) leverOperations() []operation {
	const path = "/experiments/{experiment_name}/interventions"
	return []operation{
		reads("/experiments/{experiment_name}/levers", "list_levers", "What can be changed in an experiment that runs: live parameters, "+
			"policies, shocks and money for groups, but for what could do nothing in any of its arms.", s.levers),
		reads(path, "list_interventions", "The interventions of an experiment and what became of them.", s.interventions),
		writes(path, "inject_intervention", "Plans an intervention in an arm, which is on record as an amendment of the plan.", s.inject),
		writes(path+"/{arm}/{number}/cancel", "cancel_intervention", "Takes back an intervention that has not begun.", s.cancel),
	}
}

type leverArgs struct {
	liveArgs
	Language string `json:"language,omitempty" enum:"en,zh" default:"en"`
}

// leverList is what the form of interventions is made of.
type leverList struct {
	Arms       []string         `json:"arms"`
	First      int              `json:"first_month" doc:"that an intervention can begin in"`
	Last       int              `json:"last_month"`
	Parameters []leverParameter `json:"parameters"`
	Policies   []leverPackage   `json:"policies"`
	Shocks     []leverPackage   `json:"shocks"`
	Groups     []leverGroup     `json:"groups" doc:"that money can be given to"`
	Industries []leverGroup     `json:"industries" doc:"by code; a group of money is industry:CODE"`
}

// leverParameter is a parameter that may change while an experiment runs.
type leverParameter struct {
	Name    string        `json:"name"`
	Label   string        `json:"label"`
	Help    string        `json:"help"`
	Group   string        `json:"category"`
	Type    string        `json:"type" enum:"number,integer,boolean,choice,schedule"`
	Min     float64       `json:"min"`
	Max     float64       `json:"max"`
	Choices []string      `json:"choices"`
	Range   string        `json:"range" doc:"in words"`
	Unit    string        `json:"unit" doc:"as people read it"`
	Percent bool          `json:"percent" doc:"people read the share that it is in percent"`
	Values  []tools.Value `json:"values" doc:"by arm, with all that has begun in full force"`
}

// leverPackage is a policy or a shock.
type leverPackage struct {
	ID       string  `json:"id"`
	Label    string  `json:"label"`
	Help     string  `json:"help"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Unit     string  `json:"unit" doc:"as people read it"`
	Percent  bool    `json:"percent" doc:"people read the share that it is in percent"`
	Industry bool    `json:"industry" doc:"strikes one industry, which is to be named"`
	OneMonth bool    `json:"one_month" doc:"strikes in one month"`
}

// leverGroup is who is given money.
type leverGroup struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// levers lists what can act in an experiment at present.
func (s *Site) levers(ctx context.Context, _ *tools.Call, in leverArgs) (leverList, error) {
	name := string(in.Experiment)
	x, err := s.Lab.Store.Experiment(ctx, name)
	if err != nil {
		return leverList{}, err
	}
	planned, err := s.Lab.Planned(ctx, name)
	if err != nil {
		return leverList{}, err
	}
	out := leverList{First: min(x.Month+1, x.Months), Last: x.Months}
	var arms []sim.Params
	for _, arm := range x.Arms {
		of, err := s.Lab.Scenario(ctx, name, arm.Name)
		if err != nil {
			return leverList{}, err
		}
		p := of.Params
		for _, v := range planned {
			if v.Arm == arm.Name && v.Intervention.Type != sim.TypeShock && (v.State == lab.Active || v.State == lab.Executed) {
				p = v.Intervention.Applied(p)
			}
		}
		out.Arms, arms = append(out.Arms, arm.Name), append(arms, p)
	}
	say := func(en, zh string) string { return inLanguage(in.Language, en, zh) }
	fits := func(v sim.Intervention) bool {
		return slices.ContainsFunc(arms, func(p sim.Params) bool { return v.CheckFits(p) == nil })
	}
	for _, row := range sim.Catalogue() {
		if _, err := sim.NewParameterChange(row.Name, row.Default); err != nil || row.Technical ||
			!slices.ContainsFunc(arms, func(p sim.Params) bool { return sim.Dormant(p, row.Name) == "" }) {
			continue
		}
		of := leverParameter{
			Name: row.Name, Label: say(row.Label, row.LabelZH), Help: say(row.Meaning, row.MeaningZH), Group: row.Category, Type: string(row.Type),
			Min: row.Min, Max: row.Max, Choices: row.Choices, Range: row.Range(),
			Unit: unitText(row.Unit, in.Language), Percent: inquiry.InPercent(row.Unit),
		}
		for _, p := range arms {
			of.Values = append(of.Values, tools.Value{X: row.Value(&p)})
		}
		out.Parameters = append(out.Parameters, of)
	}
	packages := func(t sim.InterventionType, list []sim.Package) (rows []leverPackage) {
		for _, p := range list {
			if fits(sim.Intervention{Type: t, Policy: sim.PolicyChange{Policy: p.ID}, Shock: sim.Shock{Shock: p.ID}}) {
				rows = append(rows, leverPackage{
					ID: p.ID, Label: say(p.Label, p.LabelZH), Help: say(p.Meaning, p.MeaningZH), Min: p.Min, Max: p.Max,
					Unit: unitText(p.Unit, in.Language), Percent: inquiry.InPercent(p.Unit),
					Industry: p.Industry, OneMonth: p.OneMonth,
				})
			}
		}
		return rows
	}
	out.Policies, out.Shocks = packages(sim.TypePolicy, sim.Policies()), packages(sim.TypeShock, sim.Shocks())
	for _, g := range sim.InjectionGroups {
		if fits(sim.Intervention{Type: sim.TypeInjection, Injection: sim.Injection{Group: g}}) {
			out.Groups = append(out.Groups, leverGroup{g, inquiry.GroupLabel(g, in.Language)})
		}
	}
	for _, industry := range sim.Industries(sim.MaxIndustries) {
		out.Industries = append(out.Industries, leverGroup{industry.Code, industry.Name})
	}
	return out, nil
}

type interventionList struct {
	Interventions []liveIntervention `json:"interventions"`
}

func (s *Site) interventions(ctx context.Context, _ *tools.Call, in leverArgs) (interventionList, error) {
	planned, err := s.Lab.Planned(ctx, string(in.Experiment))
	return interventionList{liveInterventions(planned, in.Language)}, err
}

// interventionType is one of the four types.
type interventionType string

// Enum lists them.
func (interventionType) Enum() (list []string) {
	for _, t := range sim.InterventionTypes {
		list = append(list, string(t))
	}
	return list
}

// injectArgs describe an intervention; which of the members it needs follows from its type.
type injectArgs struct {
	liveArgs
	Arm         string                 `json:"arm,omitempty" max:"100" doc:"default: the only treatment; with several, required"`
	Type        interventionType       `json:"intervention_type"`
	Month       lab.Months             `json:"target_month" doc:"first month in which it is in force"`
	Parameters  map[string]tools.Value `json:"parameters,omitempty" max:"100" doc:"of a parameter_change: live parameters and their values"`
	Policy      string                 `json:"policy,omitempty" max:"100"`
	Level       *float64               `json:"level,omitempty" doc:"of the policy"`
	Shock       string                 `json:"shock,omitempty" max:"100"`
	Size        *float64               `json:"size,omitempty" doc:"of the shock"`
	Persistence *float64               `json:"persistence,omitempty" doc:"share of the shock that is left in each month after"`
	Industry    string                 `json:"industry,omitempty" max:"10" doc:"code of the industry that a shock strikes"`
	Group       string                 `json:"group,omitempty" max:"40" doc:"of an injection"`
	Amount      *float64               `json:"amount,omitempty" doc:"of an injection, currency units a head and month"`
	Duration    *lab.Months            `json:"duration_months,omitempty" doc:"then it returns; default: to the end, of an injection one month"`
	Ramp        *lab.Months            `json:"ramp_months,omitempty" doc:"over which it comes in equal steps"`
	When        string                 `json:"when,omitempty" max:"500" doc:"condition, looked at from target_month on: unemployment_rate > 8%"`
	Until       string                 `json:"until,omitempty" max:"500" doc:"condition that switches it off again, to wait for when"`
	Description string                 `json:"description,omitempty" max:"1000"`
}

// intervention is what the arguments describe.
func (in injectArgs) intervention() (sim.Intervention, error) {
	v := sim.Intervention{
		Type: sim.InterventionType(in.Type), Description: in.Description, TargetMonth: int(in.Month), When: in.When, Until: in.Until,
		DurationMonths: int(tools.Given(in.Duration)), RampMonths: int(tools.Given(in.Ramp)),
		Policy:    sim.PolicyChange{Policy: in.Policy, Level: tools.Given(in.Level)},
		Shock:     sim.Shock{Shock: in.Shock, Size: tools.Given(in.Size), Persistence: tools.Given(in.Persistence), Industry: in.Industry},
		Injection: sim.Injection{Group: in.Group, Amount: tools.Given(in.Amount)},
	}
	for _, row := range sim.Catalogue() { // in its order
		value, given := in.Parameters[row.Name]
		if !given {
			continue
		}
		change, err := sim.NewParameterChange(row.Name, value.X)
		if err != nil {
			return v, err
		}
		v.Parameters = append(v.Parameters, change)
	}
	if len(v.Parameters) < len(in.Parameters) {
		for name := range in.Parameters {
			if _, err := sim.Lookup(name); err != nil {
				return v, err
			}
		}
	}
	for _, needed := range []struct {
		of    sim.InterventionType
		name  string
		given bool
	}{
		{sim.TypePolicy, "policy", in.Policy != ""}, {sim.TypePolicy, "level", in.Level != nil}, {sim.TypeShock, "shock", in.Shock != ""},
		{sim.TypeShock, "size", in.Size != nil}, {sim.TypeInjection, "group", in.Group != ""}, {sim.TypeInjection, "amount", in.Amount != nil},
	} {
		if needed.of == v.Type && !needed.given {
			return v, fault.Missing(needed.name, fmt.Sprintf("an intervention of type %s needs it", v.Type))
		}
	}
	if err := v.ReadConditions(); err != nil {
		return v, err
	}
	err := v.Check()
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "type" { // as a file calls it
		e.Field = "intervention_type"
	}
	return v, err
}

type injected struct {
	ID       string   `json:"intervention_id"`
	Arm      string   `json:"arm"`
	Status   string   `json:"status"`
	What     string   `json:"what" doc:"in words, English"`
	Warnings []string `json:"warnings" doc:"why it can do nothing there"`
}

func injectedOf(p lab.Planned) injected {
	return injected{p.ID, p.Arm, p.State, inquiry.SaidEvent(p.Intervention, report.English), p.Warnings}
}

func (s *Site) inject(ctx context.Context, c *tools.Call, in injectArgs) (injected, error) {
	v, err := in.intervention()
	if err != nil {
		return injected{}, err
	}
	p, err := s.Lab.Inject(ctx, string(in.Experiment), in.Arm, v, c.Caller)
	if err != nil {
		return injected{}, err
	}
	return injectedOf(p), nil
}

type cancelArgs struct {
	liveArgs
	Arm    string `json:"arm" max:"100"`
	Number int    `json:"number" min:"1" doc:"place in the plan of the arm"`
}

func (s *Site) cancel(ctx context.Context, c *tools.Call, in cancelArgs) (injected, error) {
	p, err := s.Lab.Cancel(ctx, strings.Join([]string{string(in.Experiment), in.Arm, fmt.Sprint(in.Number)}, "/"), c.Caller)
	if err != nil {
		return injected{}, err
	}
	return injectedOf(p), nil
}
