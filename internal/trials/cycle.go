package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// The standard call of [Sources]: as long as the longer sample of the data.
const (
	CycleMonths       = 672
	CycleReplications = 8
)

// mostOfOneProcess is the share of the variance of output that a process of its own may have in a cycle that the
// economy makes: beyond it the cycle is written in.
const mostOfOneProcess = .5

// cycleVariables are the series whose cycles are looked at.
var cycleVariables = []quarterly.Variable{quarterly.Output, quarterly.Consumption, quarterly.FixedInvestment, quarterly.Unemployment}

// CycleTable says how much of the cycle is due to which draws.
type CycleTable struct {
	Setting
	Variables []string
	SD        []float64 // of the cycles: of logs, of the rate of unemployment in points
	Rows      []CycleRow

	Command string // that made it, for Markdown; the caller's
}

// CycleRow is a process, and the part of the variance of each cycle that goes with it.
type CycleRow struct {
	Process string
	Meaning string
	Total   []stats.Interval // total effect by variable: mean over replications with Student's interval
	own     bool             // a single process, not several together
}

// cycleArm is an economy in which some processes are drawn anew.
type cycleArm struct {
	name, meaning string
	anew          []sim.Process
}

// cycleArms are each process alone, all but confidence, and all.
func cycleArms() (arms []cycleArm) {
	var all []sim.Process
	for p := range sim.NumProcesses {
		all = append(all, p)
		arms = append(arms, cycleArm{p.String(), p.Meaning(), []sim.Process{p}})
	}
	others := slices.DeleteFunc(slices.Clone(all), func(p sim.Process) bool { return p == sim.ConfidenceProcess })
	return append(arms,
		cycleArm{"all but confidence", "whatever is drawn for single firms and households", others},
		cycleArm{"all", "near 1 by construction", all})
}

// redrawSeed is added to the seed of a replication for what is drawn anew.
const redrawSeed = 1 << 40

// Sources simulates a scenario, and again with each process of draws anew from month 2 on. The total effect of a process
// on the variance of a series is half the mean squared difference that this makes, over the variance (Jansen 1999,
// Computer Physics Communications 117; Saltelli et al. 2008, Global Sensitivity Analysis, section 4.6): the share that
// would be left if everything but this process were known. Processes that act together count more than once, so that
// total effects add up to 1 or more.
func Sources(
	ctx context.Context, s scenario.Scenario, replications, threads int, cache run.Cache, progress func(run.Progress),
) (*CycleTable, error) {
	months := s.Params.NumIterations
	arms := cycleArms()
	task := run.Simulation{
		Arms: []run.Arm{{Name: "as it is", Scenario: s}}, Seeds: run.Seeds(uint64(s.Params.RandomState), replications),
		Months: months, Threads: threads, Cache: cache, Progress: progress,
	}
	for _, a := range arms {
		task.Arms = append(task.Arms, run.Arm{Name: a.name, Scenario: s})
	}
	seen := make([][]QuartersCollector, len(task.Arms))
	for i := range seen {
		seen[i] = make([]QuartersCollector, len(task.Seeds))
	}
	task.Observe = func(arm, replication int, e *sim.Economy) error {
		if arm > 0 && e.Month() == 1 {
			e.Redraw(task.Seeds[replication]+redrawSeed, arms[arm-1].anew...)
		}
		return seen[arm][replication].Observe(e)
	}
	if _, err := task.Run(ctx); err != nil {
		return nil, err
	}
	t := &CycleTable{Setting: settingOf(s, replications, months)}
	cycles := make([][][]cycleSeries, len(seen)) // by arm, replication, variable
	for i := range seen {
		for r := range seen[i] {
			cycles[i] = append(cycles[i], cyclesOf(&seen[i][r]))
		}
	}
	for k, v := range cycleVariables {
		t.Variables = append(t.Variables, v.String())
		t.SD = append(t.SD, math.Sqrt(meanVariance(cycles[0], k)))
	}
	for i, a := range arms {
		row := CycleRow{Process: a.name, Meaning: a.meaning, own: len(a.anew) == 1}
		for k := range cycleVariables {
			var effects []float64
			for r := range cycles[0] {
				effects = append(effects, halfSquare(cycles[0][r][k], cycles[i+1][r][k])/meanVariance(cycles[0], k))
			}
			row.Total = append(row.Total, stats.MeanInterval(effects, tables.DefaultConfidence))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// cycleSeries is the cycle of one series, a quarter each.
type cycleSeries []float64

// cyclesOf are the cycles of the variables: of logs, and of the rate of unemployment itself.
func cyclesOf(c *QuartersCollector) (list []cycleSeries) {
	d := c.Data()
	for _, v := range cycleVariables {
		x := d.Values[v]
		if v != quarterly.Unemployment {
			x = stats.Logs(x)
		}
		_, cycle := stats.HPFilter(x, hpLambda)
		list = append(list, cycle)
	}
	return list
}

// meanVariance of a cycle around 0, its mean, over the replications.
func meanVariance(replications [][]cycleSeries, k int) float64 {
	sum, n := 0., 0
	for _, series := range replications {
		for _, x := range series[k] {
			sum += x * x
			n++
		}
	}
	return sum / float64(n)
}

// halfSquare is half the mean squared difference of two cycles.
func halfSquare(a, b cycleSeries) float64 {
	sum := 0.
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i]) / 2
	}
	return sum / float64(len(a))
}

