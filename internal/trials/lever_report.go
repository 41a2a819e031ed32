package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// The usual numbers of seeds of a [LeverStudy].
const (
	LeverReplications = 20
	SignReplications  = 30
)

// LeverStudy measures the named signs and the levers of the catalogue.
type LeverStudy struct {
	Base             sim.Params // sizes, seed, burn-in and threads; the rest at its default
	Only             []string   // parameters; empty = the named signs and all parameters
	SignsOnly        bool       // the named signs alone
	Replications     int        // of each lever
	SignReplications int        // of each named sign
	Cache            run.Cache
	Progress         func(run.Progress) // may be nil
}

// LeverReport is what a study found.
type LeverReport struct {
	Signs            []LeverEffect
	Levers           []LeverEffect // in the order of the catalogue
	Technical        []sim.Parameter
	ModelVersion     string
	Base             sim.Params
	Replications     int
	SignReplications int

	Command string // that made it, for Markdown; the caller's
}

// Run measures signs and levers under one count of months.
func (s LeverStudy) Run(ctx context.Context) (*LeverReport, error) {
	out := &LeverReport{ModelVersion: sim.ModelVersion, Base: s.Base, Replications: s.Replications, SignReplications: s.SignReplications}
	if s.SignsOnly && len(s.Only) > 0 {
		return nil, fault.New(fault.Conflict, "--signs", "--signs and --only both choose what to measure; use one of them")
	}
	plan := &leverPlan{LeverStudy: s, known: make(map[string]leverSide)}
	if len(s.Only) == 0 {
		if err := plan.add(Signs(), s.SignReplications); err != nil {
			return nil, err
		}
	}
	signs := len(plan.levers)
	if !s.SignsOnly {
		levers, err := LeversFor(s.Only)
		if err != nil {
			return nil, err
		}
		if err := plan.add(levers, s.Replications); err != nil {
			return nil, err
		}
	}
	effects, err := plan.run(ctx)
	if err != nil {
		return nil, err
	}
	out.Signs, out.Levers = effects[:signs], effects[signs:]
	if len(s.Only) == 0 && !s.SignsOnly {
		for _, row := range sim.Catalogue() {
			if row.Technical {
				out.Technical = append(out.Technical, row)
			}
		}
	}
	return out, nil
}

// Telling are the effects to name first: at most n of those whose interval
// excludes zero, or with one pair the largest.
func (e LeverEffect) Telling(n int) []inference.Effect {
	var out []inference.Effect
	for _, effect := range e.Effects {
		if len(out) == n {
			break
		}
		if effect.CILow > 0 || effect.CIHigh < 0 || math.IsNaN(effect.CILow) && effect.Difference != 0 && !math.IsNaN(effect.Difference) {
			out = append(out, effect)
		}
	}
	return out
}

// Change says from what to what, and around what else.
func (e LeverEffect) Change() string {
	text := fmt.Sprintf("%s → %s", valueText(e.From), valueText(e.To))
	for i, c := range e.Context {
		text += []string{", with ", ", "}[min(i, 1)] + c.Name + " = " + valueText(c.Value)
	}
	return text
}

// WindowText says in which months the effect is measured.
func (e LeverEffect) WindowText() string {
	return fmt.Sprintf("%d–%d", e.Months.From, e.Months.To)
}

func valueText(v any) string {
	switch v := v.(type) {
	case float64:
		return minus(strconv.FormatFloat(v, 'f', -1, 64))
	case int:
		return minus(strconv.Itoa(v))
	}
	return fmt.Sprint(v)
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// EffectText is an effect with its interval: in percentage points for rates
// and shares, in units for coefficients, in percent of the control for the rest.
func EffectText(e inference.Effect) string {
	value, low, high, unit := e.Difference, e.CILow, e.CIHigh, ""
	switch {
	case strings.HasPrefix(e.Unit, "share"):
		value, low, high, unit = 100*value, 100*low, 100*high, " pp"
	case e.Unit == "0 to 1" || math.IsNaN(e.Control) || e.Control == 0:
	default:
		value, low, high, unit = e.Relative.Mean, e.Relative.Low, e.Relative.High, " %"
	}
	text := signif(value, true) + unit
	if !math.IsNaN(low) {
		text += " (" + signif(low, false) + " to " + signif(high, false) + ")"
	}
	return text
}

// signif shows three significant digits, at most four decimals.
func signif(x float64, plus bool) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	decimals := 4
	if x != 0 {
		decimals = min(max(2-int(math.Floor(math.Log10(math.Abs(x)))), 0), 4)
	}
	s := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	switch {
	case strings.Trim(s, "0.") == "":
		return "0"
	case x < 0:
		return "−" + s
	case plus:
		return "+" + s
	}
	return s
}

// Verdicts counts the checks by verdict.
func Verdicts(effects []LeverEffect) map[string]int {
	count := make(map[string]int)
	for _, e := range effects {
		for _, c := range e.Checks {
			count[c.Verdict]++
		}
		if e.Band != nil {
			count[e.MultiplierVerdict]++
		}
	}
	return count
}

