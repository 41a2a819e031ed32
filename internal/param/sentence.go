package param

import (
	"fmt"
	"strings"

	"econ-mcp/sim"
)

// Sentence says in one line what an intervention does and when, such as "parameter_change
// from month 13 for 24 months, over 6 months: vat_rate = 0.15". It has at most 300 letters.
func Sentence(v sim.Intervention) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from month %d", v.Type, v.TargetMonth)
	if v.When != "" {
		fmt.Fprintf(&b, " when %s", v.When)
	}
	if v.DurationMonths > 0 {
		fmt.Fprintf(&b, " for %d months", v.DurationMonths)
	}
	if v.RampMonths > 1 {
		fmt.Fprintf(&b, ", over %d months", v.RampMonths)
	}
	b.WriteString(": ")
	switch v.Type {
	case sim.TypePolicy:
		fmt.Fprintf(&b, "%s at %v", v.Policy.Policy, v.Policy.Level)
	case sim.TypeShock:
		fmt.Fprintf(&b, "%s of %v, persistence %v", v.Shock.Shock, v.Shock.Size, v.Shock.Persistence)
		if v.Shock.Industry != "" {
			b.WriteString(", industry " + v.Shock.Industry)
		}
	case sim.TypeInjection:
		fmt.Fprintf(&b, "%v to %s", v.Injection.Amount, v.Injection.Group)
	default:
		for i, change := range v.Parameters {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s = %v", change.Name, change.Value)
		}
	}
	if v.Description != "" {
		b.WriteString(" (" + v.Description + ")")
	}
	const most = 300
	if r := []rune(b.String()); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return b.String()
}
