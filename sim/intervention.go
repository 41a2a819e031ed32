package sim

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"econ-mcp/internal/fault"
)

// Intervention is something planned for a month of a run: a change of live
// parameters, a named policy, a shock, or money for a group. A change or a policy is a
// step; with a ramp it comes gradually, with a duration it returns. It is a value: what
// it does to a month follows from that month and the one in which it began.
type Intervention struct {
	Type           InterventionType
	Description    string
	TargetMonth    int    // of the experiment, from 1: the first in which it is in force
	DurationMonths int    // how long it is in force; 0 = to the end, of an injection one month
	RampMonths     int    // over which numbers move in equal steps; 0 and 1 = at once
	When           string // condition that is looked at after each month from TargetMonth on; "" = begin in TargetMonth
	Until          string `json:",omitempty"` // condition that switches it off after a month in which it holds, to wait for When again; "" = no rule
	Cancelled      bool   `json:",omitempty"` // taken back before it began: it keeps its place in the plan and does nothing

	Parameters []ParameterChange // of a parameter_change
	Policy     PolicyChange
	Shock      Shock
	Injection  Injection
}

// InterventionType says which field of an intervention counts.
type InterventionType string

// The types of interventions.
const (
	TypeParameterChange InterventionType = "parameter_change"
	TypePolicy          InterventionType = "policy"
	TypeShock           InterventionType = "shock"
	TypeInjection       InterventionType = "injection"
)

// InterventionTypes lists them.
var InterventionTypes = []InterventionType{TypeParameterChange, TypePolicy, TypeShock, TypeInjection}

// ParameterChange is the value that a parameter has under an intervention, as
// int, float64, bool or string by the parameter's type.
type ParameterChange struct {
	Name  string
	Value any
}

// PolicyChange puts one of [Policies] into force at a level in its unit.
type PolicyChange struct {
	Policy string
	Level  float64
}

// Shock is one of [Shocks]: its size in the first month, in the shock's unit, and the
// share of it that is left in each month after.
type Shock struct {
	Shock       string
	Size        float64
	Persistence float64
	Industry    string // code of the industry that a shock to one industry strikes
}

// NewParameterChange checks a value as [Params.Set] does, and that the parameter
// may change during a run.
func NewParameterChange(name string, value any) (ParameterChange, error) {
	row, err := Lookup(name)
	if err != nil {
		return ParameterChange{}, err
	}
	if !row.Live {
		return ParameterChange{}, fault.New(fault.Conflict, name, "%s cannot change during a run", name).
			WithHint("set it for the whole experiment")
	}
	if name == "confidence_shock" {
		return ParameterChange{}, fault.New(fault.Conflict, name, "confidence_shock falls in month 1 and has no effect later").
			WithHint("plan a shock to confidence, or set it for the whole experiment")
	}
	v, err := row.parse(value)
	if err != nil {
		return ParameterChange{}, err
	}
	if f, ok := v.(float64); ok {
		v = f + 0 // no negative zero
	}
	return ParameterChange{name, v}, row.check(v)
}

// planned is an intervention with what became of it.
type planned struct {
	Intervention
	Began       int // its first month; 0 = a condition has not been met yet
	On          int `json:",omitempty"` // of a rule, the month from which it was on last; 0 = it has never been
	Off         int `json:",omitempty"` // of a rule, the first month in which it was off again; 0 = it is on
	when, until condition
}

// age counts the months in which it has been in force, this one included; 0 = it is not.
func (v *planned) age(month int) int {
	from, end := v.Began, 0 // end: the first month after; 0 = none
	if v.IsRule() {
		from, end = v.On, v.Off
	}
	if months := v.duration(); months > 0 && (end == 0 || from+months < end) {
		end = from + months
	}
	if v.Cancelled || from == 0 || month < from || end > 0 && month >= end {
		return 0
	}
	return month - from + 1
}

// duration is how many months it is in force once it begins; 0 = to the end, or until a rule ends it.
func (v *Intervention) duration() int {
	if v.DurationMonths == 0 && v.OneMonth() {
		return 1
	}
	return v.DurationMonths
}

// OneMonth says whether it lasts one month where no duration is given. Money of a rule is paid as
// long as the rule is on.
func (v *Intervention) OneMonth() bool {
	if v.Type != TypeShock {
		return v.Type == TypeInjection && !v.IsRule()
	}
	pack, _ := v.pack() // an unknown one has no month
	return pack.OneMonth
}

// reached is the part of a change, from 0 to 1, that a ramp of a number of months
// has made in its nth month, counted from 1.
func reached(n, ramp int) float64 {
	return min(1, float64(n)/float64(max(1, ramp)))
}

