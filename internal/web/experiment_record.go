package web

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

type interventionRow struct {
	ID          string `json:"intervention_id"`
	Arm         string `json:"arm"`
	What        string `json:"what"`
	Description string `json:"description"`
	Target      int    `json:"target_month"`
	Duration    int    `json:"duration_months" doc:"0 = to the end"`
	When        string `json:"when" doc:"condition; empty = in the target month"`
	Until       string `json:"until"`
	State       string `json:"state" enum:"pending,active,executed,reverted,cancelled,failed"`
	Began       int    `json:"began" doc:"month, in the first replication in which it did; 0 = not yet"`
	InForce     string `json:"in_force" doc:"in words"`
}

type amendmentRow struct {
	At    string `json:"at"`
	By    string `json:"by" doc:"empty = who runs the program"`
	Month int    `json:"month" doc:"the last one that was simulated then"`
	Arm   string `json:"arm"`
	What  string `json:"what"`
}

// Mark is the first month that could show it.
func (r amendmentRow) Mark() int { return r.Month + 1 }

type interventionsAnswer struct {
	Experiment    string            `json:"experiment_name"`
	Interventions []interventionRow `json:"interventions"`
	Amendments    []amendmentRow    `json:"amendments" doc:"what was changed after the plan was made: nothing is confirmatory then"`
}

func (s *Site) experimentInterventions(ctx context.Context, _ *tools.Call, in toldArgs) (interventionsAnswer, error) {
	name := string(in.Experiment)
	out := interventionsAnswer{Experiment: name}
	planned, err := s.Lab.Planned(ctx, name)
	if err != nil {
		return out, err
	}
	for _, p := range planned {
		v := p.Intervention
		row := interventionRow{
			ID: p.ID, Arm: p.Arm, What: inquiry.SaidEvent(v, in.Language), Description: v.Description, Target: v.TargetMonth, Duration: v.DurationMonths, When: v.When,
			Until: v.Until, State: p.State, Began: p.Began,
		}
		if p.Began > 0 {
			row.InForce = report.InForceText(p.InForce, in.Language)
		}
		out.Interventions = append(out.Interventions, row)
	}
	amendments, err := s.Lab.Store.Amendments(ctx, name)
	for _, a := range amendments {
		out.Amendments = append(out.Amendments, amendmentRow{a.At.UTC().Format(time.RFC3339), a.By, a.Month, a.Arm, a.What})
	}
	return out, err
}

// StateIn is the state of an intervention in words.
func (r interventionRow) StateIn(p page) string { return saidStatus(r.State, p.Language) }

type differenceRow struct {
	Parameter string   `json:"parameter"`
	Label     string   `json:"label"`
	Unit      string   `json:"unit"`
	Values    []string `json:"values" doc:"by arm"`
}

type armScenario struct {
	Arm     string `json:"arm"`
	Hash    string `json:"scenario_hash"`
	Changed string `json:"changed" doc:"YAML: what differs from the defaults of this program"`

	Interventions []string `json:"interventions" doc:"that are planned in it"`
}

type scenariosAnswer struct {
	Experiment  string          `json:"experiment_name"`
	Arms        []armScenario   `json:"arms"`
	Differences []differenceRow `json:"differences" doc:"parameters in which arms differ from month 1 on"`
}

func (s *Site) experimentScenarios(ctx context.Context, _ *tools.Call, in toldArgs) (scenariosAnswer, error) {
	name := string(in.Experiment)
	out := scenariosAnswer{Experiment: name}
	x, err := s.Lab.Store.Experiment(ctx, name)
	if err != nil {
		return out, err
	}
	var arms []sim.Params
	for _, arm := range x.Arms {
		sc, err := s.Lab.Scenario(ctx, name, arm.Name)
		if err != nil {
			return out, err
		}
		arms = append(arms, sc.Params)
		of := armScenario{Arm: arm.Name, Hash: arm.Hash, Changed: string(sc.EncodeChanged())}
		for _, v := range sc.Interventions {
			if !v.Cancelled {
				of.Interventions = append(of.Interventions, inquiry.SaidEvent(v, in.Language))
			}
		}
		out.Arms = append(out.Arms, of)
	}
	for _, row := range sim.Catalogue() {
		differs := false
		for k := range arms {
			differs = differs || !row.Same(&arms[0], &arms[k])
		}
		if !differs || row.Technical {
			continue
		}
		d := differenceRow{Parameter: row.Name, Label: inLanguage(in.Language, row.Label, row.LabelZH), Unit: row.Unit}
		for k := range arms {
			d.Values = append(d.Values, fmt.Sprint(row.Value(&arms[k])))
		}
		out.Differences = append(out.Differences, d)
	}
	return out, nil
}

