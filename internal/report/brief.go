package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
)

// BriefBytes is how long a brief answer is at most as JSON, unless the comparisons of the primary
// outcome alone are longer: what a language model reads and still has room to think.
const BriefBytes = 6000

// pathPoints is how many months of a path a brief answer has.
const pathPoints = 12

// Effect is what everybody needs of a row of a comparison.
type Effect struct {
	Metric string `json:"metric"`
	Arm    string `json:"arm" doc:"less the control, unless named"`
	inference.Window
	Difference  stats.Number      `json:"difference"`
	Percent     *stats.Number     `json:"percent,omitempty" doc:"of the control; not of shares"`
	CILow       stats.Number      `json:"ci_low"`
	CIHigh      stats.Number      `json:"ci_high"`
	PAdjusted   stats.Number      `json:"p_adjusted"`
	Exploratory bool              `json:"exploratory,omitempty" doc:"only where true"`
	Verdict     inference.Verdict `json:"verdict"`
}

// WholeEffect is a row with all that is known of it, or, in brief, with the effect alone.
type WholeEffect struct {
	Effect
	Unit               string        `json:"unit,omitempty"`
	Control            *stats.Number `json:"control,omitempty"`
	Treatment          *stats.Number `json:"treatment,omitempty"`
	P                  *stats.Number `json:"p_value,omitempty"`
	PEquivalence       *stats.Number `json:"p_equivalence,omitempty" doc:"to zero: TOST, Holm"`
	SmallestEffect     *stats.Number `json:"smallest_effect,omitempty"`
	EffectSize         *stats.Number `json:"effect_size,omitempty" doc:"Hedges g_z, g; of ranks A"`
	VarianceReduction  *stats.Number `json:"variance_reduction,omitempty" doc:"by pairing"`
	Paired             *bool         `json:"paired,omitempty" doc:"by seed"`
	N                  *int          `json:"n,omitempty" doc:"pairs, or runs of both"`
	Test               string        `json:"test,omitempty"`
	ReplicationsNeeded *stats.Number `json:"replications_needed,omitempty" doc:"a side, of a new plan"`
}

// wholeEffect is a row with all of its columns and digits.
func wholeEffect(r inference.ComparisonRow) WholeEffect {
	return WholeEffect{
		Effect: Effect{
			Metric: r.Metric, Arm: r.Arm, Window: r.Window, Difference: r.Difference, Percent: &r.Percent, CILow: r.CILow, CIHigh: r.CIHigh,
			PAdjusted: r.PAdjusted, Exploratory: r.Exploratory, Verdict: r.Verdict,
		},
		Unit: r.Unit, Control: &r.Control, Treatment: &r.Treatment, P: &r.P, PEquivalence: &r.PEquivalence,
		SmallestEffect: &r.SmallestEffect, EffectSize: &r.EffectSize, VarianceReduction: &r.VarianceReduction, Paired: &r.Paired, N: &r.N,
		Test: r.Test, ReplicationsNeeded: &r.ReplicationsNeeded,
	}
}

// briefEffect is a row with what everybody needs of it, to four digits.
func briefEffect(r inference.ComparisonRow) Effect {
	e := Effect{
		Metric: r.Metric, Arm: r.Arm, Window: r.Window, Difference: Rounded(r.Difference), CILow: Rounded(r.CILow), CIHigh: Rounded(r.CIHigh),
		PAdjusted: Rounded(r.PAdjusted), Exploratory: r.Exploratory, Verdict: r.Verdict,
	}
	if percent := Rounded(r.Percent); !math.IsNaN(float64(percent)) {
		e.Percent = &percent
	}
	return e
}

// Room is how many bytes of a brief answer are left.
type Room int

// Take takes the room of a value as JSON, if there is as much.
func (r *Room) Take(v any) bool {
	n := lengthOf(v)
	if n > *r {
		return false
	}
	*r -= n
	return true
}

// Charge takes the room of what must be said, whether there is as much or not.
func (r *Room) Charge(v any) { *r -= lengthOf(v) }

// lengthOf is how long a value is in a list, or as a member of a short name.
func lengthOf(v any) Room {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values always encode
	}
	return Room(len(data) + 1)
}

// PrimaryEffects are the rows of the primary outcome, which is that of the first row: all of them.
func PrimaryEffects(rows []inference.ComparisonRow, room *Room) []Effect {
	brief := []Effect{}
	for _, r := range rows {
		if r.Metric == rows[0].Metric {
			brief = append(brief, briefEffect(r))
		}
	}
	room.Charge(brief)
	return brief
}

