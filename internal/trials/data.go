package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Reality is quarterly data of a country that an economy is held against. One goroutine uses it at a time.
type Reality struct {
	Name    string // of the file
	Data    *quarterly.Data
	HeldOut []quarterly.Variable // not looked at while a model is estimated
	Samples []quarterly.Span     // spans of quarters that are looked at

	// OneModel keeps the draws of statistics at a model's growth from the first model that is held against the data: for whoever needs
	// those of others only about, and many.
	OneModel bool

	// Wanted says which statistics are looked at; nil = all. Bootstrapping those of the data takes longer than all else.
	Wanted func(statistic string) bool

	draws map[drawn][]float64 // of the bootstrap: they take longer than all else
}

// drawn is a statistic of a sample that was bootstrapped.
type drawn struct {
	of   quarterly.Span
	name string
}

// DataValidation is an economy held against quarterly data of a country: table A of docs/VALIDATION.md.
type DataValidation struct {
	File    string       `json:"file"`
	Samples []DataSample `json:"samples"`

	Setting

	Command string `json:"-"` // that made it, for Markdown; the caller's
}

// DataSample is a span of quarters.
type DataSample struct {
	Quarters     string       `json:"quarters"`     // such as 1959Q1-2014Q4
	ModelGrowth  stats.Number `json:"model_growth"` // mean over seeds, an adult, in logs a year
	Met          int          `json:"met"`
	Total        int          `json:"total"`
	HeldOutMet   int          `json:"held_out_met"`
	HeldOutTotal int          `json:"held_out_total"`
	Rows         []DataRow    `json:"rows"` // without those held out, unless they are looked at
}

// DataRow is a statistic of the data, with its 95 % interval, and of the model: mean over the seeds with
// Student's. It is met when that mean lies within the interval of the data.
type DataRow struct {
	Statistic string
	HeldOut   bool
	Data      stats.Interval
	Model     stats.Interval
	Met       bool

	Draws  []float64 // of the data, by the bootstrap; those of all rows of a sample vary together
	Values []float64 // of the model's replications, NaN where one does not have it
}

// MarshalJSON implements [json.Marshaler].
func (r DataRow) MarshalJSON() ([]byte, error) {
	n := func(x float64) stats.Number { return stats.Number(x) }
	return json.Marshal(struct {
		Statistic string       `json:"statistic"`
		HeldOut   bool         `json:"held_out,omitempty"`
		Data      stats.Number `json:"data"`
		Low       stats.Number `json:"data_low"`
		High      stats.Number `json:"data_high"`
		Model     stats.Number `json:"model"`
		CILow     stats.Number `json:"model_low"`
		CIHigh    stats.Number `json:"model_high"`
		Met       bool         `json:"met"`
	}{r.Statistic, r.HeldOut, n(r.Data.Mean), n(r.Data.Low), n(r.Data.High), n(r.Model.Mean), n(r.Model.Low), n(r.Model.High), r.Met})
}

// leastQuarters is what a filter and a bootstrap of blocks need.
const leastQuarters = 40

// Months is how long an economy runs that is held against it: as the longest sample.
func (r *Reality) Months() int { return monthsOf(r.Extents()) }

// Check refuses samples that the data do not have, or that are too short.
func (r *Reality) Check() error {
	for _, of := range r.Samples {
		if n := r.Data.Between(of.First, of.Last).Quarters(); n < leastQuarters || n < int(of.Last-of.First)+1 {
			last := r.Data.First + quarterly.Quarter(r.Data.Quarters()-1)
			return fault.Range("samples", of.String(), fmt.Sprintf("%d quarters or more within %s-%s", leastQuarters, r.Data.First, last))
		}
	}
	return nil
}

