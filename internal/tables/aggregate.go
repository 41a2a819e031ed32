package tables

import (
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
)

// Aggregates are the ways in which a series of several replications is told.
var Aggregates = []string{"mean", "all", "quantiles"}

// Aggregated is a series over replications, month by month: their mean with Student's
// interval (mean and all), or their median with the 5 % and 95 % quantiles as bounds
// (quantiles). Numbers that are not there are null.
type Aggregated struct {
	Months        []int            `json:"months"`
	Data          []stats.Number   `json:"data"`
	Lower         []stats.Number   `json:"lower"`
	Upper         []stats.Number   `json:"upper"`
	LowerQuartile []stats.Number   `json:"lower_quartile,omitempty" doc:"with quantiles"`
	UpperQuartile []stats.Number   `json:"upper_quartile,omitempty" doc:"with quantiles"`
	Replications  [][]stats.Number `json:"replications,omitempty" doc:"with all: a series each"`
}

// Aggregate tells a series of replications, each of which has a value a month, in one of
// [Aggregates].
func Aggregate(how string, months []int, replications [][]float64, confidence float64) (Aggregated, error) {
	if !slices.Contains(Aggregates, how) {
		return Aggregated{}, fault.Range("aggregate", fmt.Sprintf("%q", how), Aggregates...)
	}
	out := Aggregated{Months: append([]int{}, months...), Data: []stats.Number{}, Lower: []stats.Number{}, Upper: []stats.Number{}}
	for m := range months {
		var values []float64
		for _, series := range replications {
			values = append(values, series[m])
		}
		values = stats.Defined(values)
		if how != "quantiles" {
			i := stats.MeanInterval(values, confidence)
			out.add(i.Mean, i.Low, i.High)
			continue
		}
		slices.Sort(values)
		out.add(stats.Quantile(values, .5), stats.Quantile(values, .05), stats.Quantile(values, .95))
		out.LowerQuartile = append(out.LowerQuartile, stats.Number(stats.Quantile(values, .25)))
		out.UpperQuartile = append(out.UpperQuartile, stats.Number(stats.Quantile(values, .75)))
	}
	if how == "all" {
		for _, series := range replications {
			out.Replications = append(out.Replications, stats.Numbers(series))
		}
	}
	return out, nil
}

func (a *Aggregated) add(data, low, high float64) {
	a.Data, a.Lower, a.Upper = append(a.Data, stats.Number(data)), append(a.Lower, stats.Number(low)), append(a.Upper, stats.Number(high))
}
