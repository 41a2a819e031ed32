package trials

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// StressedEconomy is what became of one economy.
type StressedEconomy struct {
	Name      string // of a preset, or what is changed
	Changes   []sim.ParameterChange
	Refused   string   // by the validator, and why; "" = simulated
	Months    int      // simulated after the burn-in
	Outgrown  bool     // ended early, as money cannot be added up exactly any more
	Failure   string   // why it ended early otherwise, as by the audit
	NotFinite []string // indicators that were infinite or absent in some month
	Found     []sim.Implausible
	Warnings  int // that a run gives of what was found

	scenario scenario.Scenario
}

// sound says whether the books balanced in each month that was simulated, and all indicators were finite.
func (e *StressedEconomy) sound() bool { return e.Failure == "" && e.NotFinite == nil }

// StressReport is table D of docs/VALIDATION.md.
type StressReport struct {
	Setting
	Parameters int               // live numeric ones
	Of         int               // pairs of range ends that there are
	Pairs      []StressedEconomy // that were drawn
	Known      []StressedEconomy // baseline and presets

	Command string // that made it, for Markdown; the caller's
}

// StressRow is something that has to hold of all economies.
type StressRow struct {
	Name string `json:"name"`
	Met  int    `json:"met"`
	Of   int    `json:"of"`
}

// Pass says whether it holds.
func (r StressRow) Pass() bool { return r.Met == r.Of }

// Verdict says it in a word.
func (r StressRow) Verdict() string {
	if r.Pass() {
		return VerdictPass
	}
	return VerdictOpen
}

// count counts the economies that are simulated and, of these, those that meet something.
func count(list []StressedEconomy, counts, meets func(*StressedEconomy) bool) (met, of int) {
	for i := range list {
		if e := &list[i]; e.Refused == "" && counts(e) {
			of++
			if meets(e) {
				met++
			}
		}
	}
	return met, of
}

func all(*StressedEconomy) bool { return true }

func (e *StressedEconomy) implausible() bool { return e.Found != nil }

// Rows are what has to hold.
func (r *StressReport) Rows() []StressRow {
	row := func(name string, list []StressedEconomy, counts, meets func(*StressedEconomy) bool) StressRow {
		met, of := count(list, counts, meets)
		return StressRow{name, met, of}
	}
	everything := slices.Concat(r.Pairs, r.Known)
	return []StressRow{
		row("books balance and indicators are finite in every month simulated", everything, all, (*StressedEconomy).sound),
		row("implausible economies of which a run warns", everything, (*StressedEconomy).implausible,
			func(e *StressedEconomy) bool { return e.Warnings == len(e.Found) }),
		row("baseline and presets without a warning", r.Known, all, func(e *StressedEconomy) bool { return e.Warnings == 0 }),
	}
}

// Refused counts the pairs that the validator refuses.
func (r *StressReport) Refused() (n int) {
	for _, e := range r.Pairs {
		if e.Refused != "" {
			n++
		}
	}
	return n
}

// Outgrown counts the economies whose money outgrew the program.
func (r *StressReport) Outgrown() int {
	met, _ := count(slices.Concat(r.Pairs, r.Known), all, func(e *StressedEconomy) bool { return e.Outgrown })
	return met
}

// StressCount is of how many pairs a kind was found.
type StressCount struct {
	Kind  sim.ImplausibleKind
	Pairs int
	Worst []StressedFinding // the worst first
}

// StressedFinding is something found in an economy.
type StressedFinding struct {
	Economy string
	sim.Implausible
}

// worstShown is how many of the worst economies of each kind are listed.
const worstShown = 3

// Counts are the kinds of findings among the pairs.
func (r *StressReport) Counts() (list []StressCount) {
	for kind := range sim.NumImplausibleKinds {
		c := StressCount{Kind: kind}
		for _, e := range r.Pairs {
			for _, f := range e.Found {
				if f.Kind == kind {
					c.Worst = append(c.Worst, StressedFinding{e.Name, f})
				}
			}
		}
		c.Pairs = len(c.Worst)
		slices.SortStableFunc(c.Worst, func(a, b StressedFinding) int {
			return cmp.Compare(math.Abs(b.Worst), math.Abs(a.Worst))
		})
		c.Worst = c.Worst[:min(len(c.Worst), worstShown)]
		list = append(list, c)
	}
	return list
}

