package analysis

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/tools"
)

// part names a table of an analysis.
type part string

// Enum lists them.
func (part) Enum() []string {
	return []string{
		"effects", "groups", "budget", "macro", "consumer", "micro", "innovation", "market_share", "drift", "settling", "power",
	}
}

// table is a part of an analysis, with all of its digits.
type table struct {
	Columns []string         `json:"columns"`
	Rows    [][]*tools.Value `json:"rows"`
	Note    string           `json:"note" doc:"what the rows are"`
}

// measureRow and shareRow are rows of what an analysis keeps by name.
type measureRow struct {
	Metric string `json:"metric"`
	inference.Measure
}

type shareRow struct {
	Months string `json:"months_after"`
	inference.ShareCorrelation
}

// tableOf is a part of an analysis; one without rows where the analysis does not have it.
func tableOf(a *inference.Analysis, p part) table {
	innovation := cmp.Or(a.Innovation, new(inference.InnovationMetrics))
	switch p {
	case "effects":
		return rowsOf(a.Treatment, "means over the months, treatment less control")
	case "groups":
		return rowsOf(a.Distribution.Rows, a.Distribution.Measure+"; p adjusted by "+a.Distribution.Adjustment)
	case "budget":
		return rowsOf(a.Budget, "currency units a month; spending is below 0")
	case "macro":
		return measureTable(a.Macro)
	case "consumer":
		return measureTable(a.Consumer)
	case "micro":
		return measureTable(a.Micro)
	case "innovation":
		return measureTable(innovation.EventsByKind)
	case "market_share":
		var rows []shareRow
		for _, months := range slices.SortedFunc(maps.Keys(innovation.ShareCorrelations), shorterFirst) {
			rows = append(rows, shareRow{months, innovation.ShareCorrelations[months]})
		}
		formulas := innovation.Formulas
		return rowsOf(rows, "market shares of "+innovation.SharesOf+" after innovations; "+formulas["growth"]+"; "+formulas["correlation"])
	case "drift":
		return rowsOf(a.Diagnostics.SteadyState.Checks, "trend of a rate over the window, a year")
	case "settling":
		return rowsOf(a.Diagnostics.Settling.Checks, "of the control: MSER-5 warm-up, and how many replications reject at 5 %")
	default:
		return rowsOf(a.Diagnostics.Power, "difference found with 80 % power; replications for the smallest effect with 90 %")
	}
}

func shorterFirst(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

func measureTable(of map[string]inference.Measure) table {
	var rows []measureRow
	for _, name := range slices.Sorted(maps.Keys(of)) {
		rows = append(rows, measureRow{name, of[name]})
	}
	return rowsOf(rows, "means over window and replications")
}

// rowsOf is a table of flat structs of texts, numbers and truth values, whose columns are named by
// their JSON tags.
func rowsOf[T any](rows []T, note string) table {
	out := table{Columns: []string{}, Note: note}
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			out.Columns, fields = append(out.Columns, name), append(fields, f)
		}
	}
	for _, row := range rows {
		var cells []*tools.Value
		for _, f := range fields {
			cells = append(cells, cell(reflect.ValueOf(row).FieldByIndex(f.Index)))
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// cell is nil for a number that is not there.
func cell(v reflect.Value) *tools.Value {
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); x == x && x-x == 0 {
			return &tools.Value{X: x}
		}
		return nil
	case reflect.Int:
		return &tools.Value{X: int(v.Int())}
	case reflect.Bool:
		return &tools.Value{X: v.Bool()}
	}
	return &tools.Value{X: v.String()}
}
