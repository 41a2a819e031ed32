package trials

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Setting says what was simulated.
type Setting struct {
	Scenario     string `json:"scenario"`
	ScenarioHash string `json:"scenario_hash"`
	ModelVersion string `json:"model_version"`
	Households   int    `json:"households"`
	BurnInMonths int    `json:"burn_in_months"`
	Months       int    `json:"months"` // after the burn-in
	Replications int    `json:"replications"`
	Seed         uint64 `json:"seed"` // of the first replication
}

// settingOf is the setting of a scenario that is simulated on a number of seeds.
func settingOf(s scenario.Scenario, replications, months int) Setting {
	return Setting{
		Scenario: s.Name, ScenarioHash: s.Hash(), ModelVersion: sim.ModelVersion, Households: s.Params.NumHouseholds,
		BurnInMonths: s.BurnIn.BurnInMonths, Months: months, Replications: replications, Seed: uint64(s.Params.RandomState),
	}
}

// Markdown is a sentence.
func (s Setting) markdown() string {
	return fmt.Sprintf("Model %s, scenario hash `%s`, %d households, %d months after a burn-in of %d, %d replications from seed %d.",
		s.ModelVersion, s.ScenarioHash, s.Households, s.Months, s.BurnInMonths, s.Replications, s.Seed)
}

// Table is an economy held against numbered facts, each with a band from the literature: table B or C of
// docs/VALIDATION.md.
type Table struct {
	Title string
	Setting
	Facts []Fact

	Command string // that made it, for Markdown; the caller's
}

// tableRow is a row of a file of facts. It has a band, or several parts with one each.
type tableRow struct {
	Number int `yaml:"n"`
	Fact   string
	Source string
	Band   [2]float64
	Parts  []struct {
		Name string
		Band [2]float64
	}
}

// PathPoint is an effect in a span of months, with Student's interval over the replications.
type PathPoint struct {
	From, To int
	Effect   stats.Interval
}

// MarshalJSON implements [json.Marshaler].
func (p PathPoint) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		From   int          `json:"from"`
		To     int          `json:"to"`
		Effect stats.Number `json:"effect"`
		CILow  stats.Number `json:"ci_low"`
		CIHigh stats.Number `json:"ci_high"`
	}{p.From, p.To, stats.Number(p.Effect.Mean), stats.Number(p.Effect.Low), stats.Number(p.Effect.High)})
}

// fact is the one of a number, nil where there is none.
func (t *Table) fact(number int) *Fact {
	if i := slices.IndexFunc(t.Facts, func(f Fact) bool { return f.Number == number }); i >= 0 {
		return &t.Facts[i]
	}
	return nil
}

// WrongSign says whether the whole interval has the sign that no value of the band has.
func (p Part) WrongSign() bool {
	return p.BandHigh <= 0 && p.CILow > 0 || p.BandLow >= 0 && p.CIHigh < 0
}

// WrongSigns counts the facts of which a part has the wrong sign.
func (t *Table) WrongSigns() (n int) {
	for _, f := range t.Facts {
		if slices.ContainsFunc(f.Parts, Part.WrongSign) {
			n++
		}
	}
	return n
}

// readFacts reads a file of facts, such as data.Micro. Nothing is measured in them yet.
func readFacts(file []byte) ([]Fact, error) {
	var rows []tableRow
	decoder := yaml.NewDecoder(bytes.NewReader(file))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rows); err != nil {
		return nil, err
	}
	facts := make([]Fact, len(rows))
	for i, row := range rows {
		facts[i] = Fact{Number: row.Number, Name: row.Fact, Source: row.Source}
		if row.Parts == nil {
			facts[i].Parts = []Part{{Name: row.Fact, BandLow: row.Band[0], BandHigh: row.Band[1]}}
		}
		for _, p := range row.Parts {
			facts[i].Parts = append(facts[i].Parts, Part{Name: p.Name, BandLow: p.Band[0], BandHigh: p.Band[1]})
		}
		for j := range facts[i].Parts {
			facts[i].Parts[j].hold(stats.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()})
		}
		facts[i].Pass = false
	}
	return facts, nil
}

