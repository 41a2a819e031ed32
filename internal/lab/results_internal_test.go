package lab

import (
	"bytes"
	"encoding/csv"
	"math"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
)

// Both tables hold the same rows, with nothing for a number that is not there.
func TestResultsAsCSVAndParquet(t *testing.T) {
	absent := stats.Number(math.NaN())
	a := inference.Analysis{Control: "control", From: 7, To: 12, Confidence: .95, Treatment: []inference.ComparisonRow{
		{
			Metric: "cpi", Unit: "index, base month = 100", Arm: "treatment", Window: inference.Window{From: 7, To: 12}, Control: 100,
			Treatment: 104.25, Difference: 4.25, Percent: 4.25, CILow: 3, CIHigh: 5.5, P: .001, PAdjusted: .002, EffectSize: 2, Paired: true, N: 20,
			Verdict: "supported",
		},
		{
			Metric: "unemployment_rate", Unit: "share of the labour force", Arm: "treatment", Window: inference.Window{From: 7, To: 12},
			Control: .06, Treatment: .07, Difference: .01, Percent: absent, CILow: absent, CIHigh: absent, P: absent, PAdjusted: absent,
			EffectSize: absent, N: 1,
		},
	}}
	asCSV, asParquet, err := results(&a)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[effectRow](bytes.NewReader(asParquet), int64(len(asParquet)))
	if err != nil || !reflect.DeepEqual(rows, effectRows(&a)) {
		t.Errorf("read back: %+v, %v", rows, err)
	}
	cells, err := csv.NewReader(bytes.NewReader(asCSV)).ReadAll()
	if err != nil || len(cells) != 3 {
		t.Fatalf("%q, %v", cells, err)
	}
	want := map[string][2]string{
		"metric": {"cpi", "unemployment_rate"}, "difference": {"4.25", "0.01"}, "percent": {"4.25", ""}, "p_adjusted": {"0.002", ""},
		"paired": {"true", "false"}, "n": {"20", "1"}, "from_month": {"7", "7"}, "unit": {"index, base month = 100", "share of the labour force"},
	}
	for k, head := range cells[0] {
		if w, ok := want[head]; ok && (cells[1][k] != w[0] || cells[2][k] != w[1]) {
			t.Errorf("%s: %q and %q, want %q", head, cells[1][k], cells[2][k], w)
		}
		delete(want, head)
	}
	if len(want) > 0 {
		t.Errorf("no columns %v in %v", want, cells[0])
	}
	f, err := parquet.OpenFile(bytes.NewReader(asParquet), int64(len(asParquet)))
	if err != nil {
		t.Fatal(err)
	}
	for k, column := range f.Root().Columns() { // CSV and Parquet have the same columns, and numbers are numbers
		if column.Name() != cells[0][k] {
			t.Errorf("column %d is %s in Parquet, %s in CSV", k, column.Name(), cells[0][k])
		}
		if column.Name() == "difference" && (column.Type().Kind() != parquet.Double || !column.Optional()) || column.Name() == "n" &&
			column.Type().Kind() != parquet.Int64 {
			t.Errorf("%s has type %s", column.Name(), column.Type())
		}
	}
}

// One arm has levels; nothing at all is a table without rows.
func TestResultsWithoutControl(t *testing.T) {
	a := inference.Analysis{
		From: 1, To: 2, Replications: 3,
		Macro: map[string]inference.Measure{"gdp": {Value: 5, CILow: 4, CIHigh: 6, Unit: "currency units a month"}},
	}
	_, asParquet, err := results(&a)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[levelRow](bytes.NewReader(asParquet), int64(len(asParquet)))
	if err != nil || len(rows) != 1 || rows[0].Metric != "gdp" || *rows[0].Mean != 5 || rows[0].Replications != 3 {
		t.Errorf("%+v, %v", rows, err)
	}
	if _, empty, err := results(&inference.Analysis{}); err != nil || len(empty) == 0 {
		t.Errorf("without rows: %d bytes, %v", len(empty), err)
	}
}
