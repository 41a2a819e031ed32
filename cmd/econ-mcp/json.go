package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// runDocument is the JSON form of econ-mcp run.
type runDocument struct {
	ScenarioHash         string                 `json:"scenario_hash"`
	StateHash            string                 `json:"state_hash"`
	Version              string                 `json:"version"`
	Seed                 uint64                 `json:"seed"`
	Months               []int                  `json:"months"`
	Series               indicatorSeries        `json:"series"`
	Units                unitTable              `json:"units"`
	AgentMonthsPerSecond stats.Number           `json:"agent_months_per_second"`
	PeakRSSBytes         *int64                 `json:"peak_rss_bytes"`          // null where the system does not tell
	Interventions        []interventionDocument `json:"interventions,omitempty"` // of the treatment or the only arm
	Arms                 armDocuments           `json:"arms,omitempty"`
	Window               *monthWindow           `json:"window,omitempty"`    // of the effects
	Intervals            string                 `json:"intervals,omitempty"` // see [report.Intervals]
	Effects              []effectRow            `json:"effects,omitempty"`
	Groups               []inference.GroupTable `json:"groups"` // means over the window
}

// monthWindow is a range of months, both ends included.
type monthWindow struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// armDocument is one arm: the mean over replications, its interval, and each
// replication.
type armDocument struct {
	ScenarioHash string                `json:"scenario_hash"`
	BurntInApart []string              `json:"burnt_in_apart,omitempty"` // parameters that made it necessary
	BurntInAs    string                `json:"burnt_in_as,omitempty"`    // the arm whose burn-in replaced the scenario's own
	Series       indicatorSeries       `json:"series"`
	Lower        indicatorSeries       `json:"lower"`
	Upper        indicatorSeries       `json:"upper"`
	Replications []replicationDocument `json:"replications"`
}

type replicationDocument struct {
	Seed      uint64          `json:"seed"`
	StateHash string          `json:"state_hash"`
	Series    indicatorSeries `json:"series"`
}

// effectRow is the difference that the treatment makes to one indicator.
type effectRow struct {
	Metric     string       `json:"metric"`
	Control    stats.Number `json:"control"`
	Treatment  stats.Number `json:"treatment"`
	Difference stats.Number `json:"difference"`
	Percent    stats.Number `json:"percent"`
	CILow      stats.Number `json:"ci_low"`
	CIHigh     stats.Number `json:"ci_high"`
	N          int          `json:"n"`

	PAdjusted      stats.Number      `json:"p_adjusted"`
	SmallestEffect stats.Number      `json:"smallest_effect"`
	Verdict        inference.Verdict `json:"verdict"` // exploratory: nothing was registered
}

// indicatorSeries is a JSON object of series by headline indicator, in their order.
type indicatorSeries [sim.NumOutcomes][]float64

// MarshalJSON implements json.Marshaler.
func (s indicatorSeries) MarshalJSON() ([]byte, error) {
	return orderedObject(int(sim.NumIndicators), func(i int) (string, any) {
		return sim.Indicator(i).String(), stats.Numbers(s[i])
	})
}

// unitTable is a JSON object of units by indicator.
type unitTable struct{}

// MarshalJSON implements json.Marshaler.
func (unitTable) MarshalJSON() ([]byte, error) {
	return orderedObject(int(sim.NumIndicators), func(i int) (string, any) {
		info := sim.Indicator(i).Info()
		return info.Name, info.Unit
	})
}

// armDocuments is a JSON object of arms by name, the control first.
type armDocuments []lab.ArmResult

// MarshalJSON implements json.Marshaler.
func (a armDocuments) MarshalJSON() ([]byte, error) {
	return orderedObject(len(a), func(i int) (string, any) { return a[i].Name, newArmDocument(a[i]) })
}

// orderedObject encodes n members in their order.
func orderedObject(n int, member func(i int) (name string, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		name, value := member(i)
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encoded(name))
		b.WriteByte(':')
		b.Write(data)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func newArmDocument(arm lab.ArmResult) armDocument {
	out := armDocument{
		ScenarioHash: arm.ScenarioHash, BurntInApart: arm.BurntInApart, BurntInAs: arm.BurntInAs,
		Series: indicatorSeries(arm.Mean), Lower: indicatorSeries(arm.Lower), Upper: indicatorSeries(arm.Upper),
	}
	for _, r := range arm.Replications {
		out.Replications = append(out.Replications, replicationDocument{r.Seed, r.StateHash, indicatorSeries(r.Series)})
	}
	return out
}

func newRunDocument(p *runPlan, result *lab.Result) runDocument {
	main := result.Arms[len(result.Arms)-1]
	doc := runDocument{
		ScenarioHash: main.ScenarioHash, StateHash: main.Replications[0].StateHash,
		Version: sim.ModelVersion, Seed: p.Experiment.Seed,
		Months: result.Months, Series: indicatorSeries(main.Mean),
		AgentMonthsPerSecond: stats.Number(result.AgentMonthsPerSecond),
		PeakRSSBytes:         run.PeakMemory(),
		Groups:               result.GroupTables(p.Treatment().Params),
	}
	for i, v := range p.Treatment().Interventions {
		doc.Interventions = append(doc.Interventions, newInterventionDocument(v, i, main))
	}
	if !p.Single() {
		doc.Arms = result.Arms
	}
	if len(result.Effects) > 0 || p.window != "" {
		doc.Window = &monthWindow{result.From, result.To}
	}
	if len(result.Effects) > 0 {
		doc.Intervals = report.Intervals
	}
	for _, e := range result.Effects {
		doc.Effects = append(doc.Effects, effectRow{
			e.Metric, stats.Number(e.Control), stats.Number(e.Treatment), stats.Number(e.Difference),
			stats.Number(e.Percent), stats.Number(e.CILow), stats.Number(e.CIHigh), e.N,
			stats.Number(e.PAdjusted), stats.Number(e.Smallest), e.Verdict,
		})
	}
	return doc
}

func writeJSON(w io.Writer, p *runPlan, result *lab.Result) error {
	return encodeJSON(w, newRunDocument(p, result), "")
}

// wantsJSON says whether a command was given --json.
func wantsJSON(cmd *cobra.Command) bool {
	given, _ := cmd.Flags().GetBool("json")
	return given
}

// printed prints what a command found: as JSON if it was asked for, else as text writes it.
func printed(cmd *cobra.Command, document any, text func(out io.Writer)) error {
	if wantsJSON(cmd) {
		return encodeJSON(cmd.OutOrStdout(), document, "  ")
	}
	text(cmd.OutOrStdout())
	return nil
}

// encodeJSON writes one value and a line break. All characters that a terminal would act on are
// escaped, more than JSON requires.
func encodeJSON(w io.Writer, value any, indent string) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return err
	}
	var b strings.Builder
	for _, r := range text.String() {
		if r == '\n' || unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", half)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
