package trials

import (
	"encoding/json"
	"math"

	"econ-mcp/internal/stats"
)

// Fact is one row of the table of stylised facts: it passes when all its parts
// pass.
type Fact struct {
	Number int // in a table that numbers them, from 1
	Name   string
	Pass   bool
	Source string
	Parts  []Part
	Note   string      // how it is measured, where the name does not say it
	Path   []PathPoint // of a response
}

// Part is one statistic of a fact. It passes when its mean over the seeds lies
// within the band. The interval is Student's over the seeds.
type Part struct {
	Name              string
	Value             float64
	CILow, CIHigh     float64
	BandLow, BandHigh float64
	Pass              bool
	Source            string // of a band of its own

	Values []float64 // of the replications, NaN where one does not have it
}

// Verdicts on a fact or a part.
const (
	VerdictPass        = "pass"
	VerdictOpen        = "open"
	VerdictNotComputed = "not computed"
)

// Computed reports whether the statistic exists in every replication: a short
// run may be too short for it.
func (p Part) Computed() bool { return !math.IsNaN(p.Value) && !math.IsInf(p.Value, 0) }

// Verdict tells a statistic outside its band from one that does not exist.
func (p Part) Verdict() string {
	switch {
	case p.Pass:
		return VerdictPass
	case p.Computed():
		return VerdictOpen
	}
	return VerdictNotComputed
}

// Verdict is "not computed" when nothing but absent statistics keeps the fact
// from passing.
func (f Fact) Verdict() string {
	verdict := VerdictPass
	for _, p := range f.Parts {
		switch p.Verdict() {
		case VerdictOpen:
			return VerdictOpen
		case VerdictNotComputed:
			verdict = VerdictNotComputed
		}
	}
	return verdict
}

// numbers are those of a part in JSON: null where they are absent.
type numbers struct {
	Value    stats.Number `json:"value"`
	CILow    stats.Number `json:"ci_low"`
	CIHigh   stats.Number `json:"ci_high"`
	BandLow  stats.Number `json:"band_low"`
	BandHigh stats.Number `json:"band_high"`
}

func (p Part) numbers() numbers {
	return numbers{
		stats.Number(p.Value), stats.Number(p.CILow), stats.Number(p.CIHigh), stats.Number(p.BandLow), stats.Number(p.BandHigh),
	}
}

// MarshalJSON implements [json.Marshaler]. A fact with one part repeats its numbers; those of
// one with several are null.
func (f Fact) MarshalJSON() ([]byte, error) {
	only := numbers{stats.Absent, stats.Absent, stats.Absent, stats.Absent, stats.Absent}
	if len(f.Parts) == 1 {
		only = f.Parts[0].numbers()
	}
	return json.Marshal(struct {
		Number int    `json:"n,omitempty"`
		Name   string `json:"name"`
		numbers
		Pass    bool        `json:"pass"`
		Verdict string      `json:"verdict"`
		Source  string      `json:"source"`
		Parts   []Part      `json:"parts"`
		Note    string      `json:"note,omitempty"`
		Path    []PathPoint `json:"path,omitempty"`
	}{f.Number, f.Name, only, f.Pass, f.Verdict(), f.Source, f.Parts, f.Note, f.Path})
}

// MarshalJSON implements [json.Marshaler].
func (p Part) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name string `json:"name"`
		numbers
		Pass    bool   `json:"pass"`
		Verdict string `json:"verdict"`
		Source  string `json:"source,omitempty"`
	}{p.Name, p.numbers(), p.Pass, p.Verdict(), p.Source})
}

// Band replaces the general band of a statistic.
type Band struct {
	Low, High float64
	Source    string
}

// Statistics lists the names of the statistics in the table of facts.
func Statistics() (names []string) {
	for _, row := range factTable {
		for _, statistic := range row.parts {
			names = append(names, statistic.name)
		}
	}
	return names
}

// Facts holds the replications' statistics against the table of stylised
// facts, with other bands for the statistics that own names. Its rows are those of the
// table, in order.
func Facts(replications []FactStats, confidence float64, own map[string]Band) []Fact {
	facts := make([]Fact, len(factTable))
	for i, row := range factTable {
		fact := Fact{Name: row.name, Source: row.source, Pass: true}
		for _, statistic := range row.parts {
			values := make([]float64, len(replications))
			for r := range replications {
				values[r] = statistic.of(&replications[r])
			}
			interval := stats.MeanInterval(values, confidence)
			low, high := statistic.low, statistic.high
			band, given := own[statistic.name]
			if given {
				low, high = band.Low, band.High
			}
			part := Part{
				Name:    statistic.name,
				BandLow: low, BandHigh: high,
				Source: band.Source,
				Values: values,
			}
			part.hold(interval)
			fact.Parts = append(fact.Parts, part)
			fact.Pass = fact.Pass && part.Pass
		}
		facts[i] = fact
	}
	return facts
}

// NotComputed counts the statistics that could not be computed.
func NotComputed(facts []Fact) int {
	n := 0
	for _, f := range facts {
		for _, p := range f.Parts {
			if !p.Computed() {
				n++
			}
		}
	}
	return n
}