// Markdown is the text of docs/LEVERS.md. It holds no times, so that the same
// command on the same model gives the same text.
func (r LeverReport) Markdown() string {
	var b strings.Builder
	b.WriteString("# Levers\n\nWhat each parameter does: for a documented change of every parameter, the effect on the headline " +
		"indicators.\n\n")
	if r.Command != "" {
		fmt.Fprintf(&b, "Generated by `%s`; do not edit. The settings and what is expected of them stand in "+
			"`internal/trials/lever_table*.go`.\n\n", r.Command)
	}
	fmt.Fprintf(
		&b, "| setting | value |\n|---|---|\n| model version | %s |\n| households | %d |\n| months of burn-in | %d |\n", r.ModelVersion,
		r.Base.NumHouseholds, r.Base.BurnInMonths,
	)
	fmt.Fprintf(&b, "| seeds, from %d | %d; %d for the signs |\n\n", r.Base.RandomState, r.Replications, r.SignReplications)
	r.writeHowToRead(&b)
	if len(r.Signs) > 0 {
		r.writeSigns(&b)
	}
	category := ""
	for _, e := range r.Levers {
		if e.Row.Category != category {
			category = e.Row.Category
			fmt.Fprintf(&b, "\n## %s\n\n| parameter | change | months | moved | what moved most | expected | verdict "+
				"|\n|---|---|---|---|---|---|---|\n", category)
		}
		e.writeRow(&b)
	}
	if len(r.Technical) > 0 {
		b.WriteString("\n## Technical\n\nThese change how a simulation is carried out and none of its results.\n\n| parameter | " +
			"meaning |\n|---|---|\n")
		for _, row := range r.Technical {
			fmt.Fprintf(&b, "| `%s` | %s |\n", row.Name, row.Meaning)
		}
	}
	writeReasons(&b, r.Signs, r.Levers)
	if len(r.Signs) > 0 {
		b.WriteString(leverReferences)
	}
	return b.String()
}

func (r LeverReport) writeHowToRead(b *strings.Builder) {
	fmt.Fprintf(b, `## How to read this

Control and treatment have the same seeds and so the same random draws, and start from the
same burnt-in state, unless the parameter cannot change during a run (marked *own burn-in*: then the
treatment lives with its value from the start). *Change* gives the value in the control and in
the treatment; what stands after "with" holds in both. *Months* are those of the experiment over
which both are averaged. Effects are the means of the differences seed by seed, with Student's
95 %% intervals, wider where the differences are skewed: in percentage points (pp) for rates and shares, in units of the coefficient for
Gini coefficients and the like, in percent of the control's mean for all others (in their own
unit where that mean is zero).

*Moved* counts the indicators whose interval excludes zero, of those that vary. About one in
twenty would by chance; `+"`random_state`"+` changes nothing but the random draws and shows how that
looks. *What moved most* lists up to four of them, ordered by a moderated t statistic
(`+"`internal/inference/rank.go`"+`).

*Expected* is the sign that the literature has for the outcome, with its source; *accounting*
and *by construction* mean that it follows from identities or from what the parameter is;
*stylised* that it is common opinion. The verdict is *as expected* when the whole interval has
that sign, *otherwise* when it has the other one, and *inconclusive* when it holds zero. The
reasons for what is not as expected stand at the end.

`)
}

func (r LeverReport) writeSigns(b *strings.Builder) {
	count := Verdicts(r.Signs)
	fmt.Fprintf(
		b, "## The signs\n\n%d as expected, %d inconclusive, %d otherwise, on %d seeds.\n\n", count[VerdictExpected], count[VerdictInconclusive],
		count[VerdictOtherwise], r.SignReplications,
	)
	b.WriteString("| claim | change | months | outcome | effect | verdict | source |\n|---|---|---|---|---|---|---|\n")
	for _, e := range r.Signs {
		claim, change, window := e.Claim, "`"+e.Parameter+"` "+e.Change(), e.WindowText()
		for _, c := range e.Checks {
			fmt.Fprintf(
				b, "| %s | %s | %s | `%s` %s | %s | %s | %s |\n", claim, change, window, c.Effect.Metric, c.Sign, EffectText(c.Effect),
				marked(c.Verdict), c.Source,
			)
			claim, change, window = "", "", ""
		}
		if e.Band != nil {
			fmt.Fprintf(b, "|  |  |  | multiplier within %s to %s | %s | %s | change of `real_gdp` / change of real purchases |\n",
				valueText(e.Band.Low), valueText(e.Band.High), EffectText(e.Multiplier), marked(e.MultiplierVerdict))
		}
	}
}

func marked(verdict string) string {
	if verdict == VerdictExpected {
		return verdict
	}
	return "**" + verdict + "**"
}

