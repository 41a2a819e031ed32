package design_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/design"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

// inForce are the parameters of the first month, and what comes later.
func inForce(s scenario.Scenario) (sim.Params, []sim.Intervention) {
	p := s.Params
	var later []sim.Intervention
	for _, v := range s.Interventions {
		v.Parameters = slices.SortedFunc(slices.Values(v.Parameters), func(a, b sim.ParameterChange) int { return strings.Compare(a.Name, b.Name) })
		if v.Description = ""; v.Type == sim.TypeParameterChange && v.TargetMonth == 1 && v.DurationMonths == 0 && v.RampMonths <= 1 && v.When == "" {
			p = v.Applied(p)
		} else {
			later = append(later, v)
		}
	}
	return p, later
}

// What a question becomes can be written as an inquiry, read again, and is the same experiment.
func TestInquiryOfAReading(t *testing.T) {
	questions, err := design.Questions()
	if err != nil {
		t.Fatal(err)
	}
	base, err := presets.Load("baseline")
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for _, l := range questions {
		p, err := design.Read(l.Question, base)
		if err != nil || len(p.Levers) == 0 {
			continue
		}
		control, treatment, err := p.Arms()
		if err != nil || control.Hash() == treatment.Hash() {
			continue
		}
		written++
		d := inquiry.Design{
			Months: p.Length(), Replications: 20, Seed: 1, BurnIn: base.BurnIn.BurnInMonths, Family: "t", Confidence: .95,
		}
		text := p.Inquiry(d, nil).Encode()
		q, err := inquiry.Decode(text)
		if err != nil {
			t.Errorf("%s: %v in\n%s", l.Question, err, text)
			continue
		}
		arms, err := q.Scenarios(builtIn{})
		if err != nil || len(arms) != 2 {
			t.Errorf("%s: %v, %d arms of\n%s", l.Question, err, len(arms), text)
			continue
		}
		for k, want := range []scenario.Scenario{control, treatment} {
			wantParams, wantLater := inForce(want)
			got := arms[k].Scenario
			params, later := inForce(got)
			if differ := sim.Diff(wantParams, params); len(differ) > 0 || !reflect.DeepEqual(wantLater, later) {
				t.Errorf("%s, arm %d: other values of %v, later %v, want %v in\n%s", l.Question, k, differ, later, wantLater, text)
			}
			if k == 0 && !slices.Equal(sim.Diff(want.BurnIn, got.BurnIn), nil) {
				t.Errorf("%s: another burn-in: %v", l.Question, sim.Diff(want.BurnIn, got.BurnIn))
			}
		}
	}
	if written < 100 {
		t.Errorf("%d questions were written as inquiries", written)
	}
}