// ValidateData simulates a scenario on a number of seeds, the first of which is its random_state, for as long as
// the longest sample, and holds the months after burn-in against it; against a shorter sample its last quarters.
// Rows that are held out are counted, and listed only where they are looked at.
func ValidateData(
	ctx context.Context, s scenario.Scenario, reality *Reality, look bool, replications, threads int, cache run.Cache,
	progress func(run.Progress),
) (*DataValidation, error) {
	if err := reality.Check(); err != nil {
		return nil, err
	}
	collectors, months := make([]QuartersCollector, max(0, replications)), reality.Months()
	err := observed(ctx, s, replications, months, threads, cache, progress, func(replication int, e *sim.Economy) error {
		return collectors[replication].Observe(e)
	})
	if err != nil {
		return nil, err
	}
	samples := reality.against(measured(reality.Extents(), collectors), look)
	return &DataValidation{File: reality.Name, Setting: settingOf(s, replications, months), Samples: samples}, nil
}

// Measured is what replications of an economy were found to show: all that a search for parameters needs to know
// of them.
type Measured struct {
	Quarters []MeasuredSample // in the order of [Reality.Samples]
	Facts    []FactStats      // by replication
	Tables   []Table          // those of numbered facts that the search asks for, in its order
}

// MeasuredSample are statistics of quarters as many as a sample has.
type MeasuredSample struct {
	Growth float64              // mean over replications, an adult, in logs a year
	Values map[string][]float64 // by statistic and replication
}

// Extent is all of a sample of data that decides what is measured of an economy: whoever measures needs nothing else of the data.
type Extent struct {
	Quarters int     `json:"quarters"`
	Adults   bool    `json:"adults"` // the data count them
	Growth   float64 `json:"growth"` // of adults, in logs a year
}

// Extents are those of the samples, in their order.
func (r *Reality) Extents() []Extent {
	list := make([]Extent, len(r.Samples))
	for i, of := range r.Samples {
		span := r.Data.Between(of.First, of.Last)
		list[i] = Extent{span.Quarters(), span.Values[quarterly.Adults] != nil, span.GrowthOfAdults()}
	}
	return list
}

// monthsOf is how long an economy runs that is held against samples: as the longest.
func monthsOf(samples []Extent) int {
	longest := 0
	for _, of := range samples {
		longest = max(longest, of.Quarters)
	}
	return 3 * longest
}

// Measure simulates a scenario as [ValidateData] does with data of these extents, and measures what that and [Validate] look at.
func Measure(
	ctx context.Context, s scenario.Scenario, samples []Extent, replications, threads int, cache run.Cache, progress func(run.Progress),
) (*Measured, error) {
	for _, of := range samples {
		if of.Quarters < leastQuarters {
			return nil, fault.Range("samples", fmt.Sprintf("%d quarters", of.Quarters), fmt.Sprintf("%d or more", leastQuarters))
		}
	}
	quarters, facts := make([]QuartersCollector, max(0, replications)), make([]FactsCollector, max(0, replications))
	err := observed(ctx, s, replications, monthsOf(samples), threads, cache, progress, func(replication int, e *sim.Economy) error {
		if err := quarters[replication].Observe(e); err != nil {
			return err
		}
		return facts[replication].Observe(e)
	})
	if err != nil {
		return nil, err
	}
	m := &Measured{Quarters: measured(samples, quarters)}
	for i := range facts {
		m.Facts = append(m.Facts, facts[i].Stats())
	}
	return m, nil
}

// Against holds what was measured against the data, without the rows that are held out, and against the facts.
func (r *Reality) Against(m *Measured, own map[string]Band) ([]DataSample, []Fact) {
	return r.against(m.Quarters, false), Facts(m.Facts, tables.DefaultConfidence, own)
}

// measured are the statistics of replications, against a shorter sample those of their last quarters. Amounts grow with
// as many people as in the sample: an economy without births has the recessions of an amount an adult.
func measured(of []Extent, replications []QuartersCollector) []MeasuredSample {
	samples := make([]MeasuredSample, len(of))
	for i, span := range of {
		var model []*quarterly.Data
		var growth []float64
		for j := range replications {
			d := replications[j].Data()
			d = d.Between(quarterly.Quarter(d.Quarters()-span.Quarters), quarterly.Quarter(d.Quarters()-1))
			if span.Adults {
				d = d.Peopled(span.Growth - d.GrowthOfAdults())
			}
			model, growth = append(model, d), append(growth, d.GrowthPerAdult())
		}
		mean := stats.DefinedMean(growth)
		values := map[string][]float64{}
		for j, d := range model {
			for _, s := range d.Statistics(mean, nil) {
				if values[s.Name] == nil {
					values[s.Name] = slices.Repeat([]float64{math.NaN()}, len(model))
				}
				values[s.Name][j] = s.Value()
			}
		}
		samples[i] = MeasuredSample{mean, values}
	}
	return samples
}

