package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// mostCompared is how many arms or experiments stand beside each other.
const mostCompared = 8

// compareOperations are those that hold arms or experiments against each other.
func (s *Site) compareOperations() []operation {
	return []operation{
		reads("/compare", "compare_experiments",
			"How the arms of one experiment differ from its control, judged by its plan, or 2 to 8 experiments from the first. What is asked "+
				"beyond the plan is counted, and makes later claims more careful. "+countsWhile, s.compare),
		reads("/compare/series", "compare_series", "One indicator of arms or experiments month by month: means with 95 % intervals.", s.compareSeries),
	}
}

// comparedArgs say what stands beside each other.
type comparedArgs struct {
	Experiments []tools.Name `json:"experiment" min:"1" max:"8" doc:"one, whose arms are compared, or 2 to 8, each by its last arm; the control first"`
	Arms        []string     `json:"arm,omitempty" max:"8" doc:"of one experiment: the arms that are shown; default all, at most 8. The control is among them"`
}

func (in comparedArgs) names() (list []string) {
	for _, name := range in.Experiments {
		list = append(list, string(name))
	}
	return list
}

type compareArgs struct {
	comparedArgs
	Metrics    []string             `json:"metrics,omitempty" max:"60" doc:"default: the plan's, else the main ones"`
	Window     []int                `json:"window,omitempty" max:"2" doc:"first and last month; default: the plan's, else the second half"`
	Confidence *float64             `json:"confidence,omitempty" min:"0.5" max:"0.999" doc:"default: the plan's, else 0.95"`
	Test       inference.Test       `json:"test,omitempty" doc:"default: the plan's, else t"`
	Adjustment inference.Adjustment `json:"adjustment,omitempty" enum:"romano_wolf,holm,benjamini_hochberg" doc:"default romano_wolf; benjamini_hochberg is exploratory"`
	Language   string               `json:"language,omitempty" enum:"en,zh" doc:"of text and warnings; default: the question's"`
}

type compareAnswer struct {
	report.Compared
	Arms  []string    `json:"arms" doc:"that stand beside each other, the control first"`
	Doses *doseAnswer `json:"doses" doc:"null where the arms do not differ in the value of one parameter alone"`
}

// doseAnswer is the parameter in whose value alone arms differ.
type doseAnswer struct {
	Parameter string    `json:"parameter_name"`
	Label     string    `json:"label"`
	Unit      string    `json:"unit"`
	Scale     float64   `json:"scale" doc:"100 where people read it in percent, else 1"`
	Control   float64   `json:"control" doc:"value of the control"`
	Values    []armDose `json:"values" doc:"in ascending order"`
}

type armDose struct {
	Arm   string  `json:"arm"`
	Value float64 `json:"value"`
}

// compared is a comparison with the rows that were chosen.
func (s *Site) compared(ctx context.Context, c *tools.Call, in compareArgs) (inference.Comparison, error) {
	metrics, err := inference.ParseMetrics(in.Metrics)
	if err != nil {
		return inference.Comparison{}, err
	}
	asked := inference.Choice{Metrics: metrics, Confidence: tools.Given(in.Confidence), Test: in.Test, Adjustment: in.Adjustment}
	choice, err := asked.Over(in.Window)
	if err != nil {
		return inference.Comparison{}, err
	}
	if err := s.heavy.Acquire(ctx, 1); err != nil {
		return inference.Comparison{}, err
	}
	out, err := s.Lab.Compare(ctx, in.names(), choice, in.Language, c.Principal)
	s.heavy.Release(1)
	if err == nil && len(in.Arms) > 0 && len(in.Experiments) == 1 {
		out.Rows = slices.DeleteFunc(out.Rows, func(r inference.ComparisonRow) bool { return !shows(in.Arms, r.Arm) })
		out.DynamicEffects = slices.DeleteFunc(out.DynamicEffects, func(e inference.DynamicEffect) bool { return !shows(in.Arms, e.Arm) })
	}
	return out, err
}

