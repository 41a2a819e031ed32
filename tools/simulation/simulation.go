// Package simulation has the tools that start experiments, follow them and read what
// they do.
package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/tools"
)

// Tools lists the category in the order of the catalogue.
func Tools(spaces *param.Spaces, laboratory *lab.Laboratory) []tools.Tool {
	d := deps{spaces, laboratory}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "start_simulation", View: tools.ResultView, Title: "Start a simulation", TitleZH: "启动模拟", Category: tools.Simulation, Hints: tools.Adds,
			Description: "Simulates an inquiry, or else the workspace's parameters and planned interventions, which it takes out of the plan; " +
				"returns at once with a handle. With control, a control arm runs on the same seeds and differences are paired. Follow with " +
				"get_simulation_status.",
		}, d.start),
		tools.New(tools.Spec{
			Name: "get_simulation_status", View: tools.ResultView, Title: "Simulation status", TitleZH: "模拟状态", Category: tools.Simulation, Hints: tools.Reads,
			Description: "How far an experiment is: run_status, month, ETA in seconds, and the latest headline indicators (mean over replications).",
		}, d.status),
		tools.New(tools.Spec{
			Name: "stop_simulation", Title: "Stop a simulation", TitleZH: "停止模拟", Category: tools.Simulation, Hints: tools.Writes,
			Description: "Ends an experiment for good after the month under way. What was simulated stays. To go on later, use pause_simulation.",
		}, d.stop),
		tools.New(tools.Spec{
			Name: "get_economic_indicators", Title: "Economic indicators of a month", TitleZH: "某月经济指标", Category: tools.Simulation,
			Hints: tools.Reads,
			Description: "Headline indicators of one month of an arm, with mean, standard deviation and 95 % interval over replications. Works " +
				"while running.",
		}, d.indicators),
		tools.New(tools.Spec{
			Name: "get_all_economic_indicators", View: tools.ResultView, Title: "Economic indicators over time", TitleZH: "经济指标时间序列", Category: tools.Simulation,
			Hints:       tools.Reads,
			Description: "Monthly series of headline indicators of an arm (mean over replications), at most 5,000 numbers; timeseries.csv has all.",
		}, d.allIndicators),
		tools.New(tools.Spec{
			Name: "get_household_summary", Title: "Household summary", TitleZH: "家庭汇总", Category: tools.Simulation, Hints: tools.Reads,
			Description: "Distribution of income, wealth and consumption over households in a month: mean, quantiles, Gini, Lorenz points, " +
				"poverty, saving; one row per group with by.",
		}, d.households),
		tools.New(tools.Spec{
			Name: "get_firm_summary", Title: "Firm summary", TitleZH: "企业汇总", Category: tools.Simulation, Hints: tools.Reads,
			Description: "Firms in a month: counts, entry, exit, sizes, mark-ups, productivity, prices, inventories, vacancies, concentration, " +
				"innovations; one row per group with by.",
		}, d.firms),
	}
}

// deps is what the handlers of this package work on.
type deps struct {
	spaces *param.Spaces
	lab    *lab.Laboratory
}

// experiment is the one that is named, else the one that the workspace looks at.
func (d deps) experiment(ctx context.Context, c *tools.Call, name tools.Name) (string, error) {
	return d.spaces.Experiment(ctx, c.Workspace, string(name))
}

type startArgs struct {
	Experiment   tools.Name       `json:"experiment_name,omitempty" doc:"Default: exp_{H}h_{M}m_{time}"`
	Replications lab.Replications `json:"replications,omitempty" default:"1" min:"1" max:"1000" doc:"Seeds per arm; 20 give usable intervals; auto: added until the first outcome's interval is narrow, see plan"`
	Question     string           `json:"question,omitempty" max:"4000" doc:"What is asked of it"`
	Plan         *lab.Plan        `json:"plan,omitempty" doc:"What it will be judged by, completed and stored before it runs"`
	Seed         *int64           `json:"seed,omitempty" min:"0" max:"9007199254740991" doc:"Base seed; default random_state"`
	Months       *lab.Months      `json:"months,omitempty" doc:"Default num_iterations"`
	Control      tools.Name       `json:"control,omitempty" doc:"Control arm: a preset (baseline), a config, or burn-in (the burnt-in economy goes on unchanged)"`
	PauseAt      *lab.Months      `json:"pause_at_month,omitempty" doc:"Pauses after this month, but not after the last"`
	WaitSeconds  float64          `json:"wait_seconds,omitempty" default:"0" min:"0" max:"60" doc:"Waits so long for the end"`
	Shared       bool             `json:"shared,omitempty" default:"false" doc:"Others may steer it"`
	Inquiry      *tools.Inquiry   `json:"inquiry,omitempty" doc:"All that is asked, in the place of the workspace and of control, plan, seed, months, replications and question: econ://schema/inquiry"`
	Arms         []armArgs        `json:"arms,omitempty" min:"1" max:"64" doc:"Whole scenarios, the control first, in the place of the workspace and of control: to repeat an experiment"`
}

