package analysis

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
	Months        []int      `json:"months"`
	Data          []Number   `json:"data"`
	Lower         []Number   `json:"lower"`
	Upper         []Number   `json:"upper"`
	LowerQuartile []Number   `json:"lower_quartile,omitempty" doc:"with quantiles"`
	UpperQuartile []Number   `json:"upper_quartile,omitempty" doc:"with quantiles"`
	Replications  [][]Number `json:"replications,omitempty" doc:"with all: a series each"`
}

// Aggregate tells a series of replications, each of which has a value a month, in one of
// [Aggregates].
func Aggregate(how string, months []int, replications [][]float64, confidence float64) (Aggregated, error) {
	out := Aggregated{Months: append([]int{}, months...), Data: []Number{}, Lower: []Number{}, Upper: []Number{}}
	for m := range months {
		var values []float64
		for _, series := range replications {
			values = append(values, series[m])
		}
		values = defined(values)
		switch how {
		case "mean", "all":
			i := stats.MeanInterval(values, confidence)
			out.add(i.Mean, i.Low, i.High)
		case "quantiles":
			sorted := slices.Sorted(slices.Values(values))
			out.add(Quantile(sorted, .5), Quantile(sorted, .05), Quantile(sorted, .95))
			out.LowerQuartile = append(out.LowerQuartile, Number(Quantile(sorted, .25)))
			out.UpperQuartile = append(out.UpperQuartile, Number(Quantile(sorted, .75)))
		}
	}
	switch how {
	case "mean", "quantiles":
	case "all":
		for _, series := range replications {
			out.Replications = append(out.Replications, Numbers(series))
		}
	default:
		return Aggregated{}, fault.Range("aggregate", fmt.Sprintf("%q", how), Aggregates...)
	}
	return out, nil
}

func (a *Aggregated) add(data, low, high float64) {
	a.Data, a.Lower, a.Upper = append(a.Data, Number(data)), append(a.Lower, Number(low)), append(a.Upper, Number(high))
}