// shows says whether a row of an arm, or of two that are held against each other, is among those that were chosen.
func shows(arms []string, row string) bool {
	for side := range strings.SplitSeq(row, " - ") {
		if !slices.Contains(arms, side) {
			return false
		}
	}
	return true
}

func (s *Site) compare(ctx context.Context, c *tools.Call, in compareArgs) (compareAnswer, error) {
	sides, err := s.sides(ctx, in.comparedArgs)
	if err != nil {
		return compareAnswer{}, err
	}
	found, err := s.compared(ctx, c, in)
	if err != nil {
		return compareAnswer{}, err
	}
	out := compareAnswer{Compared: report.Whole(found)}
	out.Text = found.Text
	for _, side := range sides {
		out.Arms = append(out.Arms, side.label)
	}
	out.Doses, err = s.doses(ctx, in.comparedArgs, found.Language)
	return out, err
}

// side is an arm that stands beside others.
type side struct {
	experiment, arm string
	label           string // as rows of a comparison call it
	number          int    // of its colour
}

// sides are the arms that are shown, the control first.
func (s *Site) sides(ctx context.Context, in comparedArgs) (list []side, err error) {
	if len(in.Experiments) > 1 && len(in.Arms) > 0 {
		return nil, fault.New(fault.Conflict, "arm", "arms are chosen within one experiment, and several are named").
			WithHint("leave arm out: each experiment is compared by its last arm")
	}
	for k, name := range in.names() {
		x, err := s.Lab.Store.Experiment(ctx, name)
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Field == "experiment_name" {
			e.Field = "experiment"
		}
		if err != nil {
			return nil, err
		}
		last := len(x.Arms) - 1
		switch {
		case len(in.Experiments) > 1 && last > 0:
			list = append(list, side{name, x.Arms[last].Name, name + "/" + x.Arms[last].Name, k})
		case len(in.Experiments) > 1:
			list = append(list, side{name, x.Arms[last].Name, name, k})
		default:
			return armsOf(x, in.Arms)
		}
	}
	return list, nil
}

// armsOf are the chosen arms of one experiment, all without a choice.
func armsOf(x store.Experiment, chosen []string) (list []side, err error) {
	var names []string
	for _, arm := range x.Arms {
		names = append(names, arm.Name)
	}
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			return nil, fault.In("arm", fault.Unknown(fault.NotFound, "arm", name, names))
		}
	}
	for k, name := range names {
		if k == 0 || len(chosen) == 0 || slices.Contains(chosen, name) {
			list = append(list, side{x.Name, name, name, k})
		}
	}
	if len(chosen) > 0 && len(list) > mostCompared {
		return nil, fault.Range("arm", fmt.Sprintf("%d arms", len(list)), fmt.Sprintf("%d, the control among them", mostCompared))
	}
	return list[:min(len(list), mostCompared)], nil
}

func (s *Site) doses(ctx context.Context, in comparedArgs, language string) (*doseAnswer, error) {
	if len(in.Experiments) != 1 {
		return nil, nil
	}
	scale, err := s.Lab.Doses(ctx, string(in.Experiments[0]))
	if err != nil || scale == nil {
		return nil, err
	}
	row := scale.Parameter
	out := &doseAnswer{
		Parameter: row.Name, Label: inLanguage(language, row.Label, row.LabelZH), Unit: row.Unit, Scale: 1, Control: scale.Control,
	}
	if scale.AsPercent() {
		out.Unit, out.Scale = "%", 100
	}
	for arm, x := range scale.Of {
		if len(in.Arms) == 0 || slices.Contains(in.Arms, arm) {
			out.Values = append(out.Values, armDose{arm, x})
		}
	}
	slices.SortFunc(out.Values, func(a, b armDose) int { return strings.Compare(a.Arm, b.Arm) })
	slices.SortStableFunc(out.Values, func(a, b armDose) int {
		switch {
		case a.Value < b.Value:
			return -1
		case a.Value > b.Value:
			return 1
		}
		return 0
	})
	return out, nil
}