func (e LeverEffect) writeRow(b *strings.Builder) {
	name := "`" + e.Parameter + "`"
	if e.Apart {
		name += " *own burn-in*"
	}
	change := e.Change()
	if e.Note != "" {
		change += " (" + e.Note + ")"
	}
	var most, expected, verdicts []string
	for _, effect := range e.Telling(4) {
		most = append(most, "`"+effect.Metric+"` "+EffectText(effect))
	}
	switch {
	case e.Dead:
		most = []string{"nothing at all"}
	case len(most) == 0:
		most = []string{"nothing told apart from chance"}
	}
	for _, c := range e.Checks {
		expected = append(expected, fmt.Sprintf("`%s` %s: %s", c.Effect.Metric, c.Sign, c.Source))
		verdicts = append(verdicts, fmt.Sprintf("%s: %s", marked(c.Verdict), EffectText(c.Effect)))
	}
	if e.Band != nil {
		expected = append(expected, fmt.Sprintf("multiplier within %s to %s", valueText(e.Band.Low), valueText(e.Band.High)))
		verdicts = append(verdicts, fmt.Sprintf("%s: %s", marked(e.MultiplierVerdict), EffectText(e.Multiplier)))
	}
	fmt.Fprintf(b, "| %s | %s | %s | %d of %d | %s | %s | %s |\n", name, change, e.WindowText(), e.Moved, e.Measured,
		strings.Join(most, "<br>"), strings.Join(expected, "<br>"), strings.Join(verdicts, "<br>"))
}

// writeReasons says why the model departs from what is expected, each reason
// once.
func writeReasons(b *strings.Builder, lists ...[]LeverEffect) {
	said := make(map[string]bool)
	for _, list := range lists {
		for _, e := range list {
			for _, c := range e.Checks {
				line := fmt.Sprintf("- `%s`, `%s` %s: ", e.Parameter, c.Effect.Metric, c.Sign) + c.Reason
				if c.Verdict == VerdictExpected || c.Verdict == VerdictNotComputed || c.Reason == "" || said[line] {
					continue
				}
				if len(said) == 0 {
					b.WriteString("\n## Where the model does not say what is expected, and why\n\n")
				}
				said[line] = true
				b.WriteString(line + ".\n")
			}
		}
	}
}

type leverDocument struct {
	Claim      string             `json:"claim,omitempty"`
	Parameter  string             `json:"parameter"`
	Category   string             `json:"category"`
	From       any                `json:"from"`
	To         any                `json:"to"`
	Context    map[string]any     `json:"context,omitempty"`
	FromMonth  int                `json:"from_month"`
	ToMonth    int                `json:"to_month"`
	OwnBurnIn  bool               `json:"own_burn_in"`
	Dead       bool               `json:"dead"`
	Moved      int                `json:"moved"`
	Measured   int                `json:"measured"`
	Checks     []checkDocument    `json:"checks"`
	Multiplier *inference.Effect  `json:"multiplier,omitempty"`
	Effects    []inference.Effect `json:"effects"`
}

type checkDocument struct {
	Outcome  string           `json:"outcome"`
	Expected string           `json:"expected"`
	Source   string           `json:"source"`
	Verdict  string           `json:"verdict"`
	Reason   string           `json:"reason,omitempty"`
	Effect   inference.Effect `json:"effect"`
}

func (e LeverEffect) document() leverDocument {
	d := leverDocument{
		Claim: e.Claim, Parameter: e.Parameter, Category: e.Row.Category, From: e.From, To: e.To,
		FromMonth: e.Months.From, ToMonth: e.Months.To, OwnBurnIn: e.Apart, Dead: e.Dead,
		Moved: e.Moved, Measured: e.Measured, Checks: []checkDocument{}, Effects: e.Effects,
	}
	for _, c := range e.Context {
		if d.Context == nil {
			d.Context = make(map[string]any)
		}
		d.Context[c.Name] = c.Value
	}
	for _, c := range e.Checks {
		d.Checks = append(d.Checks, checkDocument{c.Effect.Metric, c.Sign.String(), c.Source, c.Verdict, c.Reason, c.Effect})
	}
	if e.Band != nil {
		d.Multiplier = &e.Multiplier
	}
	return d
}

// MarshalJSON implements [json.Marshaler].
func (r LeverReport) MarshalJSON() ([]byte, error) {
	documents := func(effects []LeverEffect) []leverDocument {
		out := make([]leverDocument, len(effects))
		for i, e := range effects {
			out[i] = e.document()
		}
		return out
	}
	return json.Marshal(struct {
		ModelVersion     string          `json:"model_version"`
		Households       int             `json:"households"`
		BurnInMonths     int             `json:"burn_in_months"`
		Seed             int             `json:"seed"`
		Replications     int             `json:"replications"`
		SignReplications int             `json:"sign_replications"`
		Signs            []leverDocument `json:"signs"`
		Levers           []leverDocument `json:"levers"`
	}{
		r.ModelVersion, r.Base.NumHouseholds, r.Base.BurnInMonths, r.Base.RandomState,
		r.Replications, r.SignReplications, documents(r.Signs), documents(r.Levers),
	})
}
