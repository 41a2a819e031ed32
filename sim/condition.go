package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"econ-mcp/internal/fault"
)

// condition is a compiled expression over the indicators of a month, such as
// "unemployment_rate > 10% and inflation < 0.02". It is restricted to numbers, names
// of indicators and "month", arithmetic, comparisons and logic: it calls nothing.
type condition struct{ program *vm.Program }

const (
	maxCondition = 1000 // characters
	mostNodes    = 200
)

var conditionOperators = []string{
	"+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "and", "&&", "or", "||", "not", "!",
}

// conditionEnv holds the variables of a condition.
func conditionEnv(r *Record) map[string]any {
	env := make(map[string]any, NumIndicators+1)
	for i, x := range r.Values {
		env[Indicator(i).String()] = x
	}
	env[monthVariable] = float64(r.Month)
	return env
}

// monthVariable is the month of the experiment in conditions.
const monthVariable = "month"

// compileCondition refuses text that is no condition, with the place and the nearest
// name. It takes whatever can be evaluated: plans that were stored before units were checked stay
// valid. What a caller writes is read by [ParseCondition].
func compileCondition(text string) (condition, error) {
	if len(text) > maxCondition {
		return condition{}, fault.New(fault.LimitExceeded, "when", "the condition has %d characters; at most %d are allowed", len(text),
			maxCondition).WithHint("shorten it")
	}
	words, err := lexCondition(text)
	if err != nil {
		return condition{}, err
	}
	text = inDecimals(words)
	if _, err := parsedCondition(text); err != nil {
		return condition{}, err
	}
	program, err := expr.Compile(text, expr.Env(conditionEnv(&Record{})), expr.AsBool(), expr.DisableAllBuiltins(),
		expr.MaxNodes(mostNodes))
	if err != nil {
		return condition{}, wrongCondition(text, err)
	}
	return condition{program}, nil
}

// parsedCondition is the tree of an expression in decimals that holds only what a condition may.
func parsedCondition(text string) (ast.Node, error) {
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, wrongCondition(text, err)
	}
	check := &restriction{}
	ast.Walk(&tree.Node, check)
	return tree.Node, check.err
}

func wrongCondition(text string, err error) error {
	where := ""
	if at, ok := errors.AsType[*file.Error](err); ok {
		where = fmt.Sprintf(" at character %d: %s", at.Column+1, at.Message)
	}
	return fault.New(fault.WrongType, "when", "%q is not a condition%s", text, where).
		WithHint(`compare indicators with numbers, such as "unemployment_rate > 10% and inflation < 2%"`)
}

// holds says whether a condition is met by the variables of a month. Arithmetic on numbers cannot
// fail.
func (c condition) holds(env map[string]any) bool {
	met, err := expr.Run(c.program, env)
	return err == nil && met.(bool)
}

// restriction walks an expression and notes the first thing that a condition may not
// hold.
type restriction struct{ err error }

// Visit implements ast.Visitor.
func (r *restriction) Visit(node *ast.Node) {
	if r.err != nil {
		return
	}
	operator := ""
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return
	case *ast.IdentifierNode:
		if i, ok := IndicatorByName(n.Value); ok && i.IsBreakdown() {
			r.err = fault.New(fault.WrongType, "when", "a condition reads headline indicators alone, and %s is none", n.Value).
				WithHint("compare one of them, such as unemployment_rate, real_gdp or inflation")
		} else if !ok && n.Value != monthVariable {
			r.err = fault.In("when", fault.Unknown(fault.NotFound, "indicator", n.Value, append([]string{monthVariable}, IndicatorNames()...)))
		}
		return
	case *ast.UnaryNode:
		operator = n.Operator
	case *ast.BinaryNode:
		operator = n.Operator
	}
	if !slices.Contains(conditionOperators, operator) {
		r.err = fault.New(fault.WrongType, "when", "a condition cannot hold %q (character %d)", (*node).String(), (*node).Location().From+1).
			WithHint("only numbers, indicators, month, + - * /, comparisons, and, or, not")
	}
}