// Planned says whether anything is planned in an arm.
func (a scenariosAnswer) Planned() bool {
	return slices.ContainsFunc(a.Arms, func(arm armScenario) bool { return len(arm.Interventions) > 0 })
}

type provenanceArm struct {
	Name         string   `json:"name"`
	ScenarioHash string   `json:"scenario_hash"`
	BurntInApart []string `json:"burnt_in_apart" doc:"parameters that cannot change while an economy lives: the arm has a burn-in of its own"`
}

type provenanceRun struct {
	ID          string `json:"run_id"`
	Arm         string `json:"arm"`
	Replication int    `json:"replication" doc:"from 1"`
	Seed        uint64 `json:"seed"`
	Month       int    `json:"month"`
	StateHash   string `json:"state_hash" doc:"SHA-256 of the economy at its end; empty = it has not ended"`
}

type provenanceAnswer struct {
	Experiment   string          `json:"experiment_name"`
	Seed         uint64          `json:"seed" doc:"from which those of the runs are derived"`
	BurnIn       int             `json:"burn_in_months"`
	ModelVersion string          `json:"model_version"`
	CodeVersion  string          `json:"code_version"`
	GoVersion    string          `json:"go_version"`
	Platform     string          `json:"platform"`
	PlanHash     string          `json:"plan_hash" doc:"SHA-256 of the plan as it was stored before the first month"`
	InquiryHash  string          `json:"inquiry_hash"`
	Differs      string          `json:"differs" doc:"in what this program differs from the one that simulated it; empty = in nothing"`
	Arms         []provenanceArm `json:"arms"`
	Runs         []provenanceRun `json:"runs"`
	Commands     []string        `json:"commands" doc:"that repeat it"`
}

func (s *Site) experimentProvenance(ctx context.Context, _ *tools.Call, in toldArgs) (provenanceAnswer, error) {
	name := string(in.Experiment)
	x, err := s.Lab.Store.Experiment(ctx, name)
	if err != nil {
		return provenanceAnswer{}, err
	}
	r, _ := lab.RegistrationOf(x)
	out := provenanceAnswer{
		Experiment: name, Seed: x.Seed, BurnIn: r.BurnIn, ModelVersion: x.ModelVersion, CodeVersion: x.CodeVersion, GoVersion: x.GoVersion,
		Platform: x.Arch, PlanHash: lab.PlanHash(x.Plan), InquiryHash: r.InquiryHash, Commands: []string{"econ-mcp rerun " + name},
	}
	if r.Inquiry != "" {
		out.Commands = append(out.Commands, "econ-mcp ask inquiry.yaml")
	}
	out.Commands = append(out.Commands, "econ-mcp export "+name+" --out DIR")
	for _, arm := range x.Arms {
		out.Arms = append(out.Arms, provenanceArm{arm.Name, arm.Hash, arm.BurntInApart})
	}
	for _, run := range x.Runs {
		out.Runs = append(out.Runs, provenanceRun{run.ID, run.Arm, run.Replication, run.Seed, run.Month, run.StateHash})
	}
	out.Differs, err = s.Lab.Environment(ctx, name)
	return out, err
}

// mostRuns is how many runs a page lists.
const mostRuns = 40

// ShownRuns are the first runs.
func (a provenanceAnswer) ShownRuns() []provenanceRun { return a.Runs[:min(mostRuns, len(a.Runs))] }

// MoreRuns is how many more there are.
func (a provenanceAnswer) MoreRuns() int { return len(a.Runs) - len(a.ShownRuns()) }

// Apart are the arms with a burn-in of their own.
func (a provenanceAnswer) Apart() (list []string) {
	for _, arm := range a.Arms {
		if len(arm.BurntInApart) > 0 {
			list = append(list, arm.Name+": "+strings.Join(arm.BurntInApart, ", "))
		}
	}
	return list
}
