package simulation

import (
	"context"

	"econ-mcp/internal/stats"
	"econ-mcp/tools"
)

type indicatorsArgs struct {
	experimentArgs
	Month       *int     `json:"month,omitempty" min:"1" doc:"Default: the latest"`
	Arm         string   `json:"arm,omitempty" max:"100" doc:"Default: treatment, else the only one"`
	Replication *int     `json:"replication,omitempty" min:"1" doc:"Whose value; default: the mean"`
	Indicators  []string `json:"indicators,omitempty" max:"100" doc:"Default: all"`
}

type indicatorValue struct {
	Value  stats.Number `json:"value"`
	Unit   string       `json:"unit"`
	Mean   stats.Number `json:"mean"`
	SD     stats.Number `json:"sd"`
	CILow  stats.Number `json:"ci_low"`
	CIHigh stats.Number `json:"ci_high"`
}

type indicatorsResult struct {
	Experiment   string                    `json:"experiment_name"`
	Month        int                       `json:"month"`
	Arm          string                    `json:"arm"`
	Replications int                       `json:"replications"`
	Indicators   map[string]indicatorValue `json:"indicators"`
}

func (d deps) indicators(ctx context.Context, c *tools.Call, in indicatorsArgs) (indicatorsResult, error) {
	name, err := d.experiment(ctx, c, in.Experiment)
	if err != nil {
		return indicatorsResult{}, err
	}
	s, err := d.lab.Indicators(ctx, name, in.Arm, tools.Given(in.Month), tools.Given(in.Replication), in.Indicators)
	if err != nil {
		return indicatorsResult{}, err
	}
	out := indicatorsResult{Experiment: name, Month: s.Month, Arm: s.Arm, Replications: s.Replications,
		Indicators: map[string]indicatorValue{}}
	for _, v := range s.Values {
		out.Indicators[v.Indicator.String()] = indicatorValue{
			Value: stats.Number(v.Value), Unit: v.Indicator.Info().Unit, Mean: stats.Number(v.Mean.Mean), SD: stats.Number(v.SD),
			CILow: stats.Number(v.Mean.Low), CIHigh: stats.Number(v.Mean.High),
		}
	}
	return out, nil
}

type allIndicatorsArgs struct {
	experimentArgs
	Arm        string   `json:"arm,omitempty" max:"100" doc:"Default: treatment, else the only one"`
	Indicators []string `json:"indicators,omitempty" max:"100" doc:"Default: all"`
	tools.Range
}

type allIndicatorsResult struct {
	Experiment string                    `json:"experiment_name"`
	Arm        string                    `json:"arm"`
	Months     []int                     `json:"months"`
	Series     map[string][]stats.Number `json:"series" doc:"mean over replications"`
	Units      map[string]string         `json:"units"`
}

// ResourceLinks points to the whole table.
func (r allIndicatorsResult) ResourceLinks() []tools.Link {
	return []tools.Link{tools.ExperimentLink(r.Experiment, "timeseries.csv")}
}

func (d deps) allIndicators(ctx context.Context, c *tools.Call, in allIndicatorsArgs) (allIndicatorsResult, error) {
	name, err := d.experiment(ctx, c, in.Experiment)
	if err != nil {
		return allIndicatorsResult{}, err
	}
	p, err := d.lab.Paths(ctx, name, in.Arm, in.Indicators, in.From, in.To, tools.Given(in.Every))
	if err != nil {
		return allIndicatorsResult{}, err
	}
	out := allIndicatorsResult{Experiment: name, Arm: p.Arm, Months: p.Months, Series: map[string][]stats.Number{}, Units: map[string]string{}}
	for k, i := range p.Indicators {
		out.Series[i.String()] = stats.Numbers(p.Values[k])
		out.Units[i.String()] = i.Info().Unit
	}
	return out, nil
}
