package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/mcpserver/bench"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

const memoryHelp = `Has servers, each a process of its own, carry out an experiment each, and compares
the largest resident set of the process with what it takes at rest and the estimate by which
experiments are accepted. An estimate that is further off than --within is an error. Sizes that
would take more than --most are left out.`

// memoryOptions are the flags of econ-dev memory.
type memoryOptions struct {
	program                           string
	households, threads, replications []int
	months                            int
	within                            float64
	most                              int64
	format                            string
}

// memoryRow is the memory of one experiment, in bytes.
type memoryRow struct {
	bench.Experiment
	Rest      int64   `json:"rest"`
	Peak      int64   `json:"peak"`
	Estimated int64   `json:"estimated"` // of the peak
	Off       float64 `json:"off"`       // estimated / peak - 1
}

func newMemory() *cobra.Command {
	var o memoryOptions
	cmd := &cobra.Command{
		Use:     "memory",
		Short:   "Compare the memory of experiments with its estimates",
		Long:    memoryHelp,
		Example: "  go build ./cmd/econ-mcp\n  go run ./cmd/econ-dev memory --households 1000,100000 --format json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.program, "program", "./econ-mcp", "`file` of the program that is measured")
	f.IntSliceVar(&o.households, "households", []int{1e3, 1e4, 1e5, 1e6, 3e6, 5e6}, "households of an economy")
	f.IntSliceVar(&o.threads, "threads", []int{1, 2, 16}, "threads of the server")
	f.IntSliceVar(&o.replications, "replications", []int{1, 8}, "replications of one arm, and of two")
	f.IntVar(&o.months, "months", 0, "months after one of burn-in, 0 = so many that garbage shows")
	f.Float64Var(&o.within, "within", .25, "part of the peak by which an estimate may be off")
	f.Int64Var(&o.most, "most", 8<<30, "`bytes` that an experiment may take")
	f.StringVar(&o.format, "format", "text", "text or json")
	return cmd
}

func (o *memoryOptions) run(cmd *cobra.Command) error {
	if o.format != "text" && o.format != "json" {
		return fault.Range("--format", o.format, "text", "json")
	}
	program, err := exec.LookPath(o.program)
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return fmt.Errorf("there is no program to measure: %w; go build ./cmd/econ-mcp makes one, --program names it", err)
	}
	var rows []memoryRow
	for _, x := range o.experiments() {
		estimate, err := estimated(x, sim.Defaults())
		if err != nil {
			return err
		}
		if estimate > o.most {
			continue
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%+v …\n", x)
		row := memoryRow{Experiment: x}
		if row.Rest, row.Peak, err = bench.Peak(cmd.Context(), program, x); err != nil {
			return err
		}
		row.Estimated = row.Rest + estimate
		row.Off = math.Round(1000*(float64(row.Estimated)/float64(row.Peak)-1)) / 1000
		rows = append(rows, row)
	}
	if err := o.write(cmd.OutOrStdout(), rows); err != nil {
		return err
	}
	off := 0
	for _, r := range rows {
		if math.Abs(r.Off) > o.within {
			off++
		}
	}
	if off > 0 {
		return fmt.Errorf("%s of %d are off by more than %g", report.Plural(off, "estimate"), len(rows), o.within)
	}
	return nil
}

// shownMonths are household-months in which the garbage of months shows beside an economy.
const shownMonths = 2_400_000

// experiments are those that are measured.
func (o *memoryOptions) experiments() (list []bench.Experiment) {
	for _, households := range o.households {
		for _, threads := range o.threads {
			for _, replications := range o.replications {
				for arms := 1; arms <= 2; arms++ {
					list = append(list, bench.Experiment{
						Households: households, Threads: threads, Replications: replications, Arms: arms,
						Months: cmp.Or(o.months, max(1, min(240, shownMonths/households))),
					})
				}
			}
		}
	}
	return list
}

// estimated is what the server reserves for an experiment with economies of some parameters, in bytes.
func estimated(x bench.Experiment, params sim.Params) (int64, error) {
	s := scenario.New("measured", params)
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		if err := p.Set("num_households", x.Households); err != nil {
			return 0, err
		}
	}
	arms := []run.Arm{{Name: "treatment", Scenario: s}}
	if x.Arms > 1 {
		arms = append(arms, run.Arm{Name: "control", Scenario: s})
	}
	m := run.NewManager(run.Settings{Threads: x.Threads})
	return m.Estimate(run.Task{Arms: arms, Seeds: run.Seeds(1, x.Replications), Months: x.Months, Footprint: lab.Footprint}), nil
}

func (o *memoryOptions) write(w io.Writer, rows []memoryRow) error {
	if o.format == "json" {
		data, err := json.MarshalIndent(rows, "", " ")
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n", data)
		}
		return err
	}
	const mega = 1e6
	fmt.Fprintf(w, "%11s %7s %12s %4s %6s %9s %9s %9s %6s\n", "households", "threads", "replications", "arms", "months", "rest, MB",
		"peak, MB", "estimate", "off, %")
	for _, r := range rows {
		fmt.Fprintf(w, "%11d %7d %12d %4d %6d %9.1f %9.1f %9.1f %6.1f\n", r.Households, r.Threads, r.Replications, r.Arms, r.Months,
			float64(r.Rest)/mega, float64(r.Peak)/mega, float64(r.Estimated)/mega, 100*r.Off)
	}
	return nil
}
