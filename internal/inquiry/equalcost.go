package inquiry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// EqualCost asks for the number with which an arm costs the government as much as another does over a
// window. It is found before the experiment, on seeds of its own.
type EqualCost struct {
	Match, To string // arms: the number of the first is looked for
	By        string // where it stands, such as events[0].amount; what is written there is where the search begins
	Measure   string // [Net] or [Gross]
	Window    Window
}

// How cost is measured, in currency units of each month, added up over the window.
const (
	Net   = "net"   // what the balance of the budget is worse than the control's, with all feedback
	Gross = "gross" // what is paid out, and the revenue that lower rates forgo on the tax bases of the control
)

// What is simulated to find an equal cost: replications of the pilot, as few as make both costs known
// well enough, and numbers that are tried on them.
const (
	PilotFirst  = 8
	PilotMost   = 200
	PilotTrials = 15 // at most
)

// decodeEqualCost reads an equal cost, after the arms and the control.
func (q *Inquiry) decodeEqualCost(node *yaml.Node) error {
	if strict.IsNull(node) {
		return nil
	}
	c := &EqualCost{Measure: Net}
	var window *yaml.Node
	err := strict.Fields{"match": &c.Match, "to": &c.To, "by": &c.By, "measure": &c.Measure, "window": &window}.
		Read(node, "equal_cost", "match", "to", "by", "window")
	c.By = dotted.ReplaceAllString(c.By, "events[$1].")
	if err != nil {
		return err
	}
	at := func(key string) *yaml.Node { return valueOf(node, key) }
	if q.Control == ControlNone {
		return strict.At(fault.New(fault.Conflict, "control", "a cost is a difference from the control, and there is none").
			WithHint("leave control out, or name one"), node)
	}
	if !slices.Contains([]string{Net, Gross}, c.Measure) {
		return strict.At(fault.Range("measure", fmt.Sprintf("%.80q", c.Measure), Net, Gross), at("measure"))
	}
	names := q.names()[1:] // without the control, which costs nothing
	for _, arm := range []struct{ key, name string }{{"match", c.Match}, {"to", c.To}} {
		if !slices.Contains(names, arm.name) {
			return strict.At(fault.In(arm.key, fault.Unknown(fault.NotFound, "arm", arm.name, names)), at(arm.key))
		}
	}
	if c.Match == c.To {
		return strict.At(fault.New(fault.Conflict, "to", "%s is to cost as much as itself", c.To).WithHint("name two arms"), at("to"))
	}
	k := slices.IndexFunc(q.Arms, func(a Arm) bool { return a.Name == c.Match && a.Doses == nil })
	if k < 0 {
		return strict.At(fault.New(fault.Conflict, "match", "%s is a dose, whose value is given", c.Match).
			WithHint("match an arm of its own"), at("match"))
	}
	if c.Window, err = decodeWindow(window, q.Design.Months); err != nil {
		return err
	}
	p, err := placeIn(q.Arms[k], c.By)
	if err != nil {
		return strict.At(err, at("by"))
	}
	if x, _ := p.value(q.Arms[k]); x == 0 {
		return strict.At(fault.New(fault.Conflict, "by", "the search begins at what is written there, and that is 0").
			WithHint("write a first guess other than 0"), at("by"))
	}
	if p.event >= 0 && q.Arms[k].Events[p.event].TargetMonth > c.Window.To {
		return strict.At(fault.New(fault.Conflict, "window", "%s begins in month %d, after the window, within which it costs nothing", c.By,
			q.Arms[k].Events[p.event].TargetMonth).WithHint("end the window later"), window)
	}
	q.EqualCost = c
	return nil
}

func (c *EqualCost) node() *yaml.Node {
	if c == nil {
		return nil
	}
	n := flow(mapping())
	put(n, "match", word(c.Match))
	put(n, "to", word(c.To))
	put(n, "by", word(c.By))
	put(n, "measure", plain(c.Measure))
	put(n, "window", c.Window.node())
	return n
}

func (w Window) node() *yaml.Node {
	n := flow(&yaml.Node{Kind: yaml.SequenceNode})
	n.Content = []*yaml.Node{value(w.From), value(w.To)}
	return n
}

// Matched is the arm of the equal cost whose number is looked for, and the number: where it stands now,
// the bounds within which it may be moved, and its unit.
func (q Inquiry) Matched() (x, low, high float64, unit string) {
	a, p := q.matched()
	x, _ = p.value(a)
	low, high = p.bounds(a)
	if x < 0 { // a size below zero stays there
		return x, low, min(high, 0), p.unit(a)
	}
	return x, max(low, 0), high, p.unit(a)
}

func (q Inquiry) matched() (Arm, place) {
	k := slices.IndexFunc(q.Arms, func(a Arm) bool { return a.Name == q.EqualCost.Match })
	p, _ := placeIn(q.Arms[k], q.EqualCost.By) // which was checked
	return q.Arms[k], p
}

// WithMatched is the scenario of the arm that is matched with another number.
func (q Inquiry) WithMatched(s scenario.Scenario, x float64) (scenario.Scenario, error) {
	a, p := q.matched()
	return p.with(a, s, x)
}

// WithoutCost is the value of the number at which the arm is as the control. ok is false where there may be
// none: something else happens in the arm, or the number does something at 0, too.
func (q Inquiry) WithoutCost(control sim.Params) (x float64, ok bool) {
	a, p := q.matched()
	if a.own() || len(a.Set)+len(a.Events)+len(a.Rules) != 1 {
		return 0, false
	}
	if p.key == "set" {
		if p.event >= 0 && len(a.Events[p.event].Parameters) > 1 {
			return 0, false
		}
		value, err := control.Get(p.name)
		if err != nil {
			return 0, false
		}
		x, ok = value.(float64)
		return x, ok
	}
	v := a.Events[p.event]
	v.Policy.Level, v.Shock.Size = 0, 0
	return 0, v.Applied(control) == control
}

// saidEqualCost says what is made equal.
func (q Inquiry) saidEqualCost(language string) string {
	c := q.EqualCost
	if c == nil {
		return ""
	}
	x, _, _, unit := q.Matched()
	measure := words{"net: the budget balance against the control, with all feedback", "净成本：与对照组相比的财政余额差额，含全部反馈"}
	if c.Measure == Gross {
		measure = words{"gross: what is paid out, and the revenue forgone on the control's tax bases", "总成本：直接支出加上按对照组税基计算的减收"}
	}
	return sayf(language,
		"First a pilot on seeds of its own finds %s of %s, from %s on, so that it costs the government as much as %s in months %d–%d "+
			"(%s; nominal, added up): %d replications, or up to %d where these tell too little, and at most %d numbers on them. ",
		"先用另一组种子试算：从 %[3]s 起寻找组 %[2]s 的 %[1]s，使其第%[5]d至%[6]d个月的财政成本与组 %[4]s 相等（%[7]s；名义值，累计）：重复%[8]d次，"+
			"不够精确时至多%[9]d次，最多试%[10]d个数值。",
		c.By, c.Match, strings.TrimSpace(number(x, unit)), c.To, c.Window.From, c.Window.To, measure.in(language), PilotFirst,
		PilotMost, PilotTrials)
}

// dotted is events.0.amount, which needs no quotes within braces, for events[0].amount.
var dotted = regexp.MustCompile(`^events\.([0-9]{1,4})\.`)
