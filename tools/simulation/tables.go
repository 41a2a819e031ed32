package simulation

import (
	"context"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/tables"
	"econ-mcp/tools"
)

// householdGrouping divides households.
type householdGrouping string

// Enum lists the groupings.
func (householdGrouping) Enum() []string { return tables.HouseholdGroupings[:] }

// firmGrouping divides firms.
type firmGrouping string

// Enum lists the groupings.
func (firmGrouping) Enum() []string { return tables.FirmGroupings[:] }

type tableArgs struct {
	experimentArgs
	Month *int   `json:"month,omitempty" min:"1" doc:"Default: the latest"`
	Arm   string `json:"arm,omitempty" max:"100" doc:"Default: treatment, else the only one"`
}

type householdsArgs struct {
	tableArgs
	By householdGrouping `json:"by,omitempty"`
}

// tablePlace says what a table is of.
type tablePlace struct {
	Experiment   string `json:"experiment_name"`
	Month        int    `json:"month"`
	Arm          string `json:"arm"`
	Replications int    `json:"replications"`
	Partial      bool   `json:"partial" doc:"the rest is null"`
}

func newTablePlace(p lab.Place) tablePlace {
	return tablePlace{p.Experiment, p.Month, p.Arm, p.Replications, p.Partial}
}

type householdsResult struct {
	tablePlace
	Groups []tables.HouseholdGroup[tables.Estimate] `json:"groups" doc:"null: only the latest month has all"`
}

func (d deps) households(ctx context.Context, c *tools.Call, in householdsArgs) (householdsResult, error) {
	name, err := d.experiment(ctx, c, in.Experiment)
	if err != nil {
		return householdsResult{}, err
	}
	place, groups, err := d.lab.Households(ctx, name, in.Arm, tools.Given(in.Month), string(in.By))
	return householdsResult{newTablePlace(place), groups}, err
}

type firmsArgs struct {
	tableArgs
	By firmGrouping `json:"by,omitempty"`
}

type firmsResult struct {
	tablePlace
	Groups []tables.FirmGroup[tables.Estimate] `json:"groups" doc:"null: only the latest month has all"`
}

func (d deps) firms(ctx context.Context, c *tools.Call, in firmsArgs) (firmsResult, error) {
	name, err := d.experiment(ctx, c, in.Experiment)
	if err != nil {
		return firmsResult{}, err
	}
	place, groups, err := d.lab.Firms(ctx, name, in.Arm, tools.Given(in.Month), string(in.By))
	return firmsResult{newTablePlace(place), groups}, err
}
