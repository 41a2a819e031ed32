package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver/bench"
	"econ-mcp/internal/param"
	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

const serverHelp = `Starts econ-mcp as clients do, over stdio and over HTTP with a new data folder each,
calls their tools and prints calls a second and the time of a call (p50, p99), on the
machine at rest and while two simulations run; the time from the start of a process to
its first answer; the memory with 100 idle sessions; and the calls a second beside those
of a bare server of the library mcp-go that offers one such tool.

Each figure is the best of several rounds, because other programs may use the machine;
look at its load, which is printed too, before you believe one. A figure that misses its
target is marked; it is no error.`

// serverOptions are the flags of econ-dev server.
type serverOptions struct {
	seconds float64
	bench.Settings
	format string
}

func newServer() *cobra.Command {
	o := serverOptions{Settings: bench.Settings{Parameters: sim.ParameterNames()}}
	cmd := &cobra.Command{
		Use:     "server",
		Short:   "Measure the server: calls a second, their time, memory, start",
		Long:    serverHelp,
		Example: "  go build ./cmd/econ-mcp\n  go run ./cmd/econ-dev server --only http --callers 1,4,64 --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return o.execute(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Program, "program", "./econ-mcp", "`file` of the program that is measured")
	f.Float64Var(&o.seconds, "seconds", 1, "length of a round")
	f.IntVar(&o.Rounds, "rounds", 3, "rounds of each figure, of which the best counts")
	f.IntSliceVar(&o.Callers, "callers", []int{1, 16}, "callers at the same time")
	f.IntVar(&o.Households, "households", 10_000, "households of each simulation that keeps the server busy")
	f.StringSliceVar(&o.Only, "only", nil, "these `parts` only: "+strings.Join(bench.Parts(), ", "))
	f.StringVar(&o.format, "format", "text", "text or json")
	return cmd
}

func (o *serverOptions) check() error {
	for _, part := range o.Only {
		if !slices.Contains(bench.Parts(), part) {
			return fault.Unknown(fault.NotFound, "part", part, bench.Parts())
		}
	}
	switch {
	case o.seconds < 0.01 || o.seconds > 600:
		return fault.Range("--seconds", fmt.Sprint(o.seconds), "0.01 to 600")
	case o.Rounds < 1 || o.Rounds > 100:
		return fault.Range("--rounds", fmt.Sprint(o.Rounds), "1 to 100")
	case len(o.Callers) == 0 || slices.Min(o.Callers) < 1 || slices.Max(o.Callers) > 200:
		return fault.Range("--callers", fmt.Sprint(o.Callers), "1 to 200")
	case o.Households < 100:
		return fault.Range("--households", fmt.Sprint(o.Households), "at least 100")
	case o.format != "text" && o.format != "json":
		return fault.Range("--format", o.format, "text", "json")
	}
	slices.Sort(o.Callers)
	o.Callers = slices.Compact(o.Callers)
	program, err := exec.LookPath(o.Program)
	if err != nil {
		return fmt.Errorf("there is no program to measure: %w; go build ./cmd/econ-mcp makes one, --program names it", err)
	}
	if o.Program, err = filepath.Abs(program); err != nil {
		return err
	}
	o.Bare, err = os.Executable()
	return err
}

func (o *serverOptions) execute(cmd *cobra.Command) error {
	o.Round = time.Duration(o.seconds * float64(time.Second))
	o.Log = func(what string) { fmt.Fprintln(cmd.ErrOrStderr(), what, "…") }
	result, err := bench.Run(cmd.Context(), o.Settings)
	if err != nil {
		return err
	}
	result.Version = sim.ModelVersion
	if o.format == "json" {
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetIndent("", "  ")
		return encoder.Encode(result)
	}
	write(cmd.OutOrStdout(), result)
	return nil
}

// write prints the report for people.
func write(w io.Writer, r *bench.Report) {
	fmt.Fprintf(w, "econ-mcp %s, %s, %s, %s", r.Version, r.Go, r.Platform, report.Plural(r.Processors, "processor"))
	if r.LoadBefore != "" {
		fmt.Fprintf(w, "; load of the machine %s before, %s after", r.LoadBefore, r.LoadAfter)
	}
	fmt.Fprintln(w)
	if len(r.Starts) > 0 {
		fmt.Fprintf(w, "\n%s %10s %10s\n", term.Left("first answer after, ms", 52), "best", "median")
	}
	for _, s := range r.Starts {
		folder := "folder in use"
		if s.NewFolder {
			folder = "new folder"
		}
		fmt.Fprintf(w, "  %s %10.1f %10.1f\n", term.Left(s.Transport+", "+folder, 50), s.Best, s.Median)
	}
	if m := r.Memory; m.AtRest > 0 {
		fmt.Fprintf(w, "\n%s %10s %10s\n", term.Left("resident, MB", 52), "all", "no file's")
		fmt.Fprintf(w, "  %s %10.1f %10.1f\n", term.Left("1 session", 50), m.AtStart, m.AnonymousAtStart)
		fmt.Fprintf(w, "  %s %10.1f %10.1f\n", term.Left(report.Plural(m.Sessions, "idle session"), 50), m.AtRest, m.Anonymous)
	}
	if len(r.Loads) > 0 {
		fmt.Fprintf(w, "\n%s %10s %8s %8s %8s %10s\n", term.Left("calls", 48), "a second", "p50 ms", "p99 ms", "max ms", "CPU us")
	}
	for _, l := range r.Loads {
		what := fmt.Sprintf("%s, %s, %s", l.Transport, l.Tool, report.Plural(l.Callers, "caller"))
		cpu := "-"
		if l.Simulations > 0 {
			what += ", busy"
		}
		if l.CPU > 0 {
			cpu = whole(l.CPU)
		}
		fmt.Fprintf(w, "  %s %10s %8.2f %8.2f %8.2f %10s\n", term.Left(what, 46), whole(l.CallsPerSecond), l.P50, l.P99, l.Max, cpu)
	}
	if len(r.Bare) > 0 {
		fmt.Fprintf(w, "\n%s %10s %10s %8s %10s %10s\n", term.Left("beside a bare mcp-go server, calls a second", 48), "ours", "bare", "ratio",
			"CPU us", "bare us")
	}
	for _, c := range r.Bare {
		fmt.Fprintf(w, "  %s %10s %10s %8.2f %10s %10s\n", term.Left(c.Transport+", "+report.Plural(c.Callers, "caller"), 46),
			whole(c.Ours.CallsPerSecond), whole(c.Bare.CallsPerSecond), c.Ratio, whole(c.Ours.CPU), whole(c.Bare.CPU))
	}
	fmt.Fprintf(w, "\n%s %10s %10s\n", term.Left("targets", 60), "limit", "measured")
	for _, t := range r.Targets {
		limit, verdict := "<= ", "missed"
		if t.AtLeast {
			limit = ">= "
		}
		if t.Met {
			verdict = "met"
		}
		fmt.Fprintf(w, "  %s %10s %10.4g %s  %s\n", term.Left(t.Name, 58), fmt.Sprintf("%s%g", limit, t.Limit), t.Value, t.Unit, verdict)
	}
}

func whole(x float64) string { return fmt.Sprintf("%.0f", x) }

// newBareServer is the server that econ-dev server compares with.
func newBareServer() *cobra.Command {
	transport := ""
	cmd := &cobra.Command{
		Use:    "bare-server",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			answers, err := parameterAnswers(cmd.Context())
			if err != nil {
				return err
			}
			return bench.Bare(cmd.Context(), transport, answers, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&transport, "transport", "stdio", "stdio or http")
	return cmd
}

// parameterAnswers are the answers of get_parameter in a fresh workspace, by parameter.
func parameterAnswers(ctx context.Context) (map[string]json.RawMessage, error) {
	catalogue := (&app.App{Spaces: param.NewSpaces(nil, nil)}).Tools()
	k := slices.IndexFunc(catalogue, func(t tools.Tool) bool { return t.Name == "get_parameter" })
	answers := map[string]json.RawMessage{}
	for _, name := range sim.ParameterNames() {
		arguments := json.RawMessage(`{"parameter_name":"` + name + `"}`)
		result, err := catalogue[k].Invoke(ctx, &tools.Call{Workspace: "bare", Progress: func(float64, float64, string) {}}, arguments)
		if err != nil {
			return nil, err
		}
		answers[name] = result.JSON
	}
	return answers, nil
}