// moved is the value between from and to that a change has reached. Numbers move
// in proportion, integers to the nearest; others change at once.
func moved(from, to any, share float64) any {
	if share >= 1 {
		return to
	}
	switch to := to.(type) {
	case float64:
		return from.(float64) + float64(share*(to-from.(float64)))
	case int:
		return from.(int) + int(math.Round(share*float64(to-from.(int))))
	}
	return to
}

// under are the parameters in force in a month of the experiment. Where
// interventions meet, the later in the list starts from what the earlier made.
func under(p Params, list []planned, month int) Params {
	for k := range list {
		v := &list[k]
		age := v.age(month)
		if age == 0 {
			continue
		}
		share := reached(age, v.RampMonths)
		switch v.Type {
		case TypeParameterChange:
			for _, change := range v.Parameters {
				row, _ := Lookup(change.Name)
				row.store(&p, moved(row.Value(&p), change.Value, share))
			}
		case TypePolicy:
			pack, _ := v.pack()
			full := pack.applied(p, v.Policy.Level, 0)
			for _, name := range pack.Parameters {
				row, _ := Lookup(name)
				row.store(&p, moved(row.Value(&p), row.Value(&full), share))
			}
		case TypeShock:
			pack, _ := v.pack()
			size := share * decayed(v.Shock.Size, v.Shock.Persistence, age-1)
			p = pack.applied(p, size, slices.Index(industryCodes(), v.Shock.Industry))
		}
	}
	return p
}

// Applied returns the parameters that an intervention alone makes of p when it is fully in
// force: a ramp has ended, a shock has just struck. An injection changes none.
func (v Intervention) Applied(p Params) Params {
	v.RampMonths, v.When, v.Until = 0, "", ""
	return under(p, []planned{{Intervention: v, Began: 1}}, 1)
}

// MaxInterventions is the largest number of interventions in a plan.
const MaxInterventions = 1000

// CheckInterventions refuses a list that cannot act. The error names the
// intervention by its place in the list, from 1. Each value is within its range, and
// so is what a ramp passes; no rule ties live parameters together.
func CheckInterventions(list []Intervention) error {
	if n := len(list); n > MaxInterventions {
		return fault.New(fault.LimitExceeded, "interventions", "%d interventions; at most %d are allowed", n, MaxInterventions).
			WithHint("leave some out")
	}
	for i, v := range list {
		if err := v.Check(); err != nil {
			return fmt.Errorf("intervention %d: %w", i+1, err)
		}
	}
	return nil
}

// Check refuses an intervention that cannot act.
func (v Intervention) Check() error {
	last, _ := Lookup("num_iterations")
	for _, field := range []struct {
		name         string
		value, least int
	}{{"target_month", v.TargetMonth, 1}, {"duration_months", v.DurationMonths, 0}, {"ramp_months", v.RampMonths, 0}} {
		if field.value < field.least || float64(field.value) > last.Max {
			return fault.Range(field.name, fmt.Sprint(field.value), fmt.Sprintf("%d to %g", field.least, last.Max))
		}
	}
	if duration := v.duration(); duration > 0 && v.RampMonths > duration {
		return fault.New(fault.Conflict, "ramp_months", "a ramp of %d months does not end within a duration of %d", v.RampMonths, duration).
			WithHint("lower ramp_months, or raise duration_months")
	}
	if v.When != "" {
		if _, err := compileCondition(v.When); err != nil {
			return err
		}
	}
	if v.Until != "" {
		if err := v.checkRule(); err != nil {
			return err
		}
	}
	if err := v.onlyItsOwn(); err != nil {
		return err
	}
	switch v.Type {
	case TypeParameterChange:
		return v.checkParameters()
	case TypePolicy, TypeShock:
		return v.checkPackage()
	case TypeInjection:
		return v.Injection.check()
	}
	var types []string
	for _, t := range InterventionTypes {
		types = append(types, string(t))
	}
	return fault.In("type", fault.Unknown(fault.NotFound, "type of intervention", string(v.Type), types))
}

func (v Intervention) checkPackage() error {
	pack, err := v.pack()
	if err != nil {
		return err
	}
	if v.Type == TypePolicy {
		return pack.check("level", v.Policy.Level)
	}
	if !(v.Shock.Persistence >= 0 && v.Shock.Persistence <= 1) {
		return fault.Range("persistence", formatNumber(v.Shock.Persistence), "0 to 1")
	}
	if codes := industryCodes(); pack.Industry && !slices.Contains(codes, v.Shock.Industry) {
		return fault.Range("industry", strconv.Quote(v.Shock.Industry), codes...)
	} else if !pack.Industry && v.Shock.Industry != "" {
		return fault.New(fault.Conflict, "industry", "the shock %s strikes all industries", pack.ID).WithHint("leave industry out")
	}
	return pack.check("size", v.Shock.Size)
}