// ImplausiblePairs counts the pairs in which anything was found, of those simulated.
func (r *StressReport) ImplausiblePairs() (n, of int) {
	return count(r.Pairs, all, (*StressedEconomy).implausible)
}

// StressedEnd is an end of a range: in how many pairs it was simulated, and in how many of them the economy was implausible.
type StressedEnd struct {
	Parameter   string  `json:"parameter"`
	Value       float64 `json:"value"`
	Implausible int     `json:"implausible"`
	Pairs       int     `json:"pairs"`
}

// Ends are the ends of ranges that were in an implausible economy, the most frequent first.
func (r *StressReport) Ends() (list []StressedEnd) {
	at := map[rangeEnd]int{}
	for _, e := range r.Pairs {
		if e.Refused != "" {
			continue
		}
		for _, change := range e.Changes {
			end := rangeEnd{change.Name, change.Value.(float64)}
			k, known := at[end]
			if !known {
				k = len(list)
				at[end], list = k, append(list, StressedEnd{Parameter: end.name, Value: end.value})
			}
			list[k].Pairs++
			if e.implausible() {
				list[k].Implausible++
			}
		}
	}
	list = slices.DeleteFunc(list, func(e StressedEnd) bool { return e.Implausible == 0 })
	slices.SortStableFunc(list, func(a, b StressedEnd) int {
		return cmp.Or(cmp.Compare(b.Implausible, a.Implausible), cmp.Compare(a.Pairs, b.Pairs), cmp.Compare(a.Parameter, b.Parameter),
			cmp.Compare(a.Value, b.Value))
	})
	return list
}

// endsShown is how many ends of ranges a text lists.
const endsShown = 15

// MarshalJSON implements [json.Marshaler].
func (e StressedEconomy) MarshalJSON() ([]byte, error) {
	changes := map[string]any{}
	for _, c := range e.Changes {
		changes[c.Name] = c.Value
	}
	return json.Marshal(struct {
		Name      string            `json:"name"`
		Changes   map[string]any    `json:"changes,omitempty"`
		Refused   string            `json:"refused,omitempty"`
		Months    int               `json:"months"`
		Outgrown  bool              `json:"money_outgrown"`
		Failure   string            `json:"failure,omitempty"`
		NotFinite []string          `json:"not_finite"`
		Found     []stressedFinding `json:"implausible"`
		Warnings  int               `json:"warnings"`
	}{e.Name, changes, e.Refused, e.Months, e.Outgrown, e.Failure, append([]string{}, e.NotFinite...), findings(e.Found), e.Warnings})
}

// stressedFinding is the JSON form of a finding.
type stressedFinding struct {
	Finding string       `json:"finding"`
	Month   int          `json:"first_month"`
	Worst   stats.Number `json:"worst"`
	Unit    string       `json:"unit"`
}

func findings(found []sim.Implausible) []stressedFinding {
	list := []stressedFinding{}
	for _, f := range found {
		list = append(list, stressedFinding{f.Kind.String(), f.Month, stats.Number(f.Worst), f.Kind.Unit()})
	}
	return list
}

// MarshalJSON implements [json.Marshaler].
func (r *StressReport) MarshalJSON() ([]byte, error) {
	type row struct {
		StressRow
		Pass bool `json:"pass"`
	}
	var rows []row
	for _, x := range r.Rows() {
		rows = append(rows, row{x, x.Pass()})
	}
	counts := map[string]int{}
	for _, c := range r.Counts() {
		counts[c.Kind.String()] = c.Pairs
	}
	implausible, simulated := r.ImplausiblePairs()
	return json.Marshal(struct {
		Rows        []row             `json:"rows"`
		Drawn       int               `json:"pairs_drawn"`
		Of          int               `json:"pairs_of"`
		Refused     int               `json:"pairs_refused"`
		Simulated   int               `json:"pairs_simulated"`
		Implausible int               `json:"pairs_implausible"`
		Outgrown    int               `json:"money_outgrown"`
		Findings    map[string]int    `json:"findings"`
		Ends        []StressedEnd     `json:"range_ends"`
		Pairs       []StressedEconomy `json:"pairs"`
		Known       []StressedEconomy `json:"baseline_and_presets"`
		Setting
	}{
		rows, len(r.Pairs), r.Of, r.Refused(), simulated, implausible, r.Outgrown(), counts, append([]StressedEnd{}, r.Ends()...),
		r.Pairs, r.Known, r.Setting,
	})
}

