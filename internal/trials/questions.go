package trials

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/stats"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// The ways in which a reader answers a question.
const (
	Ready      = "ready"               // with an inquiry
	AskedBack  = "needs_clarification" // with a question back
	OutOfScope = "out_of_scope"
)

// AskedQuestion is a question with all answers of a reader that are right.
type AskedQuestion struct {
	ID       string     `json:"id"`
	Language string     `json:"lang"`
	Question string     `json:"question"`
	Kind     string     `json:"kind"` // what it tries
	Accept   []Accepted `json:"accept"`
}

// Accepted is an answer that is right. Of an inquiry it says what matters: what happens in which
// arm and in both, in which scenario.
type Accepted struct {
	Status     string            `json:"status"`
	Background Wanted            `json:"background"`
	Arms       map[string]Wanted `json:"arms"`
	Outcomes   []string          `json:"outcomes"` // that are asked about
	Horizon    int               `json:"horizon"`  // months to look ahead; 0 = it is not said
}

// Wanted is what an arm or a background is to be.
type Wanted struct {
	Preset string                     `json:"preset"`
	Set    map[string]json.RawMessage `json:"set"`
	Events []WantedEvent              `json:"events"`
	Rules  []WantedRule               `json:"rules"`
	Doses  *WantedDoses               `json:"doses"`
}

// WantedRule switches its event on and off. Until may be left out: then any will do.
type WantedRule struct {
	When  string      `json:"when"`
	Until string      `json:"until"`
	Do    WantedEvent `json:"do"`
}

// WantedDoses makes an arm of each value.
type WantedDoses struct {
	Parameter string            `json:"parameter"`
	Values    []json.RawMessage `json:"values"`
}

// WantedEvent is an event whose values may be relative, see matches.
type WantedEvent struct {
	Set         map[string]json.RawMessage `json:"set"`
	Policy      string                     `json:"policy"`
	Level       json.RawMessage            `json:"level"`
	Shock       string                     `json:"shock"`
	Size        json.RawMessage            `json:"size"`
	Persistence json.RawMessage            `json:"persistence"` // is not compared: few questions say it
	Industry    string                     `json:"industry"`
	Pay         string                     `json:"pay"`
	Amount      json.RawMessage            `json:"amount"`
	From        int                        `json:"from"`
	For         int                        `json:"for"`
	Ramp        int                        `json:"ramp"`
	When        string                     `json:"when"`
}

// ReadQuestions reads a set of questions, a line each.
func ReadQuestions(r io.Reader) ([]AskedQuestion, error) {
	var list []AskedQuestion
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		var q AskedQuestion
		if err := d.Decode(&q); err != nil {
			return nil, fmt.Errorf("question %d: %w", len(list)+1, err)
		}
		list = append(list, q)
	}
	return list, lines.Err()
}

// ReadingScore counts how questions were answered.
type ReadingScore struct {
	Questions     int `json:"questions"`
	Right         int `json:"right"`          // as one of the accepted answers
	AskedBack     int `json:"asked_back"`     // right or not
	SilentlyWrong int `json:"silently_wrong"` // an experiment that nobody asked for, without a word

	RightOrAskedBack  int `json:"right_or_asked_back"`
	Answerable        int `json:"answerable"`         // questions that need no question back
	AnswerableRight   int `json:"answerable_right"`   // of these, without asking
	AnswerableRefused int `json:"answerable_refused"` // said to be out of scope
	Beyond            int `json:"beyond"`             // questions that are out of scope
	BeyondRefused     int `json:"beyond_refused"`
}