// hold sets what was found for a part, and judges it.
func (p *Part) hold(found stats.Interval) {
	p.Value, p.CILow, p.CIHigh = found.Mean, found.Low, found.High
	p.Pass = p.BandLow <= found.Mean && found.Mean <= p.BandHigh
}

// holdMeans sets what replications show of the parts of a fact, one list of values a part: their mean with
// Student's interval. Values that a replication does not have are left out.
func (f *Fact) holdMeans(parts ...[]float64) {
	f.Pass = true
	for i := range f.Parts {
		f.Parts[i].Values = parts[i]
		f.Parts[i].hold(stats.MeanInterval(stats.Defined(parts[i]), tables.DefaultConfidence))
		f.Pass = f.Pass && f.Parts[i].Pass
	}
}

// MarshalJSON implements [json.Marshaler].
func (t Table) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Passed     int     `json:"passed"`
		Total      int     `json:"total"`
		WrongSigns int     `json:"wrong_signs"`
		Facts      []Fact  `json:"facts"`
		Confidence float64 `json:"confidence"`
		Setting
	}{Passed(t.Facts), len(t.Facts), t.WrongSigns(), t.Facts, tables.DefaultConfidence, t.Setting})
}

// Markdown is the section of docs/VALIDATION.md. The same command on the same model gives the same text.
func (t Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\nThe scenario `%s` passes **%d of %d** facts; %d have the wrong sign.", t.Title, t.Scenario, Passed(t.Facts),
		len(t.Facts), t.WrongSigns())
	if t.Command != "" {
		fmt.Fprintf(&b, " Generated by `%s`; do not edit.", t.Command)
	}
	fmt.Fprintf(&b, " %s Value: mean over the seeds, with Student's %g %% interval; it passes when it lies within the band.\n\n",
		t.Setting.markdown(), 100*tables.DefaultConfidence)
	b.WriteString("| n | fact | value | interval | band | verdict | source |\n|---|---|---|---|---|---|---|\n")
	for _, fact := range t.Facts {
		for i, part := range fact.Parts {
			number, name, source := fmt.Sprint(fact.Number), fact.Name, fact.Source
			switch {
			case i > 0:
				number, name, source = "", part.Name, ""
			case len(fact.Parts) > 1:
				name += ": " + part.Name
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", number, name, Figure(part.Value),
				IntervalText(part.CILow, part.CIHigh), part.BandText(), part.verdictWithSign(), source)
		}
	}
	b.WriteString("\nHow they are measured, where the fact does not say it:\n\n")
	for _, fact := range t.Facts {
		if fact.Note != "" {
			fmt.Fprintf(&b, "- %d: %s\n", fact.Number, fact.Note)
		}
	}
	t.writePaths(&b)
	return b.String()
}

// writePaths writes the whole paths of the facts that have one.
func (t Table) writePaths(b *strings.Builder) {
	if !slices.ContainsFunc(t.Facts, func(f Fact) bool { return f.Path != nil }) {
		return
	}
	b.WriteString("\nPaths: means over equal spans of months, in the unit of the fact (of a multiplier and a ratio: real GDP, %; of a duration: " +
		"the unemployment rate, points).\n\n| n | months | path |\n|---|---|---|\n")
	for _, fact := range t.Facts {
		var values []string
		for _, p := range fact.Path {
			values = append(values, Figure(p.Effect.Mean))
		}
		if n := len(fact.Path); n > 0 {
			fmt.Fprintf(b, "| %d | 1 to %d | %s |\n", fact.Number, fact.Path[n-1].To, strings.Join(values, ", "))
		}
	}
}

func (p Part) verdictWithSign() string {
	if p.WrongSign() {
		return "open, wrong sign"
	}
	return p.Verdict()
}

// BandText writes the band for people.
func (p Part) BandText() string {
	if math.IsInf(p.BandHigh, 1) {
		return "at least " + Figure(p.BandLow)
	}
	return IntervalText(p.BandLow, p.BandHigh)
}