// Passed counts the facts that pass.
func Passed(facts []Fact) int {
	n := 0
	for _, f := range facts {
		if f.Pass {
			n++
		}
	}
	return n
}

type factRow struct {
	name, source string
	parts        []statistic
}

type statistic struct {
	name      string
	low, high float64 // the band
	of        func(*FactStats) float64
}

// factTable is the table of MODEL.md section 7.15. Rates and growth are shares.
// Statistics of a cycle are those of the logarithm of a quarterly series less
// its HP trend.
var factTable = []factRow{
	{"mean unemployment; maximum", "BAM targets (Delli Gatti et al., 2011)", []statistic{
		{"mean unemployment rate", .04, .09, func(s *FactStats) float64 { return s.MeanUnemployment }},
		{"maximum unemployment rate", 0, .20, func(s *FactStats) float64 { return s.MaxUnemployment }},
	}},
	{"real growth; inflation, a year", "long-run data", []statistic{
		{"real GDP growth a year", .01, .025, func(s *FactStats) float64 { return s.RealGrowth }},
		{"CPI inflation a year", 0, .04, func(s *FactStats) float64 { return s.Inflation }},
	}},
	{"σ(Y)", "US ≈ 1.6 % (Stock and Watson, 1999)", []statistic{
		{"sigma_Y", .012, .02, func(s *FactStats) float64 { return s.SigmaY }},
	}},
	{"σC/σY; σI/σY; σ(log u)/σY", "Carlin and Soskice (.80, 4.61, 8.22); σI/σY: data/us_quarterly_to_2014Q4.csv", []statistic{
		{"sigma_C/sigma_Y", .6, .9, func(s *FactStats) float64 { return s.RelativeSigmaC }},
		{"sigma_I/sigma_Y", 2.9, 3.6, func(s *FactStats) float64 { return s.RelativeSigmaI }},
		{"sigma_log_u/sigma_Y", 7, 13, func(s *FactStats) float64 { return s.RelativeSigmaU }},
	}},
	{"AR(1) of Y, I, u", "Stock and Watson (1999)", []statistic{
		{"AR(1) of Y", .75, .9, func(s *FactStats) float64 { return s.PersistenceY }},
		{"AR(1) of I", .75, .9, func(s *FactStats) float64 { return s.PersistenceI }},
		{"AR(1) of u", .75, .9, func(s *FactStats) float64 { return s.PersistenceU }},
	}},
	{"corr with Y: C, I, u, P", "Stock and Watson (1999)", []statistic{
		{"corr(C, Y)", .7, .9, func(s *FactStats) float64 { return s.CorrelationC }},
		{"corr(I, Y)", .8, .95, func(s *FactStats) float64 { return s.CorrelationI }},
		{"corr(u, Y)", -.99, -.8, func(s *FactStats) float64 { return s.CorrelationU }},
		{"corr(P, Y)", -.6, -.2, func(s *FactStats) float64 { return s.CorrelationP }},
	}},
	{"Okun slope Δu on Δy", "Ball, Leigh and Loungani (2017)", []statistic{
		{"Okun slope", -.8, -.3, func(s *FactStats) float64 { return s.OkunSlope }},
	}},
	{"Phillips corr(u, wage inflation)", "BAM targets (Delli Gatti et al., 2011)", []statistic{
		{"corr(u, wage inflation)", -.5, -.05, func(s *FactStats) float64 { return s.Phillips }},
	}},
	{"Beveridge corr(u, v)", "data", []statistic{
		{"corr(u, v)", -.9, -.1, func(s *FactStats) float64 { return s.Beveridge }},
	}},
	{"vacancy rate", "JOLTS", []statistic{
		{"mean vacancy rate", .02, .045, func(s *FactStats) float64 { return s.VacancyRate }},
	}},
	{"firm-size tail (Hill, top 5 %)", "Axtell (2001): 1.06", []statistic{
		{"Hill exponent of employees", 1, 1.3, func(s *FactStats) float64 { return s.SizeTail }},
	}},
	{"firm growth: kurtosis", "Bottazzi and Secchi (2006); a Laplace distribution has 6", []statistic{
		{"kurtosis of growth of annual sales", 5, 10, func(s *FactStats) float64 { return s.GrowthKurtosis }},
	}},
	{"wealth Gini; income Gini", "OECD", []statistic{
		{"wealth Gini", .6, .85, func(s *FactStats) float64 { return s.WealthGini }},
		{"income Gini", .25, .4, func(s *FactStats) float64 { return s.IncomeGini }},
	}},
	{"firm exit a year", "Eurostat", []statistic{
		{"firm exit rate a year", .06, .12, func(s *FactStats) float64 { return s.FirmExit }},
	}},
	{"investment share; labour share", "national accounts", []statistic{
		{"investment / GDP", .15, .25, func(s *FactStats) float64 { return s.InvestmentShare }},
		{"labour share", .55, .7, func(s *FactStats) float64 { return s.LabourShare }},
	}},
	{"mark-up drift", "none over 50 years; ±2 % counts as none", []statistic{
		{"mark-up, last ten years / first ten - 1", -.02, .02, func(s *FactStats) float64 { return s.MarkUpDrift }},
	}},
}