// OtherEffects are the rows of the other outcomes that fit, those first whose difference is the
// largest in terms of the smallest one that matters. left is how many more there are.
func OtherEffects(rows []inference.ComparisonRow, room *Room) (brief []Effect, left int) {
	others := slices.DeleteFunc(slices.Clone(rows), func(r inference.ComparisonRow) bool { return r.Metric == rows[0].Metric })
	slices.SortStableFunc(others, func(a, b inference.ComparisonRow) int { return cmp.Compare(relative(b), relative(a)) })
	for k, r := range others {
		e := briefEffect(r)
		if !room.Take(e) {
			return brief, len(others) - k
		}
		brief = append(brief, e)
	}
	return brief, 0
}

// relative is how many times the smallest difference that matters a difference has; 0 where either is
// not known.
func relative(r inference.ComparisonRow) float64 {
	if s := math.Abs(float64(r.Difference / r.SmallestEffect)); !math.IsNaN(s) {
		return s
	}
	return 0
}

// briefPaths are the paths of an outcome, each in twelve of its months, as many as fit.
func briefPaths(paths []inference.DynamicEffect, metric string, room *Room) (brief []inference.DynamicEffect, left int) {
	brief = []inference.DynamicEffect{}
	for _, p := range paths {
		if p.Metric != metric {
			left++
			continue
		}
		n := len(p.Months)
		thin := p
		thin.Months, thin.Difference, thin.CILow, thin.CIHigh = nil, nil, nil, nil
		for k := range min(n, pathPoints) {
			m := (k+1)*n/min(n, pathPoints) - 1 // the last month is among them
			thin.Months = append(thin.Months, p.Months[m])
			thin.Difference, thin.CILow, thin.CIHigh = append(thin.Difference, Rounded(p.Difference[m])),
				append(thin.CILow, Rounded(p.CILow[m])), append(thin.CIHigh, Rounded(p.CIHigh[m]))
		}
		if !room.Take(thin) {
			left++
			continue
		}
		brief = append(brief, thin)
	}
	return brief, left
}

// Compared is a comparison for a caller.
type Compared struct {
	Control string `json:"control"`
	inference.Window
	Confidence float64 `json:"confidence"`
	Intervals  string  `json:"intervals"` // see [Intervals]
	inference.Method
	Rows           []WholeEffect             `json:"rows"`
	RowsLeft       int                       `json:"rows_left_out" doc:"detail full has all"`
	DynamicEffects []inference.DynamicEffect `json:"dynamic_effects"`
	PathsLeft      int                       `json:"paths_left_out"`
	Warnings       []string                  `json:"warnings"`
	Text           string                    `json:"text" doc:"Markdown"`
	Found          json.RawMessage           `json:"found,omitempty" doc:"equal_cost or threshold of the inquiry"`
}

// Whole is all of a comparison.
func Whole(c inference.Comparison) Compared {
	out := comparedOf(c)
	for _, r := range c.Rows {
		out.Rows = append(out.Rows, wholeEffect(r))
	}
	out.DynamicEffects = c.DynamicEffects
	return out
}

// Brief is what fits of a comparison into [BriefBytes]: all rows of the primary outcome and its
// paths, then the other rows by size.
func Brief(c inference.Comparison) Compared {
	out := comparedOf(c)
	room := Room(BriefBytes)
	room.Charge(out)
	if len(c.Rows) == 0 {
		return out
	}
	effects := PrimaryEffects(c.Rows, &room)
	out.DynamicEffects, out.PathsLeft = briefPaths(c.DynamicEffects, c.Rows[0].Metric, &room)
	others, left := OtherEffects(c.Rows, &room)
	for _, e := range append(effects, others...) {
		out.Rows = append(out.Rows, WholeEffect{Effect: e})
	}
	out.RowsLeft = left
	return out
}

// comparedOf is a comparison without rows, paths and text.
func comparedOf(c inference.Comparison) Compared {
	var found json.RawMessage
	if c.Found != nil {
		found, _ = json.Marshal(c.Found) // numbers and texts, which always can be
	}
	return Compared{
		Found: found, Control: c.Control, Window: inference.Window{From: c.From, To: c.To}, Confidence: c.Confidence, Intervals: Intervals, Method: c.Method,
		Rows:           []WholeEffect{},
		DynamicEffects: []inference.DynamicEffect{}, Warnings: c.Warnings,
	}
}

// Rounded is a number to four digits, which is more than any interval here can tell apart.
func Rounded(x stats.Number) stats.Number {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return x
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return stats.Number(short)
}