// Text writes a dose.
func (d doseAnswer) Text(x float64) string {
	if d.Scale == 100 {
		return strings.Replace(report.FormatShare(x, 2), ".00 %", " %", 1)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

type compareSeriesArgs struct {
	comparedArgs
	languageArgs
	Metric string `json:"metric" max:"100" doc:"an indicator, such as unemployment_rate"`
	tools.Range
}

type compareSeriesAnswer struct {
	Metric string           `json:"metric"`
	Label  string           `json:"label"`
	Unit   string           `json:"unit"`
	Read   string           `json:"reading" doc:"how numbers are written: plain, share, money or fraction"`
	Months []int            `json:"months"`
	Series []comparedSeries `json:"series"`
	Marks  []seriesMark     `json:"marks" doc:"when interventions begin"`
}

type comparedSeries struct {
	Experiment string         `json:"experiment_name"`
	Arm        string         `json:"arm"`
	Label      string         `json:"label"`
	Number     int            `json:"number" doc:"of its colour"`
	Mean       []stats.Number `json:"mean"`
	Low        []stats.Number `json:"ci_low"`
	High       []stats.Number `json:"ci_high"`
}

type seriesMark struct {
	Month int    `json:"month"`
	Text  string `json:"text"`
}

func (s *Site) compareSeries(ctx context.Context, _ *tools.Call, in compareSeriesArgs) (out compareSeriesAnswer, err error) {
	metrics, err := inference.ParseMetrics([]string{in.Metric})
	if err != nil {
		return out, fault.In("metric", err)
	}
	sides, err := s.sides(ctx, in.comparedArgs)
	if err != nil {
		return out, err
	}
	out.Metric, out.Label, out.Unit = in.Metric, report.Label(metrics[0], in.Language), report.Unit(metrics[0], in.Language)
	out.Read = report.Reading(metrics[0])
	read := make([]lab.Series, len(sides))
	tasks, working := errgroup.WithContext(ctx)
	for k, side := range sides {
		tasks.Go(func() (err error) {
			read[k], err = s.Lab.Series(working, side.experiment, side.arm, in.Metric, "mean", in.From, in.To, tools.Given(in.Every))
			return err
		})
	}
	if err := tasks.Wait(); err != nil {
		return out, err
	}
	for _, x := range read {
		out.Months = append(out.Months, x.Months...)
	}
	slices.Sort(out.Months)
	out.Months = slices.Compact(out.Months)
	for k, side := range sides {
		series := comparedSeries{Experiment: side.experiment, Arm: side.arm, Label: side.label, Number: side.number}
		for _, month := range out.Months {
			mean, low, high := stats.Absent, stats.Absent, stats.Absent
			if m, ok := slices.BinarySearch(read[k].Months, month); ok {
				mean, low, high = read[k].Data[m], read[k].Lower[m], read[k].Upper[m]
			}
			series.Mean, series.Low, series.High = append(series.Mean, mean), append(series.Low, low), append(series.High, high)
		}
		out.Series = append(out.Series, series)
	}
	out.Marks, err = s.marks(ctx, sides, in.Language)
	return out, err
}

// marks are the months in which interventions began, in whichever of the arms.
func (s *Site) marks(ctx context.Context, sides []side, language string) (list []seriesMark, err error) {
	planned := map[string][]lab.Planned{}
	for _, side := range sides {
		if planned[side.experiment] == nil {
			if planned[side.experiment], err = s.Lab.Planned(ctx, side.experiment); err != nil {
				return nil, err
			}
		}
		for _, v := range planned[side.experiment] {
			if v.Arm == side.arm && v.Began > 0 {
				list = append(list, seriesMark{v.Began, side.label + ": " + inquiry.SaidEvent(v.Intervention, language)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b seriesMark) int { return a.Month - b.Month })
	return list, nil
}
