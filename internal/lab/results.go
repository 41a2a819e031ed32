package lab

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
)

// effectRow is a row of the table of results of an experiment with a control. Its columns
// are named by their tags, in CSV and Parquet alike; a number that is not there is null,
// and empty in CSV.
type effectRow struct {
	Metric       string   `parquet:"metric"`
	Unit         string   `parquet:"unit"`
	Arm          string   `parquet:"arm"`
	Control      *float64 `parquet:"control,optional"`
	Treatment    *float64 `parquet:"treatment,optional"`
	Difference   *float64 `parquet:"difference,optional"`
	Percent      *float64 `parquet:"percent,optional"` // of the control, with its interval
	PercentLow   *float64 `parquet:"percent_low,optional"`
	PercentHigh  *float64 `parquet:"percent_high,optional"`
	CILow        *float64 `parquet:"ci_low,optional"`
	CIHigh       *float64 `parquet:"ci_high,optional"`
	P            *float64 `parquet:"p_value,optional"`
	PAdjusted    *float64 `parquet:"p_adjusted,optional"`
	PEquivalence *float64 `parquet:"p_equivalence,optional"`
	Smallest     *float64 `parquet:"smallest_effect,optional"`
	EffectSize   *float64 `parquet:"effect_size,optional"`
	Reduction    *float64 `parquet:"variance_reduction,optional"`
	Paired       bool     `parquet:"paired"`
	N            int64    `parquet:"n"`
	Test         string   `parquet:"test"`
	Exploratory  bool     `parquet:"exploratory"`
	Verdict      string   `parquet:"verdict"`
	Needed       *float64 `parquet:"replications_needed,optional"`
	From         int64    `parquet:"from_month"`
	To           int64    `parquet:"to_month"`
	Confidence   float64  `parquet:"confidence"`
	Intervals    string   `parquet:"intervals"` // see [report.Intervals]
}

// levelRow is a row of the table of results of an experiment with one arm.
type levelRow struct {
	Group        string   `parquet:"group"`
	Metric       string   `parquet:"metric"`
	Unit         string   `parquet:"unit"`
	Mean         *float64 `parquet:"mean,optional"`
	CILow        *float64 `parquet:"ci_low,optional"`
	CIHigh       *float64 `parquet:"ci_high,optional"`
	From         int64    `parquet:"from_month"`
	To           int64    `parquet:"to_month"`
	Replications int64    `parquet:"replications"`
	Intervals    string   `parquet:"intervals"`
}

// intervalsAre says what the intervals of results are.
const intervalsAre = report.Intervals

// results are the effects of an analysis, or its levels where there is no control, as CSV
// and as Parquet: the same rows.
func results(a *inference.Analysis) (asCSV, asParquet []byte, err error) {
	if a.Control == "" {
		return encodeRows(levelRows(a))
	}
	return encodeRows(effectRows(a))
}

func effectRows(a *inference.Analysis) (rows []effectRow) {
	for _, r := range a.Treatment {
		rows = append(rows, effectRow{
			Metric: r.Metric, Unit: r.Unit, Arm: r.Arm, Control: there(r.Control), Treatment: there(r.Treatment), Difference: there(r.Difference),
			Percent: there(r.Percent), PercentLow: there(r.PercentLow), PercentHigh: there(r.PercentHigh), CILow: there(r.CILow), CIHigh: there(r.CIHigh), P: there(r.P), PAdjusted: there(r.PAdjusted),
			PEquivalence: there(r.PEquivalence), Smallest: there(r.SmallestEffect), EffectSize: there(r.EffectSize),
			Reduction: there(r.VarianceReduction),
			Paired:    r.Paired, N: int64(r.N), Test: r.Test, Exploratory: r.Exploratory, Verdict: string(r.Verdict),
			Needed: there(r.ReplicationsNeeded), From: int64(r.Window.From), To: int64(r.Window.To), Confidence: a.Confidence,
			Intervals: intervalsAre,
		})
	}
	return rows
}

func levelRows(a *inference.Analysis) (rows []levelRow) {
	for _, g := range []struct {
		name     string
		measures map[string]inference.Measure
	}{{"macro", a.Macro}, {"consumer", a.Consumer}, {"micro", a.Micro}} {
		for _, name := range slices.Sorted(maps.Keys(g.measures)) {
			m := g.measures[name]
			rows = append(rows, levelRow{
				Group: g.name, Metric: name, Unit: m.Unit, Mean: there(m.Value), CILow: there(m.CILow), CIHigh: there(m.CIHigh),
				From: int64(a.From), To: int64(a.To), Replications: int64(a.Replications), Intervals: intervalsAre,
			})
		}
	}
	return rows
}

// there is nil for a number that is not.
func there(x stats.Number) *float64 {
	if v := float64(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return &v
	}
	return nil
}

// encodeRows writes rows of strings, numbers and truth values under the names in their
// parquet tags.
func encodeRows[T any](rows []T) (asCSV, asParquet []byte, err error) {
	var text, columns bytes.Buffer
	w := csv.NewWriter(&text)
	var heads []string
	for field := range reflect.TypeFor[T]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		heads = append(heads, name)
	}
	w.Write(heads)
	for _, row := range rows {
		var cells []string
		for _, v := range reflect.ValueOf(row).Fields() {
			cells = append(cells, cellOf(v))
		}
		w.Write(cells)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, nil, err
	}
	p := parquet.NewGenericWriter[T](&columns, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("econ-mcp", "", ""))
	if _, err := p.Write(rows); err != nil {
		return nil, nil, err
	}
	if err := p.Close(); err != nil {
		return nil, nil, err
	}
	return text.Bytes(), columns.Bytes(), nil
}

func cellOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Float64 {
		return cellText(v.Float())
	}
	return fmt.Sprint(v.Interface())
}
