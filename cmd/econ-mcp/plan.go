package main

import (
	"econ-mcp/internal/lab"
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
	Parameters     actionDocument       `json:"parameters"`
	Began          []int                `json:"began"` // by replication; 0 where the condition was never met
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
		RampMonths: v.RampMonths, When: v.When, Parameters: actionDocument(v),
	}
	for _, r := range arm.Replications {
		doc.Began = append(doc.Began, r.Began[i])
	}
	return doc
}
