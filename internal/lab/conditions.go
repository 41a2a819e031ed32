package lab

import (
	"context"
	"fmt"

	"econ-mcp/internal/run"
)

// inForceRow is months in which an intervention was in force in a replication, without months where
// it never was.
type inForceRow struct {
	Arm         string `parquet:"arm"`
	Number      int64  `parquet:"intervention"` // in the plan of the arm, from 1
	What        string `parquet:"what"`
	When        string `parquet:"when"`
	Until       string `parquet:"until"`
	Replication int64  `parquet:"replication"`
	Seed        string `parquet:"seed"`
	From        *int64 `parquet:"from_month,optional"`
	To          *int64 `parquet:"to_month,optional"`
}

// inForce is the table of when each intervention of an experiment was in force, replication by
// replication, as CSV; nil where nothing is planned.
func (l *Laboratory) inForce(ctx context.Context, name string) ([]byte, error) {
	plans, err := l.Planned(ctx, name)
	if err != nil || len(plans) == 0 {
		return nil, err
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	var rows []inForceRow
	for _, p := range plans {
		v := p.Intervention
		for r, spans := range p.InForce.Spans[:min(x.Replications, len(p.InForce.Spans))] {
			row := inForceRow{
				Arm: p.Arm, Number: int64(p.InForce.Number), What: v.What(), When: v.When, Until: v.Until, Replication: int64(r + 1),
				Seed: fmt.Sprint(run.ReplicationSeed(x.Seed, r)),
			}
			if len(spans) == 0 {
				rows = append(rows, row)
			}
			for _, s := range spans {
				row.From, row.To = month(s.From), month(s.To)
				rows = append(rows, row)
			}
		}
	}
	asCSV, _, err := encodeRows(rows)
	return asCSV, err
}

func month(n int) *int64 {
	m := int64(n)
	return &m
}
