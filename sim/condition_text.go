package sim

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"econ-mcp/internal/fault"
)

// ParseCondition reads a condition that a caller wrote and returns its canonical form: decimals
// instead of percent (but of shares that only percent can say), words instead of signs for and, or and
// not, one blank between words.
// "unemployment_rate>8%" and "unemployment_rate > 0.08" are the same condition. It refuses what
// [Intervention.Check] refuses, percent of what is no share, a number that is not in the unit of its
// indicator, such as unemployment_rate > 8, and what can never hold.
func ParseCondition(text string) (string, error) {
	if _, err := compileCondition(text); err != nil {
		return "", err
	}
	words, err := lexCondition(text)
	if err != nil {
		return "", err
	}
	decimals, percents := inCanonicalForm(words)
	tree, err := parsedCondition(decimals)
	if err != nil {
		return "", err
	}
	check := unitCheck{percents: percents}
	ast.Walk(&tree, &check)
	if check.err != nil {
		return "", check.err
	}
	for _, at := range check.large {
		words[percents[at].place].stays = true
	}
	canonical, _ := inCanonicalForm(words)
	if g, ok := newGrid(canonical); ok {
		if never, _ := g.every(func(met []bool) bool { return !met[0] }); never {
			return "", fault.New(fault.Conflict, "when", "%q can never hold", canonical).WithHint("change a threshold, or leave it out")
		}
	}
	return canonical, nil
}

// conditionWord is a part of a condition as it is written.
type conditionWord struct {
	text    string
	number  string // as a decimal; "" = it is none
	percent bool
	stays   bool // percent in the canonical form, too
}

// value is a number as a decimal.
func (w conditionWord) value() string {
	if w.percent {
		return hundredth(w.number)
	}
	return w.number
}

var (
	wordPattern   = regexp.MustCompile(`[A-Za-z_]\w*|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([\w.]*)\s*([%％]?)|<=|>=|==|!=|&&|\|\||\s+|(?s:.)`)
	operatorWords = map[string]string{"&&": "and", "||": "or", "!": "not"}
)