// DrawnText says how many pairs were drawn, and what became of them.
func (r *StressReport) DrawnText() string {
	implausible, simulated := r.ImplausiblePairs()
	return fmt.Sprintf("%d of %d pairs of range ends of %d live numeric parameters were drawn; %d are refused by the validator, "+
		"%d of the other %d are implausible. In %d economies, presets included, money outgrew the program: their last years "+
		"are missing.%s",
		len(r.Pairs), r.Of, r.Parameters, r.Refused(), implausible, simulated, r.Outgrown(), r.unseen())
}

// unseen says how many of the pairs that were not drawn may be unsound where none of those drawn is: the upper end
// of the exact interval of Clopper and Pearson (1934), one-sided.
func (r *StressReport) unseen() string {
	sound, of := count(r.Pairs, all, (*StressedEconomy).sound)
	if of == 0 || sound < of || len(r.Pairs) == r.Of {
		return ""
	}
	return fmt.Sprintf(" As few pairs as were drawn leave it open whether up to %.2g %% of all are unsound (95 %%).",
		100*(1-math.Pow(.05, 1/float64(of))))
}

// Problems are the economies that failed, were refused or were not finite, and those of the presets that ended early
// or are implausible, a line each.
func (r *StressReport) Problems() (list []string) {
	say := func(e StressedEconomy, what, why string) {
		list = append(list, fmt.Sprintf("%s: %s: %s", e.Name, what, why))
	}
	for _, e := range slices.Concat(r.Known, r.Pairs) {
		if e.Refused != "" {
			say(e, "refused", e.Refused)
		}
		if e.Failure != "" {
			say(e, "failed", e.Failure)
		}
		if e.NotFinite != nil {
			say(e, "not finite", strings.Join(e.NotFinite, ", "))
		}
	}
	for _, e := range r.Known {
		if e.Outgrown {
			say(e, "ended early", fmt.Sprintf("money outgrew the program after month %d", e.Months))
		}
		for _, f := range e.Found {
			say(e, "implausible", f.Reason().EN)
		}
	}
	return list
}

// Markdown is the section of docs/VALIDATION.md. The same command on the same model gives the same text.
func (r *StressReport) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Stress\n\nTwo live parameters at ends of their ranges from month 1, the others as in `%s`; and every preset as it is.", r.Scenario)
	if r.Command != "" {
		fmt.Fprintf(&b, " Generated by `%s`; do not edit.", r.Command)
	}
	fmt.Fprintf(&b, " %s %s\n\n", r.Setting.markdown(), r.DrawnText())
	b.WriteString("| row | met | verdict |\n|---|---|---|\n")
	for _, row := range r.Rows() {
		fmt.Fprintf(&b, "| %s | %d of %d | %s |\n", row.Name, row.Met, row.Of, row.Verdict())
	}
	b.WriteString("\nAn implausible economy is no error: its books balance, and runs warn of it. Findings, with the worst pairs:\n\n" +
		"| finding | pairs | worst pairs | first month | worst value |\n|---|---|---|---|---|\n")
	for _, c := range r.Counts() {
		name, pairs := c.Kind.String(), fmt.Sprint(c.Pairs)
		if c.Pairs == 0 {
			fmt.Fprintf(&b, "| %s | 0 | | | |\n", name)
		}
		for _, f := range c.Worst {
			fmt.Fprintf(&b, "| %s | %s | %s | %d | %s %s |\n", name, pairs, f.Economy, f.Month, Figure(f.Worst), c.Kind.Unit())
			name, pairs = "", ""
		}
	}
	b.WriteString("\nRange ends that are most often in an implausible pair:\n\n| parameter | value | implausible | pairs |\n|---|---|---|---|\n")
	for _, e := range r.Ends()[:min(len(r.Ends()), endsShown)] {
		fmt.Fprintf(&b, "| `%s` | %g | %d | %d |\n", e.Parameter, e.Value, e.Implausible, e.Pairs)
	}
	if problems := r.Problems(); problems != nil {
		b.WriteString("\nWhat did not go through, or should not be implausible:\n\n")
		for _, text := range problems {
			fmt.Fprintf(&b, "- %s\n", text)
		}
	}
	return b.String()
}
