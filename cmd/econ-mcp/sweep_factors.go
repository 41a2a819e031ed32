package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// sweepFactorsOptions are the flags of econ-mcp sweep factors.
type sweepFactorsOptions struct {
	preset, arm, category, within string
	all                           bool
}

func newSweepFactors() *cobra.Command {
	o := &sweepFactorsOptions{}
	cmd := &cobra.Command{
		Use:   "factors",
		Short: "Write the factors of a design that varies all parameters",
		Long: `Prints the factors of a design: every live parameter that is a number, within a share of the value
that it has in a preset, and within its allowed range. Parameters that are 0 there stand as
comments, since a share of 0 is no range. Put them into a design and mend the ranges that you know
better: kind: morris then says which matter at all.

Without --arm a parameter is varied in all arms, and in the burn-in too, so that each value needs a
burnt-in economy of its own; with --arm in that arm alone from its first month on, whose points
share one burn-in.`,
		Example: "  econ-mcp sweep factors --within 20% > factors.yaml\n  econ-mcp sweep factors --within 10% --arm other --category firms",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := o.factors()
			if err != nil {
				return err
			}
			return printed(cmd, list, func(out io.Writer) { writeFactorList(out, list) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "`preset` whose values are the middle of the ranges")
	f.StringVar(&o.arm, "arm", "", "vary them in this `arm` alone")
	f.StringVar(&o.category, "category", "", "parameters of this `category` only: econ-mcp params lists them")
	f.StringVar(&o.within, "within", "20%", "`share` of the value, such as 20% or 0.2")
	f.BoolVar(&o.all, "all", false, "parameters that are not live, too; not with --arm")
	f.Bool("json", false, "print JSON")
	return cmd
}

// factorOfParameter is a range around a parameter's value; From and To are nil where the value is 0.
type factorOfParameter struct {
	Factor string   `json:"factor"`
	Value  float64  `json:"value"`
	From   *float64 `json:"from"`
	To     *float64 `json:"to"`
	Label  string   `json:"label"`
}

func (o *sweepFactorsOptions) factors() ([]factorOfParameter, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(o.within), "%")
	within, err := strconv.ParseFloat(number, 64)
	if percent {
		within /= 100
	}
	if err != nil || !(within > 0 && within <= 1) {
		return nil, fault.Range("--within", o.within, "above 0 % to 100 %")
	}
	if o.all && o.arm != "" {
		return nil, fault.New(fault.Conflict, "--all", "in one arm only live parameters can differ from its burn-in").
			WithHint("leave out --all or --arm")
	}
	if o.category != "" {
		if err := checkChoice("--category", o.category, sim.Categories()...); err != nil {
			return nil, err
		}
	}
	prefix := ""
	if o.arm != "" {
		if err := fault.CheckName("--arm", o.arm); err != nil {
			return nil, err
		}
		prefix = "arms." + o.arm + ".set."
	}
	s, err := presets.Load(o.preset)
	if err != nil {
		return nil, fault.In("--preset", err)
	}
	list := []factorOfParameter{}
	for _, row := range sim.Catalogue() {
		if row.Technical || !row.Live && !o.all || o.category != "" && row.Category != o.category {
			continue
		}
		var value float64
		switch v := row.Value(&s.Params).(type) {
		case float64:
			value = v
		case int:
			value = float64(v)
		default:
			continue
		}
		f := factorOfParameter{Factor: prefix + row.Name, Value: value, Label: row.Label}
		reach := math.Abs(value) * within
		from, to := value-reach, value+reach
		if row.Type == sim.TypeInteger {
			from, to = math.Floor(from), math.Ceil(to) // one up and one down at least
		}
		from, to = max(row.Min, from), min(row.Max, to)
		if from < to {
			f.From, f.To = rounded(from), rounded(to)
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		return nil, fault.New(fault.NotFound, "--category", "%s has no such parameter that is a number", o.category).
			WithHint("choose another, or add --all")
	}
	return list, nil
}

// rounded has ten digits: a share of a value has no more to say.
func rounded(x float64) *float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	return &y
}

func writeFactorList(w io.Writer, list []factorOfParameter) {
	fmt.Fprintln(w, "factors:")
	for _, f := range list {
		if f.From == nil {
			fmt.Fprintf(w, "  # %s is %v, of which there is no range: %s\n", f.Factor, f.Value, f.Label)
			continue
		}
		fmt.Fprintf(w, "  %s: {from: %v, to: %v} # %v, %s\n", f.Factor, *f.From, *f.To, f.Value, f.Label)
	}
}