// against holds what replications show against the samples of the data.
func (r *Reality) against(model []MeasuredSample, look bool) []DataSample {
	samples := make([]DataSample, len(r.Samples))
	for i, of := range r.Samples {
		sample := DataSample{Quarters: of.String(), ModelGrowth: stats.Number(model[i].Growth)}
		span := r.Data.Between(of.First, of.Last)
		for _, s := range span.Statistics(model[i].Growth, r.HeldOut) {
			if r.Wanted != nil && !r.Wanted(s.Name) {
				continue
			}
			row := r.row(of, s, model[i])
			met := 0
			if row.Met {
				met = 1
			}
			if s.HeldOut {
				sample.HeldOutMet, sample.HeldOutTotal = sample.HeldOutMet+met, sample.HeldOutTotal+1
			}
			sample.Met, sample.Total = sample.Met+met, sample.Total+1
			if look || !s.HeldOut {
				sample.Rows = append(sample.Rows, row)
			}
		}
		samples[i] = sample
	}
	return samples
}

// row holds what replications show against a statistic of a sample of the data.
func (r *Reality) row(of quarterly.Span, s quarterly.Statistic, model MeasuredSample) DataRow {
	row := DataRow{Statistic: s.Name, HeldOut: s.HeldOut, Draws: r.drawsOf(of, s), Values: model.Values[s.Name]}
	low, high := quarterly.Percentiles(row.Draws)
	row.Data = stats.Interval{Mean: s.Value(), Low: low, High: high}
	row.Model = stats.MeanInterval(stats.Defined(row.Values), tables.DefaultConfidence)
	row.Met = row.Model.Mean >= low && row.Model.Mean <= high
	return row
}

// drawsOf bootstraps a statistic of the data: once, where it does not depend on the model.
func (r *Reality) drawsOf(of quarterly.Span, s quarterly.Statistic) []float64 {
	if s.AtModel && !r.OneModel {
		return s.Draws(1)
	}
	key := drawn{of, s.Name}
	if r.draws[key] == nil {
		if r.draws == nil {
			r.draws = map[drawn][]float64{}
		}
		r.draws[key] = s.Draws(1)
	}
	return r.draws[key]
}

// Markdown is the section of docs/VALIDATION.md. The same command on the same model gives the same text.
func (v *DataValidation) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Real quarterly data\n\nThe scenario `%s` held against `%s`:\n\n", v.Scenario, v.File)
	b.WriteString("| sample | statistics met | of these held out |\n|---|---|---|\n")
	for _, s := range v.Samples {
		fmt.Fprintf(&b, "| %s | **%d of %d** | %d of %d |\n", s.Quarters, s.Met, s.Total, s.HeldOutMet, s.HeldOutTotal)
	}
	if v.Command != "" {
		fmt.Fprintf(&b, "\nGenerated by `%s`; do not edit.", v.Command)
	}
	fmt.Fprintf(&b, " %s "+
		"A statistic is met when the model's mean over the seeds lies within the 95 %% interval of the data (stationary bootstrap). "+
		"Rows overlap, so that the count is a score and no test. Rows that rest on held-out variables are counted, and shown "+
		"only with `--held-out`.\n\n", v.Setting.markdown())
	for _, s := range v.Samples {
		fmt.Fprintf(&b, "### %s\n\n| statistic | data | interval | model | interval over seeds | met |\n|---|---|---|---|---|---|\n", s.Quarters)
		for _, r := range s.Rows {
			met := ""
			if r.Met {
				met = "yes"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.Statistic, Figure(r.Data.Mean), IntervalText(r.Data.Low, r.Data.High),
				Figure(r.Model.Mean), IntervalText(r.Model.Low, r.Model.High), met)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