// lexCondition divides a condition into words; blanks are words, too. Percentage points are refused:
// they are of differences, and a condition has values.
func lexCondition(text string) ([]conditionWord, error) {
	var list []conditionWord
	afterNumber := false
	for _, m := range wordPattern.FindAllStringSubmatch(text, -1) {
		w := conditionWord{text: m[0]}
		if m[2] == "pp" || afterNumber && m[0] == "pp" {
			return nil, fault.New(fault.WrongType, "when", "percentage points are of differences, and a condition compares values").
				WithHint("write percent, such as unemployment_rate > 8%")
		}
		if x, err := strconv.ParseFloat(m[1], 64); m[1] != "" && m[2] == "" && err == nil {
			w.number, w.percent = decimal(x), m[3] != ""
		}
		afterNumber = w.number != "" || afterNumber && strings.TrimSpace(m[0]) == ""
		list = append(list, w)
	}
	return list, nil
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// hundredth is rounded as it is written: 7 % is 0.07 and not 0.07000000000000001.
func hundredth(percent string) string {
	x, err := strconv.ParseFloat(percent+"e-2", 64)
	if err != nil {
		return percent // which is no number
	}
	return decimal(x)
}

// inDecimals is what is written, with decimals in the place of percent.
func inDecimals(words []conditionWord) string {
	var b strings.Builder
	for _, w := range words {
		if w.percent {
			b.WriteString(w.value())
		} else {
			b.WriteString(w.text)
		}
	}
	return b.String()
}

// percentWord is a number that was written as percent.
type percentWord struct {
	place int // among the words
	text  string
}

// inCanonicalForm also returns where in it, in characters, numbers stand that were percent.
func inCanonicalForm(words []conditionWord) (text string, percents map[int]percentWord) {
	percents = map[int]percentWord{}
	var b strings.Builder
	before := "(" // the word before; what may follow an operator is a sign
	for k, w := range words {
		s := strings.TrimSpace(w.text)
		if s == "" {
			continue
		}
		if to, ok := operatorWords[s]; ok {
			s = to
		}
		sign := s == "-" || s == "+"
		sign = sign && (before == "(" || slices.Contains(conditionOperators, before) || before == "sign")
		if sign && s == "+" {
			continue
		}
		if before != "(" && before != "sign" && s != ")" {
			b.WriteByte(' ')
		}
		switch {
		case w.stays:
			s = w.number + "%"
		case w.percent:
			s = w.value()
			percents[b.Len()] = percentWord{k, strings.TrimSpace(w.text)}
		case w.number != "":
			s = w.number
		}
		b.WriteString(s)
		if before = s; sign {
			before = "sign"
		}
	}
	return b.String(), percents
}

// comparison is an indicator or the month against a number.
type comparison struct {
	name     string
	operator string // with the name at its left
	x        float64
	percent  string // as it was written; "" = without percent
	place    int    // of the number
}

var comparisons = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="} // with their sides exchanged

// comparisonOf reads a comparison; simple says that one side is a name and the other a number.
func comparisonOf(node *ast.BinaryNode, percents map[int]percentWord) (c comparison, simple bool) {
	name, number := node.Left, node.Right
	c.operator = node.Operator
	if _, ok := name.(*ast.IdentifierNode); !ok {
		name, number, c.operator = number, name, comparisons[c.operator]
	}
	id, ok := name.(*ast.IdentifierNode)
	if !ok {
		return c, false
	}
	c.name = id.Value
	for sign := 1.0; ; {
		switch n := number.(type) {
		case *ast.UnaryNode:
			sign, number = -sign, n.Node // only minus: a canonical form has no plus, and not is of no number
			if n.Operator != "-" {
				return c, false
			}
			continue
		case *ast.IntegerNode:
			c.x = sign * float64(n.Value)
		case *ast.FloatNode:
			c.x = sign * n.Value
		default:
			return c, false
		}
		c.place = number.Location().From
		c.percent = percents[c.place].text
		return c, true
	}
}

// unitCheck walks a canonical condition and notes the first number that is not in the unit of what it
// is compared with.
type unitCheck struct {
	percents map[int]percentWord
	large    []int // places of percent that would be misread without its sign
	err      error
}

// Visit implements ast.Visitor.
func (u *unitCheck) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if u.err != nil || !ok || comparisons[n.Operator] == "" {
		return
	}
	if c, simple := comparisonOf(n, u.percents); simple {
		if u.err = c.check(); c.percent != "" && c.isLarge() {
			u.large = append(u.large, c.place)
		}
		return
	}
	found := &operands{}
	ast.Walk(node, found)
	for _, at := range found.numbers {
		if text := u.percents[at].text; text != "" {
			for _, name := range found.names {
				if u.err == nil {
					u.err = comparison{name: name, percent: text}.checkPercent()
				}
			}
		}
	}
}

// operands are the names, and the places of the numbers, of an expression.
type operands struct {
	names   []string
	numbers []int
}

// Visit implements ast.Visitor.
func (o *operands) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		o.names = append(o.names, n.Value)
	case *ast.IntegerNode, *ast.FloatNode:
		o.numbers = append(o.numbers, n.Location().From)
	}
}

// variable is what is known of a name in conditions.
func variable(name string) (unit string, low, high float64) {
	if i, ok := IndicatorByName(name); ok {
		low, high = i.Range()
		return i.Info().Unit, low, high
	}
	return "number of the month", 0, math.Inf(1)
}

func isShareUnit(unit string) bool { return strings.HasPrefix(unit, "share") }

func (c comparison) checkPercent() error {
	if unit, _, _ := variable(c.name); c.percent != "" && !isShareUnit(unit) {
		return fault.New(fault.WrongType, "when", "%s cannot be %s: its unit is %s", c.name, c.percent, unit).
			WithHint("write the number in that unit")
	}
	return nil
}

// plainShares are shares of GDP that are above 1 in the world, so that a number of up to ten without
// percent is understood as the share that it is.
var plainShares = []Indicator{DebtToGDP, NetForeignPosition}

// isLarge says whether the number is a share that hardly anybody means who writes it without percent.
func (c comparison) isLarge() bool {
	unit, _, _ := variable(c.name)
	plain := 1.0
	if i, ok := IndicatorByName(c.name); ok && slices.Contains(plainShares, i) {
		plain = 10
	}
	return isShareUnit(unit) && math.Abs(c.x) > plain
}