// armArgs is an arm that is given whole.
type armArgs struct {
	Name     tools.Name `json:"name"`
	Scenario string     `json:"scenario" max:"200000" doc:"YAML, as econ://experiments/{name}/scenario/{arm} has it"`
}

// order is what the arguments ask for: the workspace, arms, or an inquiry, which is read back.
func (d deps) order(c *tools.Call, space *param.Workspace, in startArgs) (o lab.Order, readBack string, err error) {
	if in.Inquiry == nil {
		o := lab.Order{
			Name: string(in.Experiment), Control: string(in.Control), Replications: in.Replications,
			Question: in.Question, Plan: in.Plan, Principal: c.Principal, Months: int(tools.Given(in.Months)),
		}
		if in.Arms == nil {
			o.Scenario = space.Scenario()
		} else if o.Arms, err = armsOf(in); err != nil {
			return lab.Order{}, "", err
		}
		if in.Seed != nil {
			seed := uint64(*in.Seed)
			o.Seed = &seed
		}
		return o, "", nil
	}
	for _, said := range []struct {
		argument string
		given    bool
	}{
		{"control", in.Control != ""}, {"plan", in.Plan != nil}, {"seed", in.Seed != nil}, {"months", in.Months != nil},
		{"question", in.Question != ""}, {"replications", in.Replications != 1}, {"arms", in.Arms != nil},
	} {
		if said.given {
			return lab.Order{}, "", fault.New(fault.Conflict, said.argument, "an inquiry says %s itself", said.argument).
				WithHint("say it in the inquiry, and leave the argument out")
		}
	}
	text, err := json.Marshal(in.Inquiry)
	if err != nil {
		return lab.Order{}, "", err
	}
	q, err := inquiry.Decode(text)
	if err != nil {
		return lab.Order{}, "", tools.InInquiry(err)
	}
	inquired, err := d.lab.Inquire(q, string(in.Experiment), c.Principal)
	return inquired.Order, q.ReadBack(report.LanguageOf(q.Question)), tools.InInquiry(err)
}

// armsOf are the arms that are given whole.
func armsOf(in startArgs) (arms []lab.Arm, err error) {
	if in.Control != "" {
		return nil, fault.New(fault.Conflict, "control", "the first of the arms is the control").WithHint("leave control out")
	}
	for i, a := range in.Arms {
		for _, other := range in.Arms[:i] {
			if other.Name == a.Name {
				return nil, fault.New(fault.Conflict, fmt.Sprintf("arms[%d].name", i), "two arms are called %s", a.Name).
					WithHint("give each arm a name of its own")
			}
		}
		s, err := scenario.Decode(string(a.Name), []byte(a.Scenario))
		if err != nil {
			return nil, fault.In(fmt.Sprintf("arms[%d].scenario", i), err)
		}
		arms = append(arms, lab.Arm{Name: string(a.Name), Scenario: s})
	}
	return arms, nil
}

type startResult struct {
	Started          bool     `json:"simulation_started"`
	Experiment       string   `json:"experiment_name"`
	RunIDs           []string `json:"run_ids" doc:"EXPERIMENT/ARM/REPLICATION; the first 200"`
	Arms             []string `json:"arms"`
	Months           int      `json:"months"`
	Households       int      `json:"households"`
	Firms            int      `json:"firms"`
	EstimatedSeconds float64  `json:"estimated_seconds" doc:"on an idle machine"`
	Running          bool     `json:"running"`
	State            string   `json:"run_status"`
	Month            int      `json:"month"`
	ScenarioHash     string   `json:"scenario_hash" doc:"of the treatment"`
	PlanHash         string   `json:"plan_hash" doc:"SHA-256 of the stored plan"`
	BurntInApart     []string `json:"burnt_in_apart" doc:"parameters for which an arm has its own burn-in"`
	Warnings         []string `json:"warnings" doc:"what of it can do nothing"`
	ReadBack         string   `json:"read_back,omitempty" doc:"what was understood of the inquiry"`
	Taken            []string `json:"interventions_taken" doc:"of those planned for the next start"`
	StoredBytesLeft  *int64   `json:"stored_bytes_left,omitempty"`
}

// shownRuns keeps the answer short, as the experiment has begun by then.
const shownRuns = 200

func (d deps) start(ctx context.Context, c *tools.Call, in startArgs) (startResult, error) {
	space, err := d.spaces.Open(ctx, c.Workspace)
	if err != nil {
		return startResult{}, err
	}
	order, readBack, err := d.order(c, space, in)
	if err != nil {
		return startResult{}, err
	}
	order.Shared, order.PauseAt = in.Shared, int(tools.Given(in.PauseAt))
	started, err := d.lab.Start(ctx, order)
	if err != nil {
		return startResult{}, err
	}
	// It runs: whatever goes wrong from here on, the answer is its name.
	taken, err := space.Started(context.WithoutCancel(ctx), started.Name, order.Scenario)
	if err != nil {
		slog.Warn("a workspace could not be kept", "workspace", c.Workspace, "error", err)
	}
	status, err := d.wait(ctx, c, started.Name, in.WaitSeconds)
	if err != nil {
		slog.Warn("the status of an experiment could not be read", "experiment", started.Name, "error", err)
		status = lab.Status{State: run.StateQueued}
	}
	return startResult{
		Started: true, Experiment: started.Name, RunIDs: started.RunIDs[:min(len(started.RunIDs), shownRuns)], Arms: started.Arms,
		Months:     started.Months,
		Households: started.Households, Firms: started.Firms, EstimatedSeconds: started.EstimatedSeconds,
		Running: status.Running(), State: string(status.State), Month: status.Month,
		ScenarioHash: started.ScenarioHash, PlanHash: started.PlanHash, BurntInApart: started.BurntInApart,
		Warnings:        started.Warnings,
		StoredBytesLeft: started.StoredBytesLeft, ReadBack: readBack, Taken: taken,
	}, nil
}

