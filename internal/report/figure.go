package report

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Figures draws the figures of an experiment. Where it has several arms, the first is the
// control. Deciles show each of the others; the budget and the difference of Lorenz curves the last.
//
// A figure that the data do not allow is left out, never drawn empty: effects, deciles and
// the budget need a control and two replications; the differences over time need a
// control, and say so where one replication gives no interval; the relations need two
// years; Lorenz curves need the means of groups, and firm sizes the sizes; conditions need one. The
// overview needs a month.
type Figures struct {
	Title      string // the question of the experiment, or its name: the head of each figure
	Language   string // of what is written in figures: [English], also for "", or [Chinese]
	Source     Source
	Arms       []FigureArm
	From, To   int // window of what is averaged over months, from 1
	Effects    []inference.Effect
	Outcomes   []sim.Indicator // that the experiment is about, the primary one first; empty = none in particular
	Doses      *DoseScale      // nil = the arms are no doses
	Confidence float64
	Threshold  *inference.Threshold // that was looked for; nil = none
}

// FigureArm is an arm in figures. Its lists are in the order of the seeds.
type FigureArm struct {
	Name   string
	Panel  tables.Panel
	Groups []*tables.GroupMeans // over the window; nil where they were not kept
	Sizes  []tables.FirmSizes   // in the last month; nil where they were not kept
	Began  [][]int              // first month of each intervention; 0 = not yet, or never

	InForce []tables.InForce // when each intervention was in force
}

// Source says where the numbers of a figure come from.
type Source struct {
	What         string // "experiment"
	Name         string // "vat15"
	Replications int    // of each arm
	Seed         uint64 // the base seed
	ModelVersion string
	Months       int
	Households   int
}

// In is the line at the foot of a figure in a language.
func (s Source) In(language string) string {
	what := note{s.What, map[string]string{"experiment": "实验", "scenario": "情景"}[s.What]}
	seeds, months := note{"base seed", "基础种子"}, notef("months 1 to %d", "第1至%d个月", s.Months)
	if s.Replications == 1 {
		seeds = note{"seed", "种子"}
	}
	if s.Months == 1 {
		months = note{"month 1", "第1个月"}
	}
	households := note{Plural(s.Households, "household"), FormatNumber(float64(s.Households), 0) + "户家庭"}
	return wordf(
		language,
		"Source: econ-mcp, %s %s; %s, %s %d; model %s; %s; %s.",
		"来源：econ-mcp，%s %s；%s，%s %d；模型 %s；%s；%s。",
		what.in(language), s.Name, replicationText(s.Replications, language), seeds.in(language), s.Seed, s.ModelVersion,
		months.in(language), households.in(language))
}

// marks are the months in which an intervention begins, in whichever arm, and in whichever
// replication first.
func (f Figures) marks() (months []int) {
	for _, arm := range f.Arms {
		first := map[int]int{} // by the intervention's number
		for _, list := range arm.Began {
			for k, month := range list {
				if month > 0 && month <= f.months() && (first[k] == 0 || month < first[k]) {
					first[k] = month
				}
			}
		}
		months = slices.AppendSeq(months, maps.Values(first))
	}
	slices.Sort(months)
	return slices.Compact(months)
}

// NamedFigure is a figure with the name of its file and what stands under it. The Chinese
// caption of a figure in English translates what is in it.
type NamedFigure struct {
	Name    string
	Figure  plot.Figure
	caption note
}

// Caption is what stands under the figure, in English or Chinese.
func (f NamedFigure) Caption(language string) string {
	return f.caption.in(language)
}

// Report lists the figures for a report, as far as the data allow: of each outcome, of a threshold, of
// effects, by dose, differences over time, overview, deciles, budget, relations, Lorenz curves, firm sizes
// and when conditions were on, in this order. It ends early where the context is cancelled: the list then
// means nothing.
func (f Figures) Report(ctx context.Context) (list []NamedFigure) {
	if f.months() == 0 {
		return nil
	}
	differences := func() (NamedFigure, bool) { return f.differences(ctx) }
	list = f.outcomes()
	for _, of := range []func() (NamedFigure, bool){
		f.doseResponse, f.forest, f.byDose, differences, f.overview, f.deciles, f.budget, f.relations, f.lorenz, f.firmSizes,
		f.conditions,
	} {
		if ctx.Err() != nil {
			return nil
		}
		if figure, ok := of(); ok {
			list = append(list, figure)
		}
	}
	return list
}

// All lists the figures of [Figures.Report], and one figure for each subject of the
// overview.
func (f Figures) All(ctx context.Context) []NamedFigure {
	return append(f.Report(ctx), f.subjects()...)
}

// compared reports whether there is a control and, for intervals, as many pairs as asked.
func (f Figures) compared(pairs int) bool {
	return len(f.Arms) > 1 && f.pairs() >= pairs
}

func (f Figures) control() FigureArm { return f.Arms[0] }

func (f Figures) last() FigureArm { return f.Arms[len(f.Arms)-1] }

// hasGroups reports whether every arm has the means of groups, and as many as asked.
func (f Figures) hasGroups(least int) bool {
	return !slices.ContainsFunc(f.Arms, func(arm FigureArm) bool { return len(arm.Groups) < least || arm.Groups[0].Months == 0 })
}

// replications of the arm that has fewest.
func (f Figures) replications() int {
	n := len(f.Arms[0].Panel)
	for _, arm := range f.Arms {
		n = min(n, len(arm.Panel))
	}
	return n
}

func (f Figures) level() string { return FormatShare(f.Confidence, 0) }

func (f Figures) say(en, zh string) string { return word(f.Language, en, zh) }

func (f Figures) in(n note) string { return n.in(f.Language) }

// armName is the name of an arm; the usual ones are translated.
func armName(name string) note {
	return note{name, cmp.Or(map[string]string{"control": "对照组", "treatment": "处理组"}[name], name)}
}

// less says which arm's differences to which are shown.
func (f Figures) less() note {
	treatment, control := armName(f.last().Name), armName(f.control().Name)
	return note{treatment.en + " less " + control.en, treatment.zh + "减" + control.zh}
}

// pairs is how many replications the last arm and the control share.
func (f Figures) pairs() int { return min(len(f.control().Panel), len(f.last().Panel)) }

// translated is what a Chinese caption adds under a figure in English.
func (f Figures) translated(zh string) string { return f.say(zh, "") }

func (f Figures) frame(title, about note) plot.Frame {
	return plot.Frame{
		Title: f.Title, Subject: f.in(title), Note: capital(f.in(about)), Source: f.Source.In(f.Language),
		Chinese: f.Language == Chinese,
	}
}

// window names it.
func (f Figures) window() note {
	if f.From == f.To {
		return notef("month %d", "第%d个月", f.From)
	}
	return notef("mean of months %d to %d", "第%d至%d个月的均值", f.From, f.To)
}

// styled gives a line the look of an arm.
func styled(line plot.Line, arm int) plot.Line {
	line.Colour, line.Dash = arm, arm
	return line
}

// nameOf is the name of an arm in a legend, which a single arm does not need.
func (f Figures) nameOf(arm int) note {
	if len(f.Arms) == 1 {
		return note{}
	}
	return armName(f.Arms[arm].Name)
}

func scaled(x []float64, factor float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = factor * x[i]
	}
	return out
}