func (c comparison) check() error {
	if err := c.checkPercent(); err != nil {
		return err
	}
	unit, low, high := variable(c.name)
	said := fmt.Sprintf("%s %s %s", c.name, c.operator, decimal(c.x))
	if c.percent != "" {
		said = fmt.Sprintf("%s %s %s", c.name, c.operator, inPercent(c.x))
	}
	mistaken := c.percent == "" && c.isLarge()
	switch never := c.never(low, high); {
	case never || c.x < low || c.x > high:
		verdict := "always holds"
		if never {
			verdict = "can never hold"
		}
		e := fault.New(fault.OutOfRange, "when", "%s %s: %s is a %s, %s", said, verdict, c.name, unit, rangeText(low, high, isShareUnit(unit)))
		e.Hint = "compare it with a number in that range"
		if !isShareUnit(unit) {
			e.Message = fmt.Sprintf("%s %s: %s is never outside of %s", said, verdict, c.name, rangeText(low, high, false))
		}
		switch hundredths := c.x > 1 && c.x <= 100 && high == 1; {
		case mistaken:
			e.Hint = fmt.Sprintf("write %s%% or %s", decimal(c.x), hundredth(decimal(c.x)))
		case hundredths:
			e.Hint = "write " + hundredth(decimal(c.x))
		}
		e.Allowed = []string{rangeText(low, high, isShareUnit(unit))}
		return e
	case mistaken:
		e := fault.New(fault.WrongType, "when", "%s is a %s, %s, and %s is %s of it", c.name, unit, rangeText(low, high, true), decimal(c.x),
			inPercent(c.x))
		e.Allowed = []string{rangeText(low, high, true)}
		return e.WithHint(fmt.Sprintf("write %s%% or %s; where %s is meant, write it with its %%", decimal(c.x), hundredth(decimal(c.x)), inPercent(c.x)))
	}
	return nil
}

// never says whether no value in a range meets the comparison.
func (c comparison) never(low, high float64) bool {
	switch c.operator {
	case ">":
		return c.x >= high
	case ">=":
		return c.x > high
	case "<":
		return c.x <= low
	case "<=":
		return c.x < low
	case "==":
		return c.x < low || c.x > high
	}
	return false
}

func inPercent(x float64) string {
	return decimal(math.Round(x*1e10)/1e8) + "%"
}

// rangeText is a range for people.
func rangeText(low, high float64, share bool) string {
	end := func(x float64) string {
		if share {
			return inPercent(x)
		}
		return decimal(x)
	}
	switch {
	case math.IsInf(low, -1) && math.IsInf(high, 1):
		return "without a limit"
	case math.IsInf(high, 1):
		return end(low) + " or more"
	case math.IsInf(low, -1):
		return "at most " + end(high)
	}
	return end(low) + " to " + end(high)
}

// ConditionInPercent is a canonical condition for people: shares are compared with percent.
func ConditionInPercent(text string) string {
	return comparedPattern.ReplaceAllStringFunc(text, func(found string) string {
		m := comparedPattern.FindStringSubmatch(found)
		unit, _, _ := variable(m[1])
		x, err := strconv.ParseFloat(m[3], 64)
		if err != nil || !isShareUnit(unit) || x == 0 {
			return found
		}
		return m[1] + m[2] + inPercent(x)
	})
}

var comparedPattern = regexp.MustCompile(`\b([a-z_]+)( (?:<=|>=|<|>|==|!=) )(-?\d+\.?\d*)`)

// watched are the indicators that a condition names.
func watched(text string) (list []Indicator) {
	for _, name := range namesIn(text) {
		if i, ok := IndicatorByName(name); ok {
			list = append(list, i)
		}
	}
	return list
}

// namesIn are the names in a condition that was checked, each once, in the order of the alphabet.
func namesIn(text string) []string {
	words, _ := lexCondition(text)
	tree, err := parsedCondition(inDecimals(words))
	if err != nil {
		return nil
	}
	found := &operands{}
	ast.Walk(&tree, found)
	slices.Sort(found.names)
	return slices.Compact(found.names)
}

// grid holds the places where conditions can change that only compare names with numbers: between
// two thresholds of a name nothing changes. What holds on the grid holds everywhere.
type grid struct {
	conditions []condition
	names      []string
	points     map[string][]float64
	edges      map[string][]float64 // of the points, those that are thresholds or ends of a range
}