// Largest is the process of its own that has the largest total effect on output.
func (t *CycleTable) Largest() CycleRow {
	var largest CycleRow
	for _, row := range t.Rows {
		if row.own && (largest.Total == nil || row.Total[0].Mean > largest.Total[0].Mean) {
			largest = row
		}
	}
	return largest
}

// Pass says whether no process has more than half of the variance of output.
func (t *CycleTable) Pass() bool { return t.Largest().Total[0].Mean <= mostOfOneProcess }

// Verdict says it in a sentence.
func (t *CycleTable) Verdict() string {
	largest := t.Largest()
	verdict := VerdictOpen
	if t.Pass() {
		verdict = VerdictPass
	}
	return fmt.Sprintf("%s: the process with the largest total effect on output, %s, has %s (%s); at most %g is wanted",
		verdict, largest.Process, Figure(largest.Total[0].Mean), IntervalText(largest.Total[0].Low, largest.Total[0].High), mostOfOneProcess)
}

// MarshalJSON implements [json.Marshaler].
func (t *CycleTable) MarshalJSON() ([]byte, error) {
	type effect struct {
		Variable string       `json:"variable"`
		Total    stats.Number `json:"total_effect"`
		CILow    stats.Number `json:"ci_low"`
		CIHigh   stats.Number `json:"ci_high"`
	}
	type row struct {
		Process string   `json:"process"`
		Meaning string   `json:"meaning"`
		Effects []effect `json:"effects"`
	}
	sd := map[string]stats.Number{}
	for k, name := range t.Variables {
		sd[name] = stats.Number(t.SD[k])
	}
	var rows []row
	for _, r := range t.Rows {
		x := row{Process: r.Process, Meaning: r.Meaning}
		for k, e := range r.Total {
			x.Effects = append(x.Effects, effect{t.Variables[k], stats.Number(e.Mean), stats.Number(e.Low), stats.Number(e.High)})
		}
		rows = append(rows, x)
	}
	return json.Marshal(struct {
		Pass       bool                    `json:"pass"`
		Verdict    string                  `json:"verdict"`
		SD         map[string]stats.Number `json:"sd"`
		Processes  []row                   `json:"processes"`
		Confidence float64                 `json:"confidence"`
		Setting
	}{t.Pass(), t.Verdict(), sd, rows, tables.DefaultConfidence, t.Setting})
}

// Markdown is the section of docs/VALIDATION.md. The same command on the same model gives the same text.
func (t *CycleTable) Markdown() string {
	var b strings.Builder
	b.WriteString("## What makes the cycle\n\n" +
		"The total effect of each process of random draws on the cycles of quarterly series (logs, HP filter): half the mean squared difference that it makes to draw it anew, over the variance. It is the share of the variance that would be " +
		"left if all but this process were known; processes that act together count more than once.")
	if t.Command != "" {
		fmt.Fprintf(&b, " Generated by `%s`; do not edit.", t.Command)
	}
	fmt.Fprintf(&b, " %s Mean over the seeds, for output with Student's %g %% interval.\n\nVerdict: %s.\n\n", t.Setting.markdown(),
		100*tables.DefaultConfidence, t.Verdict())
	fmt.Fprintf(&b, "| drawn anew | what is drawn | %s | interval | %s |\n|---|---|---|---|", t.Variables[0],
		strings.Join(t.Variables[1:], " | "))
	b.WriteString(strings.Repeat("---|", len(t.Variables)-1) + "\n")
	for _, row := range t.Rows {
		output := row.Total[0]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |", row.Process, row.Meaning, Figure(output.Mean), IntervalText(output.Low, output.High))
		for _, e := range row.Total[1:] {
			fmt.Fprintf(&b, " %s |", Figure(e.Mean))
		}
		b.WriteString("\n")
	}
	b.WriteString("\nStandard deviations of the cycles:")
	for k, name := range t.Variables {
		fmt.Fprintf(&b, " %s %s%s", name, Figure(t.SD[k]), map[bool]string{true: ".", false: ","}[k == len(t.Variables)-1])
	}
	b.WriteString("\n")
	return b.String()
}