// wait follows an experiment for a while and reports its progress.
func (d deps) wait(ctx context.Context, c *tools.Call, name string, seconds float64) (lab.Status, error) {
	if seconds == 0 {
		return d.lab.Status(ctx, name)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	defer cancel()
	return d.lab.Wait(ctx, name, func(s lab.Status) {
		text := fmt.Sprintf("%s: month %d of %d", s.State, s.Month, s.Months)
		if s.ReplicationsDone > 0 {
			text = fmt.Sprintf("%d replications done; %s", s.ReplicationsDone, s.Message)
		}
		if s.Preparing {
			text = s.Message
		} else if s.Month == 0 && s.BurnInMonths > 0 {
			text = fmt.Sprintf("burn-in: month %d of %d", s.BurnIn, s.BurnInMonths)
		}
		c.Progress(s.Progress, 1, text)
	})
}

type experimentArgs struct {
	Experiment tools.Name `json:"experiment_name,omitempty" doc:"Default: the last one of this workspace"`
}

type statusArgs struct {
	experimentArgs
	WaitSeconds float64 `json:"wait_seconds,omitempty" default:"0" min:"0" max:"60" doc:"Waits so long for the end"`
}

type statusResult struct {
	Running          bool                    `json:"running"`
	Paused           bool                    `json:"paused"`
	State            string                  `json:"run_status" enum:"queued,burn_in,running,paused,stopped,interrupted,completed,failed"`
	Experiment       string                  `json:"experiment_name"`
	Month            int                     `json:"month" doc:"0 until burn-in is over"`
	Months           int                     `json:"total_months"`
	Progress         float64                 `json:"progress" doc:"share of all months, burn-in included"`
	ETASeconds       stats.Number            `json:"eta_seconds" doc:"null = not known"`
	MonthsPerSecond  float64                 `json:"months_per_second"`
	Replications     int                     `json:"replications"`
	ReplicationsDone int                     `json:"replications_done"`
	Arm              string                  `json:"arm" doc:"of latest"`
	Latest           map[string]stats.Number `json:"latest" doc:"of month, mean over replications"`
	Pending          int                     `json:"pending_interventions"`
	Error            string                  `json:"error" doc:"why it failed"`
	Note             string                  `json:"note" doc:"why it waits, was interrupted or adds replications"`
}

func (d deps) status(ctx context.Context, c *tools.Call, in statusArgs) (statusResult, error) {
	name, err := d.experiment(ctx, c, in.Experiment)
	if err != nil {
		return statusResult{}, err
	}
	s, err := d.wait(ctx, c, name, in.WaitSeconds)
	if err != nil {
		return statusResult{}, err
	}
	out := statusResult{
		Running: s.Running(), Paused: s.State == "paused", State: string(s.State), Experiment: s.Name, Month: s.Month, Months: s.Months,
		Progress: s.Progress, ETASeconds: stats.Number(s.ETASeconds), MonthsPerSecond: s.MonthsPerSecond,
		Replications: s.Replications, ReplicationsDone: s.ReplicationsDone, Arm: s.Latest.Arm, Latest: map[string]stats.Number{},
		Pending: s.Pending,
	}
	if s.State == run.StateFailed {
		out.Error = s.Message
	} else {
		out.Note = s.Message
	}
	if s.State.Ended() && s.Month > 0 {
		implausible, err := d.lab.Implausible(ctx, name, "")
		if err != nil {
			return statusResult{}, err
		}
		out.Note = strings.Join(slices.DeleteFunc(append([]string{out.Note}, implausible...), func(s string) bool { return s == "" }), "; ")
	}
	for _, v := range s.Latest.Values {
		out.Latest[v.Indicator.String()] = stats.Number(v.Mean.Mean)
	}
	return out, nil
}

type stopResult struct {
	Stopped    bool   `json:"stopped" doc:"false: it had ended otherwise by then"`
	Experiment string `json:"experiment_name"`
	Month      int    `json:"month"`
	Kept       int    `json:"kept_months"`
}

func (d deps) stop(ctx context.Context, c *tools.Call, in experimentArgs) (stopResult, error) {
	name, err := d.experiment(ctx, c, in.Experiment)
	if err != nil {
		return stopResult{}, err
	}
	s, err := d.lab.Stop(ctx, name, c.Caller)
	return stopResult{Stopped: s.State == run.StateStopped, Experiment: name, Month: s.Month, Kept: s.Month}, err
}