// mostPoints is the largest grid that is looked at.
const mostPoints = 5000

// newGrid makes the grid of conditions; ok is false where they hold more than comparisons of names with
// numbers, or too many of them.
func newGrid(texts ...string) (g grid, ok bool) {
	thresholds := &thresholdsOf{by: map[string][]float64{}, simple: true}
	for _, text := range texts {
		words, err := lexCondition(text)
		if err != nil {
			return g, false
		}
		text = inDecimals(words)
		c, err := compileCondition(text)
		if err != nil {
			return g, false
		}
		tree, err := parsedCondition(text)
		if err != nil {
			return g, false
		}
		g.conditions = append(g.conditions, c)
		ast.Walk(&tree, thresholds)
	}
	g.points, g.edges = map[string][]float64{}, map[string][]float64{}
	size := 1
	for name, list := range thresholds.by {
		_, low, high := variable(name)
		g.points[name], g.edges[name] = pointsOf(list, low, high)
		size *= max(1, len(g.points[name]))
		if size > mostPoints {
			return g, false
		}
	}
	g.names = slices.Sorted(maps.Keys(g.points))
	return g, thresholds.simple
}

// thresholdsOf collects the numbers that each name is compared with.
type thresholdsOf struct {
	by     map[string][]float64
	simple bool
}

// Visit implements ast.Visitor.
func (t *thresholdsOf) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || n.Operator == "and" || n.Operator == "or" || n.Operator == "&&" || n.Operator == "||" {
		return
	}
	c, simple := comparisonOf(n, nil)
	if t.simple = t.simple && simple && comparisons[n.Operator] != ""; t.simple {
		t.by[c.name] = append(t.by[c.name], c.x)
	}
}

// pointsOf are the thresholds, a point between each two and one beyond each end, within a range.
func pointsOf(thresholds []float64, low, high float64) (points, edges []float64) {
	list := slices.Clone(thresholds)
	for _, end := range []float64{low, high} {
		if !math.IsInf(end, 0) {
			list = append(list, end)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	list = slices.DeleteFunc(list, func(x float64) bool { return x < low || x > high })
	edges = slices.Clone(list)
	for k, x := range list {
		if k > 0 {
			points = append(points, (list[k-1]+x)/2)
		}
		points = append(points, x)
	}
	if len(list) > 0 {
		if first := list[0]; first > low {
			points = append(points, first-max(1, math.Abs(first)))
		}
		if last := list[len(list)-1]; last < high {
			points = append(points, last+max(1, math.Abs(last)))
		}
	}
	return points, edges
}

// every says whether f is true of what holds at every point, and if not, gives one at which it is not.
func (g grid) every(f func(met []bool) bool) (all bool, where map[string]any) {
	return g.everyOf(g.points, f)
}

// everyInside is [grid.every] without the points at which a threshold itself stands.
func (g grid) everyInside(f func(met []bool) bool) (all bool, where map[string]any) {
	inside := map[string][]float64{}
	for name, points := range g.points {
		for _, x := range points {
			if !slices.Contains(g.edges[name], x) {
				inside[name] = append(inside[name], x)
			}
		}
	}
	return g.everyOf(inside, f)
}

func (g grid) everyOf(points map[string][]float64, f func(met []bool) bool) (bool, map[string]any) {
	env := map[string]any{}
	met := make([]bool, len(g.conditions))
	var look func(k int) bool
	look = func(k int) bool {
		if k == len(g.names) {
			for i, c := range g.conditions {
				met[i] = c.holds(env)
			}
			return f(met)
		}
		for _, x := range points[g.names[k]] {
			env[g.names[k]] = x
			if !look(k + 1) {
				return false
			}
		}
		return true
	}
	return look(0), env
}

// at says a place of the grid, such as "unemployment_rate is 8.5%".
func (g grid) at(env map[string]any) string {
	var list []string
	for _, name := range g.names {
		x, said := env[name].(float64), ""
		if unit, _, _ := variable(name); isShareUnit(unit) {
			said = inPercent(x)
		} else {
			said = decimal(x)
		}
		list = append(list, name+" is "+said)
	}
	return strings.Join(list, " and ")
}
