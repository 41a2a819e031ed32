package main

import (
	"fmt"
	"slices"
	"strings"

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
	switch v.Type {
	case sim.TypePolicy:
		members = []member{{"policy", v.Policy.Policy}, {"level", v.Policy.Level}}
	case sim.TypeShock:
		members = []member{{"shock", v.Shock.Shock}, {"size", v.Shock.Size}, {"persistence", v.Shock.Persistence}}
		if v.Shock.Industry != "" {
			members = append(members, member{"industry", v.Shock.Industry})
		}
	case sim.TypeInjection:
		members = []member{{"group", v.Injection.Group}, {"amount", v.Injection.Amount}}
	}
	for _, change := range v.Parameters {
		members = append(members, member{change.Name, change.Value})
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

// beginnings are the months in which interventions of any arm begin, of those with a
// condition in the first replication.
func beginnings(arms []lab.ArmResult) []int {
	var months []int
	for _, arm := range arms {
		for _, month := range arm.Replications[0].Began {
			if month > 0 {
				months = append(months, month)
			}
		}
	}
	slices.Sort(months)
	return slices.Compact(months)
}

// interventionText says what is planned, such as "from month 13 to 36, in 6 steps:
// vat_rate 0.15".
func interventionText(v sim.Intervention) string {
	when := fmt.Sprintf("from month %d", v.TargetMonth)
	switch {
	case v.When != "":
		when = fmt.Sprintf("after a month from %d on with %s", v.TargetMonth, v.When)
		if v.DurationMonths > 0 {
			when += ", for " + plural(v.DurationMonths, "month")
		}
	case v.DurationMonths == 0 && v.OneMonth():
		when = fmt.Sprintf("in month %d", v.TargetMonth)
	case v.DurationMonths > 0:
		when += fmt.Sprintf(" to %d", v.TargetMonth+v.DurationMonths-1)
	}
	if v.RampMonths > 1 {
		when += fmt.Sprintf(", in %d steps", v.RampMonths)
	}
	var changes []string
	switch v.Type {
	case sim.TypePolicy:
		changes = append(changes, fmt.Sprintf("policy %s %v", v.Policy.Policy, v.Policy.Level))
	case sim.TypeShock:
		shock := v.Shock.Shock
		if v.Shock.Industry != "" {
			shock += " of industry " + v.Shock.Industry
		}
		changes = append(changes, fmt.Sprintf("shock %s %v, persistence %v", shock, v.Shock.Size, v.Shock.Persistence))
	case sim.TypeInjection:
		changes = append(changes, fmt.Sprintf("%v a head to %s", v.Injection.Amount, v.Injection.Group))
	}
	for _, change := range v.Parameters {
		changes = append(changes, fmt.Sprintf("%s %v", change.Name, change.Value))
	}
	return when + ": " + strings.Join(changes, ", ")
}
