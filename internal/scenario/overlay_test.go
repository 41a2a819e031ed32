package scenario_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

func TestOverlay(t *testing.T) {
	base := mustDecode(t, `description: base
parameters: {vat_rate: 0.3, num_households: 5000, income_tax_rate: 0.3}
burn_in: {parameters: {vat_rate: 0.2}}
interventions: [{target_month: 3, parameters: {vat_rate: 0.1}}]
bands: [{statistic: labour share, low: 0.5, high: 0.6, source: here}]
`)
	for _, c := range []struct {
		name, text               string
		vat, vatBurnIn, taxes    float64
		households, planned      int
		named                    []string
		description, bandsSource string
	}{
		{"nothing", "{}", .3, .2, .3, 5000, 1, nil, "", "here"},
		{"a default that is named", "parameters: {vat_rate: 0.08}", .08, .2, .3, 5000, 1, []string{"vat_rate"}, "", "here"},
		{
			"sizes hold in the burn-in too", "description: d\nparameters: {num_households: 6000, vat_rate: 0.1}", .1, .2, .3, 6000, 1,
			[]string{"num_households", "vat_rate"}, "d", "here",
		},
		{"its own burn-in", "parameters: {vat_rate: 0.1}\nburn_in: {own: true}", .1, .1, .3, 5000, 1, []string{"vat_rate"}, "", "here"},
		{"the burn-in alone", "burn_in: {parameters: {vat_rate: 0.05}}", .3, .05, .3, 5000, 1, nil, "", "here"},
		{"more is planned", "interventions: [{target_month: 9, parameters: {vat_rate: 0.1}}]", .3, .2, .3, 5000, 2, nil, "", "here"},
		{"other bands", "bands: [{statistic: labour share, low: 0.4, high: 0.6, source: there}]", .3, .2, .3, 5000, 1, nil, "", "there"},
	} {
		before := base
		s, named, err := scenario.Overlay(base, "over", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.Params.VATRate != c.vat || s.BurnIn.VATRate != c.vatBurnIn || s.Params.IncomeTaxRate != c.taxes ||
			s.Params.NumHouseholds != c.households ||
			s.BurnIn.NumHouseholds != c.households || len(s.Interventions) != c.planned || !slices.Equal(named, c.named) ||
			s.Name != "over" || s.Description != c.description ||
			s.Bands[0].Source != c.bandsSource {
			t.Errorf("%s: names %q, %+v", c.name, named, s)
		}
		if !reflect.DeepEqual(base, before) {
			t.Errorf("%s: base changed", c.name)
		}
	}
}

func TestOverlayOfTooManyInterventions(t *testing.T) {
	base := scenario.New("", sim.Defaults())
	for range sim.MaxInterventions {
		base.Interventions = append(
			base.Interventions,
			sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1, Policy: sim.PolicyChange{Policy: "stimulus", Level: .01}},
		)
	}
	_, _, err := scenario.Overlay(base, "over", []byte("interventions: [{target_month: 9, parameters: {vat_rate: 0.1}}]"))
	if err == nil || !strings.HasPrefix(err.Error(), "limit_exceeded: ") || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
}

// When a scenario was made is a word about it: it survives, and is no part of the hash.
func TestCreatedAt(t *testing.T) {
	s := scenario.New("a", sim.Defaults())
	hash := s.Hash()
	s.CreatedAt = time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("", 2*3600))
	got := mustDecode(t, string(s.Encode()))
	if want := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC); !got.CreatedAt.Equal(want) || got.Hash() != hash {
		t.Errorf("created at %v", got.CreatedAt)
	}
	for _, text := range []string{"created_at: yesterday", "created_at: 2026-05-01", "created_at: [2026-05-01T10:00:00Z]", "created_at: 7"} {
		if _, err := scenario.Decode("a", []byte(text)); err == nil || !strings.Contains(err.Error(), "(line 1, column 13)") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestEncodeOnly(t *testing.T) {
	p := sim.Defaults()
	p.VATRate, p.MonitorInterval = .1, 6
	s := scenario.New("a", p)
	text := string(s.EncodeOnly([]string{"vat_rate", "tax_allowance", "monitor_interval"}))
	if got := mustDecode(t, text); got.Params != p || strings.Count(text, ": ") != 3 {
		t.Errorf("%s", text)
	}
}

func TestWithParams(t *testing.T) {
	s := mustDecode(t, "parameters: {vat_rate: 0.1}\nburn_in: {own: true}")
	p := sim.Defaults()
	p.VATRate, p.NumHouseholds = .2, 5000
	got := s.WithParams(p)
	if got.Params != p || got.BurnIn.VATRate != .1 || got.BurnIn.NumHouseholds != 5000 || s.Params.VATRate != .1 {
		t.Errorf("burn-in %v %v", got.BurnIn.VATRate, got.BurnIn.NumHouseholds)
	}
}
