// Package scenario reads and writes scenarios: all parameters of an experiment
// and of the burn-in that precedes it, and the interventions planned in it.
//
// A scenario file is strict YAML. It may leave out whatever equals the
// catalogue's default:
//
//	description: VAT at ten percent
//	source: stylised
//	created_at: 2026-05-01T10:00:00Z
//	parameters:
//	  vat_rate: 0.1
//	burn_in: {own: true}
//	interventions:
//	  - target_month: 25
//	    duration_months: 24
//	    ramp_months: 6
//	    parameters: {vat_rate: 0.15}
//	  - type: policy
//	    when: unemployment_rate > 8%        # once, or with until again and again
//	    until: unemployment_rate < 6.5%
//	    target_month: 1
//	    parameters: {policy: job_retention, level: 0.5}
//	bands:
//	  - {statistic: labour share, low: 0.55, high: 0.65, source: "Penn World Table, 2019"}
//
// Without burn_in, an economy is burnt in with its own sizes and start values
// and the default policy and behaviour, so that an experiment starts with the
// change. With {own: true} the burn-in has all of the experiment's values, and
// {parameters: {…}} sets live parameters of the burn-in one by one.
package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"econ-mcp/sim"
)

// Scenario is an immutable description of one economy.
type Scenario struct {
	Name          string
	Description   string
	DescriptionZH string
	Source        string
	CreatedAt     time.Time  // zero where a file does not say; no part of the hash
	Params        sim.Params // of the experiment
	BurnIn        sim.Params // in force during burn-in
	Interventions []sim.Intervention
	Bands         []Band // of facts that the economy stands for; no part of the hash
}

// Band is the range that a statistic of the table of facts should lie in, in the place of
// the general one: what is known of the country that a scenario is like.
type Band struct {
	Statistic string // its name in the table
	Low, High float64
	Source    string // with the year, and how sure it is
}

// New makes a scenario with the burn-in that a file without burn_in has.
func New(name string, p sim.Params) Scenario {
	return Scenario{Name: name, Params: p, BurnIn: defaultBurnIn(p)}
}

// Validate checks the parameters of the experiment and of the burn-in.
func (s Scenario) Validate() error {
	if err := s.Params.Validate(); err != nil {
		return err
	}
	return s.BurnIn.Validate()
}

// Hash identifies the economy: it covers all parameters of experiment and
// burn-in but the technical ones, what is planned and not cancelled, and none of the words.
func (s Scenario) Hash() string {
	text := make([]byte, 0, hashedBytes)
	for k := range catalogue {
		row := &catalogue[k]
		if row.Technical {
			continue
		}
		text = appendParameter(text, "", row, &s.Params)
		if row.Live {
			text = appendParameter(text, "burn_in.", row, &s.BurnIn)
		}
	}
	b := bytes.NewBuffer(text)
	for _, v := range s.Interventions {
		if v.Cancelled {
			continue
		}
		fmt.Fprintf(b, "intervention=%s,%d,%d,%d,%q\n", v.Type, v.TargetMonth, v.DurationMonths, max(1, v.RampMonths), v.When)
		if v.Until != "" {
			fmt.Fprintf(b, "until=%q\n", v.Until)
		}
		fmt.Fprintf(b, "policy=%s,%s\nshock=%s,%s,%s,%s\ninjection=%s,%s\n", v.Policy.Policy, Text(v.Policy.Level),
			v.Shock.Shock, Text(v.Shock.Size), Text(v.Shock.Persistence), v.Shock.Industry, v.Injection.Group, Text(v.Injection.Amount))
		byName := func(a, b sim.ParameterChange) int { return strings.Compare(a.Name, b.Name) }
		for _, change := range slices.SortedFunc(slices.Values(v.Parameters), byName) {
			fmt.Fprintf(b, "%s=%s\n", change.Name, Text(change.Value))
		}
	}
	return digest(b.Bytes())
}

// BurnInKey identifies the state at the end of the burn-in with the given seed:
// scenarios with the same key may start from the same state.
func (s Scenario) BurnInKey(seed uint64) string {
	text := fmt.Appendf(make([]byte, 0, hashedBytes), "model=%s\nseed=%d\n", sim.ModelVersion, seed)
	for k := range catalogue {
		row := &catalogue[k]
		if row.Technical || row.Name == "num_iterations" || row.Name == "random_state" {
			continue
		}
		text = appendParameter(text, "", row, &s.BurnIn)
	}
	return digest(text)
}

// catalogue is held once: a sweep hashes tens of thousands of scenarios.
var catalogue = sim.Catalogue()

// hashedBytes is about how long the text is that is hashed.
const hashedBytes = 1 << 14

// appendParameter appends a line of the text that is hashed.
func appendParameter(text []byte, prefix string, row *sim.Parameter, p *sim.Params) []byte {
	text = append(append(append(text, prefix...), row.Name...), '=')
	return append(row.Append(text, p), '\n')
}

// defaultBurnIn has the experiment's sizes and start values and the default of
// everything that may change while a simulation runs.
func defaultBurnIn(p sim.Params) sim.Params { return burnInOf(p, sim.Defaults()) }

// burnInOf has the experiment's values of what cannot change while a simulation runs, and
// base's of what can.
func burnInOf(p, base sim.Params) sim.Params {
	for k := range catalogue {
		if row := &catalogue[k]; row.Live {
			row.Copy(&p, &base)
		}
	}
	return p
}

// WithParams is the scenario with other parameters of the experiment. Its burn-in keeps
// its live parameters and takes the others from p.
func (s Scenario) WithParams(p sim.Params) Scenario {
	s.Params, s.BurnIn = p, burnInOf(p, s.BurnIn)
	return s
}

// Text is the canonical form of a parameter's value: the shortest decimal that
// reads back as the same number.
func Text(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
