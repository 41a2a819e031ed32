package main

import (
	"econ-mcp/internal/lab"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// interventionDocument is the JSON form of an intervention.
type interventionDocument struct {
	Type           sim.InterventionType `json:"type"`
	Description    string               `json:"description,omitempty"`
	TargetMonth    int                  `json:"target_month"`
	DurationMonths int                  `json:"duration_months,omitempty"`
	RampMonths     int                  `json:"ramp_months,omitempty"`
	When           string               `json:"when,omitempty"`
	Until          string               `json:"until,omitempty"`
	Parameters     actionDocument       `json:"parameters"`
	Began          []int                `json:"began"`    // by replication; 0 where the condition was never met
	InForce        [][]sim.Span         `json:"in_force"` // by replication; empty where it never was
}

// actionDocument is what an intervention does, in the form that its type has.
type actionDocument sim.Intervention

// MarshalJSON implements json.Marshaler.
func (v actionDocument) MarshalJSON() ([]byte, error) {
	type member struct {
		name  string
		value any
	}
	var members []member
	for name, value := range sim.Intervention(v).Action() {
		members = append(members, member{name, value})
	}
	return orderedObject(len(members), func(i int) (string, any) { return members[i].name, members[i].value })
}

func newInterventionDocument(v sim.Intervention, i int, arm lab.ArmResult) interventionDocument {
	doc := interventionDocument{
		Type: v.Type, Description: v.Description, TargetMonth: v.TargetMonth, DurationMonths: v.DurationMonths,
		RampMonths: v.RampMonths, When: v.When, Until: v.Until, Parameters: actionDocument(v),
	}
	for _, r := range arm.Replications {
		doc.Began = append(doc.Began, r.Began[i])
	}
	panel := arm.Panel()
	for _, spans := range tables.NewInForce([]sim.Intervention{v}, each(doc.Began), panel, panel.Months())[0].Spans {
		doc.InForce = append(doc.InForce, append([]sim.Span{}, spans...))
	}
	return doc
}

// each is a list of lists of one member.
func each(list []int) (lists [][]int) {
	for _, x := range list {
		lists = append(lists, []int{x})
	}
	return lists
}