// onlyItsOwn refuses fields that belong to another type.
func (v Intervention) onlyItsOwn() error {
	for _, part := range []struct {
		owner InterventionType
		given bool
	}{
		{TypeParameterChange, len(v.Parameters) > 0},
		{TypePolicy, v.Policy != PolicyChange{}},
		{TypeShock, v.Shock != Shock{}},
		{TypeInjection, v.Injection != Injection{}},
	} {
		if part.given && v.Type != part.owner && slices.Contains(InterventionTypes, v.Type) {
			return fault.New(fault.Conflict, "type", "an intervention of type %s has what belongs to a %s", v.Type, part.owner).
				WithHint(fmt.Sprintf("plan two interventions, or make it a %s alone", part.owner))
		}
	}
	return nil
}

func (v Intervention) checkParameters() error {
	if len(v.Parameters) == 0 {
		return fault.New(fault.WrongType, "parameters", "the intervention changes no parameter").
			WithHint("name at least one, such as {vat_rate: 0.1}")
	}
	seen := map[string]bool{}
	for _, change := range v.Parameters {
		if seen[change.Name] {
			return fault.New(fault.Conflict, change.Name, "%s is changed twice", change.Name).WithHint("keep one of its values")
		}
		seen[change.Name] = true
		typed, err := NewParameterChange(change.Name, change.Value)
		if err != nil {
			return err
		}
		if typed.Value != change.Value {
			row, _ := Lookup(change.Name)
			return fault.Type(change.Name, fmt.Sprintf("%v (%T)", change.Value, change.Value), string(row.Type))
		}
	}
	return nil
}

// Plan puts interventions into force from the next month on, in place of those
// planned before; one that is equal to one of those, wherever it stood, keeps the month
// in which it began. A list that [CheckInterventions] refuses changes nothing.
func (e *Economy) Plan(list []Intervention) error {
	if err := CheckInterventions(list); err != nil {
		return err
	}
	plan := make([]planned, len(list))
	taken := make([]bool, len(e.plan))
	for i, v := range list {
		v.Parameters = slices.Clone(v.Parameters)
		plan[i].Intervention = v
		for k := range e.plan {
			if !taken[k] && v.equal(&e.plan[k].Intervention) {
				was := &e.plan[k]
				plan[i].Began, plan[i].On, plan[i].Off, taken[k] = was.Began, was.On, was.Off, true
				break
			}
		}
	}
	e.setPlan(plan)
	return nil
}

func (v *Intervention) equal(w *Intervention) bool {
	return v.Type == w.Type && v.Description == w.Description && v.TargetMonth == w.TargetMonth &&
		v.DurationMonths == w.DurationMonths && v.RampMonths == w.RampMonths && v.When == w.When && v.Until == w.Until &&
		slices.Equal(v.Parameters, w.Parameters) && v.Policy == w.Policy && v.Shock == w.Shock && v.Injection == w.Injection
}

// setPlan puts a checked plan into force.
func (e *Economy) setPlan(plan []planned) {
	for i := range plan {
		v := &plan[i]
		if v.Cancelled {
			v.Began, v.On, v.Off = 0, 0, 0
		} else if v.When == "" {
			v.Began = v.TargetMonth
		} else {
			v.when, _ = compileCondition(v.When) // checked
			if v.IsRule() {
				v.until, _ = compileCondition(v.Until)
			}
		}
	}
	e.p, e.plan = e.base, plan
	e.intervene(e.experimentMonth())
}

// Began returns for each intervention of the plan the month of the experiment in which
// it begins; 0 while its condition has not been met, and if it was cancelled.
func (e *Economy) Began() []int {
	began := make([]int, len(e.plan))
	for i := range e.plan {
		began[i] = e.plan[i].Began
	}
	return began
}

// intervene puts the parameters of a month of the experiment into force. Where
// something is planned, it allocates a few words.
func (e *Economy) intervene(month int) {
	if len(e.plan) > 0 {
		e.p = under(e.base, e.plan, month)
	}
}

// beginMonth opens the next month: its books are empty, and its interventions in force.
func (e *Economy) beginMonth() {
	e.m.Month++
	e.flow, e.monthCounts = flows{}, monthCounts{}
	month := e.experimentMonth()
	e.intervene(month)
	e.planInjections(month)
}

// encodePlan and decodePlan write and read the section of a snapshot.
func encodePlan(list []planned) []byte {
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // plain values always encode
	}
	return data
}

func decodePlan(data string) ([]planned, error) {
	var plan []planned
	if err := json.Unmarshal([]byte(data), &plan); err != nil {
		return nil, err
	}
	var list []Intervention
	for _, v := range plan {
		for i, change := range v.Parameters {
			var err error
			if v.Parameters[i], err = NewParameterChange(change.Name, change.Value); err != nil {
				return nil, err
			}
		}
		list = append(list, v.Intervention)
	}
	return plan, CheckInterventions(list)
}
