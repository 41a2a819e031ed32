package analysis

import (
	"cmp"
	"strings"
	"time"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
)

// core is what an analysis finds.
type core struct {
	Version    int    `json:"version"`
	AnalysedAt string `json:"analyzed_at"`
	Experiment string `json:"experiment_name"`
	Arm        string `json:"arm" doc:"whose metrics follow"`
	Control    string `json:"control" doc:"empty without one"`
	inference.Window
	Replications int               `json:"replications"`
	Confidence   float64           `json:"confidence"`
	Intervals    string            `json:"intervals"` // see [report.Intervals]
	Conclusion   string            `json:"conclusion"`
	Treatment    []report.Effect   `json:"treatment_effects" doc:"primary outcome first"`
	Left         int               `json:"effects_left_out"`
	Distribution briefDistribution `json:"distribution_effects" doc:"by real disposable income"`
	Diagnostics  briefDiagnostics  `json:"diagnostics"`
	LeftOut      []string          `json:"left_out"`
}

// briefResult is what an analysis says in 6 kB. The stored one has the rest.
type briefResult struct {
	core
	Macro      map[string]briefMeasure `json:"macro_metrics"`
	Consumer   map[string]briefMeasure `json:"consumer_metrics"`
	Micro      map[string]briefMeasure `json:"micro_metrics"`
	Innovation *briefInnovation        `json:"innovation_metrics,omitempty"`
}

// briefMeasure is a mean over window and replications, beside the control's, to four digits.
type briefMeasure struct {
	Value   stats.Number `json:"value"`
	Control stats.Number `json:"control"`
}

type briefInnovation struct {
	Total        stats.Number                `json:"total_innovation_events"`
	Correlations map[string]briefCorrelation `json:"market_share_correlation" doc:"by months after the innovation"`
	Note         string                      `json:"note"`
}

type briefCorrelation struct {
	Correlation stats.Number `json:"correlation"`
	CILow       stats.Number `json:"ci_low"`
	CIHigh      stats.Number `json:"ci_high"`
	AvgRatio    stats.Number `json:"avg_ratio"`
	DataPoints  int          `json:"data_points"`
}

type briefDistribution struct {
	Winners []string `json:"winners"`
	Losers  []string `json:"losers"`
}

type briefDiagnostics struct {
	SteadyState string   `json:"steady_state"`
	Warnings    []string `json:"warnings"`
}

// briefOf is what fits of an analysis: effects on the primary outcome, macro and micro metrics,
// warnings and the beginning of the conclusion in any case, then what else there is room for, the most
// asked for first.
// The conclusion is in a language, "" = that of the question.
func briefOf(stored lab.StoredAnalysis, language string) briefResult {
	a := stored.Analysis
	conclusion := a.Conclusion
	if cmp.Or(language, stored.Language) == report.Chinese {
		conclusion = a.ConclusionZH
	}
	out := briefResult{core: core{
		Version: stored.Version, AnalysedAt: stored.AnalysedAt.UTC().Format(time.RFC3339), Experiment: a.Experiment, Arm: a.Arm,
		Control: a.Control, Window: inference.Window{From: a.From, To: a.To}, Replications: a.Replications, Confidence: a.Confidence,
		Intervals:   report.Intervals,
		Treatment:   []report.Effect{},
		Diagnostics: briefDiagnostics{a.Diagnostics.SteadyState.Verdict, a.Diagnostics.Warnings},
	}, Macro: briefMeasures(a.Macro), Micro: briefMeasures(a.Micro)}
	room := report.Room(report.BriefBytes - roomForNames)
	room.Charge(out)
	if len(a.Treatment) > 0 {
		out.Treatment = report.PrimaryEffects(a.Treatment, &room)
	}
	out.Conclusion = shortened(conclusion, max(leastConclusion, min(int(room), mostConclusion)))
	room.Charge(out.Conclusion)
	if out.Conclusion != conclusion {
		out.LeftOut = append(out.LeftOut, "the rest of conclusion")
	}
	if groups := (briefDistribution{a.Distribution.Winners, a.Distribution.Losers}); room.Take(groups) {
		out.Distribution = groups
	} else {
		out.LeftOut = append(out.LeftOut, "distribution_effects")
	}
	if consumer := briefMeasures(a.Consumer); room.Take(consumer) {
		out.Consumer = consumer
	} else {
		out.LeftOut = append(out.LeftOut, "consumer_metrics")
	}
	if innovation := briefInnovationOf(a.Innovation); innovation != nil {
		if room.Take(innovation) {
			out.Innovation = innovation
		} else {
			out.LeftOut = append(out.LeftOut, "innovation_metrics")
		}
	}
	if len(a.Treatment) > 0 {
		others, left := report.OtherEffects(a.Treatment, &room)
		out.Treatment, out.Left = append(out.Treatment, others...), left
	}
	return out
}

// roomForNames is what the names of members that may be left out take.
const roomForNames = 120

// A conclusion of many arms and outcomes names each of them. In the brief it has so many bytes.
const leastConclusion, mostConclusion = 500, 1500

// shortened is a text of no more than so many bytes, cut where a clause ends.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := 0
	for _, end := range []string{". ", "; ", ", ", "。", "；", "，", "、"} {
		if k := strings.LastIndex(text[:most-len("…")], end); k > cut {
			cut = k
		}
	}
	return text[:cut] + "…"
}

func briefMeasures(of map[string]inference.Measure) map[string]briefMeasure {
	brief := map[string]briefMeasure{}
	for name, m := range of {
		brief[name] = briefMeasure{report.Rounded(m.Value), report.Rounded(m.Control)}
	}
	return brief
}

func briefInnovationOf(m *inference.InnovationMetrics) *briefInnovation {
	if m == nil {
		return nil
	}
	brief := briefInnovation{Total: report.Rounded(m.TotalEvents), Correlations: map[string]briefCorrelation{}, Note: m.Note}
	for horizon, c := range m.ShareCorrelations {
		brief.Correlations[horizon] = briefCorrelation{
			report.Rounded(c.Correlation), report.Rounded(c.CILow), report.Rounded(c.CIHigh), report.Rounded(c.AvgRatio), c.DataPoints,
		}
	}
	return &brief
}