// Rate is how often something was so, with its exact interval of 95 %.
type Rate struct {
	Of    int     `json:"of"`
	Share float64 `json:"share"` // 0 where there was nothing to count
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Rates are the shares that a reader is judged by.
func (s ReadingScore) Rates() map[string]Rate {
	rate := func(k, n int) Rate {
		low, high := stats.ProportionInterval(k, n, .95)
		return Rate{n, float64(k) / float64(max(n, 1)), low, high}
	}
	return map[string]Rate{
		"silently_wrong":       rate(s.SilentlyWrong, s.Questions),
		"right_or_asked_back":  rate(s.RightOrAskedBack, s.Questions),
		"asked_back":           rate(s.AskedBack, s.Questions),
		"right_without_asking": rate(s.AnswerableRight, s.Answerable),
		"in_scope_refused":     rate(s.AnswerableRefused, s.Answerable),
		"out_of_scope_refused": rate(s.BeyondRefused, s.Beyond),
	}
}

// Judgement is what became of a question.
type Judgement struct {
	AskedQuestion
	Status string // of the answer
	Got    inquiry.Inquiry
	Right  bool
}

// Judge has a reader answer questions, and compares what it answers with what is accepted.
func Judge(list []AskedQuestion, read func(question string) (status string, q inquiry.Inquiry)) (score ReadingScore, all []Judgement) {
	for _, q := range list {
		status, got := read(q.Question)
		j := Judgement{q, status, got, false}
		j.Right = slices.ContainsFunc(q.Accept, func(a Accepted) bool { return a.Status == status && (status != Ready || a.matches(got)) })
		accepts := func(status string) bool {
			return slices.ContainsFunc(q.Accept, func(a Accepted) bool { return a.Status == status })
		}
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		answerable, beyond := accepts(Ready) && !accepts(AskedBack), !accepts(Ready) && accepts(OutOfScope)
		count(&score.Questions, true)
		count(&score.Right, j.Right)
		count(&score.AskedBack, status == AskedBack)
		count(&score.RightOrAskedBack, j.Right || status == AskedBack)
		count(&score.SilentlyWrong, status == Ready && !j.Right)
		count(&score.Answerable, answerable)
		count(&score.AnswerableRight, answerable && j.Right)
		count(&score.AnswerableRefused, answerable && status == OutOfScope)
		count(&score.Beyond, beyond)
		count(&score.BeyondRefused, beyond && status == OutOfScope)
		all = append(all, j)
	}
	return score, all
}

// change is one thing that happens.
type change struct {
	what               string // parameter, or policy, shock or payment with its name
	from, months, ramp int
	when, until        string
	rule               bool
	value              any // of the inquiry
	want               json.RawMessage
}

// matches says whether an inquiry is the accepted one: the same arms, whatever their names, with the
// same changes at the same time, in the same background. What merely switches something on in the
// background, and sizes of the economy, do not count.
func (a Accepted) matches(q inquiry.Inquiry) bool {
	base := sim.Defaults()
	if name := cmp.Or(a.Background.Preset, "baseline"); true {
		s, err := presets.Load(name)
		if err != nil {
			return false
		}
		base = s.Params
	}
	if cmp.Or(q.Background.Base, "baseline") != cmp.Or(a.Background.Preset, "baseline") {
		return false
	}
	happens := func(list []change) []change {
		return slices.DeleteFunc(list, func(c change) bool { return !strings.Contains(c.what, " ") })
	}
	months := q.Design.Months
	if !sameChanges(happens(a.Background.changes()), happens(changesOf(q.Background, months)), base) {
		return false
	}
	left := armsOf(q)
	wanted := slices.DeleteFunc(a.wanted(), func(arm changedArm) bool { return len(a.Arms) > 1 && arm.isControl(base) })
	if len(wanted) != len(left) {
		return false
	}
	for _, want := range wanted {
		for i, c := range want.changes {
			want.changes[i].months = c.lasting(months)
		}
		k := slices.IndexFunc(left, func(arm changedArm) bool {
			return arm.base == want.base && sameChanges(want.changes, arm.changes, base)
		})
		if k < 0 {
			return false
		}
		left = slices.Delete(left, k, k+1)
	}
	return a.measured(q)
}

// measured says whether an inquiry measures what was asked about, for as long as was asked.
func (a Accepted) measured(q inquiry.Inquiry) bool {
	for _, name := range a.Outcomes {
		if !slices.ContainsFunc(q.Outcomes, func(o inquiry.Outcome) bool { return o.Metric.String() == name }) {
			return false
		}
	}
	return a.Horizon <= q.Design.Months
}

// changedArm is an arm of which doses are spread out.
type changedArm struct {
	base    string
	changes []change
}

// isControl says whether an arm leaves everything as it is: as one of several it is the control, which
// an inquiry has anyway.
func (a changedArm) isControl(base sim.Params) bool {
	return a.base == "" && !slices.ContainsFunc(a.changes, func(c change) bool {
		now, err := base.Get(c.what)
		return err != nil || bytes.HasPrefix(bytes.TrimSpace(c.want), []byte("{")) || !matches(c.want, c.what, now, base)
	})
}

func armsOf(q inquiry.Inquiry) (list []changedArm) {
	for _, arm := range q.Arms {
		changes := changesOf(arm.Economy, q.Design.Months)
		if arm.Doses == nil {
			list = append(list, changedArm{arm.Base, changes})
			continue
		}
		for _, v := range arm.Doses.Values {
			dose := change{what: arm.Doses.Parameter, from: 1, value: v}
			list = append(list, changedArm{arm.Base, append(slices.Clone(changes), dose)})
		}
	}
	return list
}

// wanted are the arms of an accepted answer, doses spread out.
func (a Accepted) wanted() (list []changedArm) {
	for _, name := range slices.Sorted(maps.Keys(a.Arms)) {
		want := a.Arms[name]
		if want.Doses == nil {
			list = append(list, changedArm{want.Preset, want.changes()})
			continue
		}
		for _, v := range want.Doses.Values {
			dose := change{what: want.Doses.Parameter, from: 1, want: v}
			list = append(list, changedArm{want.Preset, append(want.changes(), dose)})
		}
	}
	return list
}

func (w Wanted) changes() (list []change) {
	for name, x := range w.Set {
		list = append(list, change{what: name, from: 1, want: x})
	}
	for _, e := range w.Events {
		list = append(list, e.changes()...)
	}
	for _, r := range w.Rules {
		for _, c := range r.Do.changes() {
			c.rule, c.when, c.until = true, r.When, r.Until
			list = append(list, c)
		}
	}
	return list
}

func (e WantedEvent) changes() (list []change) {
	c := change{from: max(1, e.From), months: e.For, ramp: e.Ramp, when: e.When}
	for name, x := range e.Set {
		c.what, c.want = name, x
		list = append(list, c)
	}
	switch {
	case e.Policy != "":
		c.what, c.want = "policy "+e.Policy, e.Level
	case e.Shock != "":
		c.what, c.want = strings.TrimSpace("shock "+e.Shock+" "+e.Industry), e.Size
	case e.Pay != "":
		c.what, c.want = "pay "+e.Pay, e.Amount
	default:
		return list
	}
	return append(list, c)
}

// lasting is how long a change lasts in an experiment of so many months: what lasts to its end is for good, as
// nothing would differ.
func (c change) lasting(months int) int {
	if !c.rule && c.from+c.months > months {
		return 0
	}
	return c.months
}

// changesOf are the changes of an economy of so many months.
func changesOf(e inquiry.Economy, months int) (list []change) {
	for _, s := range e.Set {
		list = append(list, change{what: s.Name, from: 1, value: s.Value})
	}
	for _, v := range slices.Concat(e.Events, e.Rules) {
		c := change{from: v.TargetMonth, months: v.DurationMonths, ramp: v.RampMonths, when: v.When, until: v.Until, rule: v.IsRule()}
		c.months = c.lasting(months)
		for _, p := range v.Parameters {
			c.what, c.value = p.Name, p.Value
			list = append(list, c)
		}
		switch v.Type {
		case sim.TypePolicy:
			c.what, c.value = "policy "+v.Policy.Policy, v.Policy.Level
		case sim.TypeShock:
			c.what, c.value = strings.TrimSpace("shock "+v.Shock.Shock+" "+v.Shock.Industry), v.Shock.Size
		case sim.TypeInjection:
			c.what, c.value = "pay "+v.Injection.Group, v.Injection.Amount
		default:
			continue
		}
		list = append(list, c)
	}
	return list
}

// sameChanges says whether each wanted change is there, once, and nothing else.
func sameChanges(want, got []change, base sim.Params) bool {
	if len(want) != len(got) {
		return false
	}
	left := slices.Clone(got)
	for _, w := range want {
		k := slices.IndexFunc(left, func(g change) bool {
			return g.what == w.what && g.from == w.from && g.months == w.months && max(1, g.ramp) == max(1, w.ramp) && sameWhen(g.when, w.when) &&
				g.rule == w.rule && (w.until == "" || sameWhen(g.until, w.until)) && matches(w.want, g.what, g.value, base)
		})
		if k < 0 {
			return false
		}
		left = slices.Delete(left, k, k+1)
	}
	return true
}

// sameWhen compares conditions but for blanks and how a share is written.
func sameWhen(a, b string) bool {
	plain := func(s string) string {
		s = strings.NewReplacer(" ", "", ">=", ">", "<=", "<").Replace(s)
		if x, percent := strings.CutSuffix(s, "%"); percent {
			at := strings.IndexAny(x, "<>") + 1
			var n float64
			if _, err := fmt.Sscan(x[at:], &n); err == nil {
				return x[:at] + fmt.Sprint(n/100)
			}
		}
		return s
	}
	return plain(a) == plain(b)
}

// matches says whether a value is the wanted one: the same but for rounding, or by, times, up or down
// from what is in force: the base's value of a parameter, zero of a policy, shock or payment.
func matches(want json.RawMessage, what string, got any, base sim.Params) bool {
	var relative struct {
		By        *float64
		Times     *float64
		Direction string
	}
	x, numeric := number(got)
	from := 0.0
	if now, err := base.Get(what); err == nil {
		from, _ = number(now)
	}
	near := func(y float64) bool { return math.Abs(x-y) <= 1e-9+.01*math.Abs(y) }
	if json.Unmarshal(want, &relative) == nil && bytes.HasPrefix(bytes.TrimSpace(want), []byte("{")) {
		switch {
		case relative.By != nil:
			return numeric && near(from+*relative.By)
		case relative.Times != nil:
			return numeric && near(from**relative.Times)
		case relative.Direction != "":
			return numeric && (x > from) == (relative.Direction == "up") && x != from
		}
		var rates map[string]float64 // a schedule
		if json.Unmarshal(want, &rates) != nil {
			return false
		}
		var pairs []string
		for _, key := range slices.Sorted(maps.Keys(rates)) {
			pairs = append(pairs, fmt.Sprintf("%s: %v", key, rates[key]))
		}
		return got == strings.Join(pairs, ", ")
	}
	var plain any
	if json.Unmarshal(want, &plain) != nil {
		return false
	}
	if y, ok := number(plain); ok {
		return numeric && near(y)
	}
	return plain == got
}

// number is a value that is a number.
func number(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}
