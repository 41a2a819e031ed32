package sim

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
)

// ParamType is how callers see a parameter's type.
type ParamType string

const (
	TypeNumber  ParamType = "number"
	TypeInteger ParamType = "integer"
	TypeBoolean ParamType = "boolean"
	TypeChoice  ParamType = "choice"
	// TypeSchedule is a [RateTable]: rates by threshold or by industry.
	TypeSchedule ParamType = "schedule"
)

// Parameter is one row of the catalogue: all that is known about one field of
// [Params].
type Parameter struct {
	Name      string
	Category  string
	Type      ParamType // follows from the field
	Default   any       // float64, int, bool or string, as Type says
	Min, Max  float64   // hard range of numbers, integers and the rates of a schedule, both ends included
	Choices   []string
	Keys      Keys // of a schedule
	Unit      string
	Live      bool   // may change while a simulation runs
	Technical bool   // changes no result, and is no part of a scenario's hash
	Label     string // what people call it
	LabelZH   string
	Meaning   string
	MeaningZH string
	Effect    string // what it drives
	Source    string

	field func(*Params) any // address of the field
}

var catalogue, baseline = assembled(slices.Concat(
	scaleParameters,
	policyParameters,
	transferParameters,
	subsidyParameters,
	shockParameters,
	laborParameters,
	marketParameters,
	engelParameters,
	demandParameters,
	cycleParameters,
	technologyParameters,
	innovationKindParameters,
	automationParameters,
	financeParameters,
	bankParameters,
	technicalParameters,
	demographyParameters,
	tradeParameters,
	entryParameters,
))

// Catalogue lists all parameters, category by category.
func Catalogue() []Parameter { return slices.Clone(catalogue) }

// ParameterNames lists the names of all parameters, in the order of the catalogue.
func ParameterNames() (names []string) {
	for _, row := range catalogue {
		names = append(names, row.Name)
	}
	return names
}

// Categories lists the categories of the catalogue, in its order.
func Categories() []string { return categoriesOf(catalogue) }

func categoriesOf(rows []Parameter) (names []string) {
	for _, row := range rows {
		if !slices.Contains(names, row.Category) {
			names = append(names, row.Category)
		}
	}
	return names
}

// Lookup finds a parameter by name; its error offers the nearest names.
func Lookup(name string) (Parameter, error) {
	for i := range catalogue {
		if catalogue[i].Name == name {
			return catalogue[i], nil
		}
	}
	unknown := fault.Unknown(fault.UnknownParameter, "parameter", name, ParameterNames())
	if instead, was := Retired(name); was {
		unknown = unknown.WithHint(instead)
	}
	return Parameter{}, unknown
}

// retired are the parameters of earlier model versions, with what to use instead.
var retired = map[string]string{
	"investment_interest_sensitivity": "it ended with model version 0.7.0: capital_user_cost_elasticity says how investment answers to interest",
	"engel_slope_factor":              "it ended with model version 0.7.0: enable_engel_curves says whether budgets differ by income, as estimated",
}

// Retired says whether a name is that of a parameter of an earlier model version, and what to use instead. Files that
// still name it are read without it.
func Retired(name string) (instead string, was bool) {
	instead, was = retired[name]
	return instead, was
}

// Defaults is the baseline economy.
func Defaults() Params { return baseline }

// Get returns a parameter's value as float64, int, bool or string.
func (p *Params) Get(name string) (any, error) {
	row, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return row.Value(p), nil
}

// Set changes one parameter within its type and hard range. It takes any kind
// of number, a bool or a string, which is parsed to the parameter's type. An
// error leaves p as it was. Rules that tie parameters together are
// [Params.Validate]'s.
func (p *Params) Set(name string, value any) error {
	row, err := Lookup(name)
	if err != nil {
		return err
	}
	v, err := row.parse(value)
	if err != nil {
		return err
	}
	if err := row.check(v); err != nil {
		return err
	}
	row.store(p, v)
	return nil
}

// Validate checks every hard range, and then the rules that tie parameters
// together. It reports the first violation.
func (p *Params) Validate() error {
	for _, row := range catalogue {
		if err := row.check(row.Value(p)); err != nil {
			return err
		}
	}
	return p.crossCheck()
}

// Diff names the parameters in which a and b differ, technical ones aside.
func Diff(a, b Params) []string {
	return diff(&a, &b, func(row *Parameter) bool { return !row.Technical })
}

// DiffNotLive names the parameters that differ and cannot change during a run.
// Months, burn-in months and seed are left out: they say how long and with
// which draws an economy runs, not which economy it is.
func DiffNotLive(a, b Params) []string {
	return diff(&a, &b, func(row *Parameter) bool {
		switch row.Name {
		case "num_iterations", "burn_in_months", "random_state":
			return false
		}
		return !row.Live && !row.Technical
	})
}

func diff(a, b *Params, concerns func(*Parameter) bool) []string {
	var differ []string
	for i := range catalogue {
		if row := &catalogue[i]; concerns(row) && !row.Same(a, b) {
			differ = append(differ, row.Name)
		}
	}
	return differ
}

// crossCheck holds the rules that no single row can state.
func (p *Params) crossCheck() error {
	q := *p
	q.EnableOpenEntry = false // rows in reserve are not firms
	l := layoutOf(q)
	if least := p.MinPerCat * p.NumIndustries; l.consumptionFirms < least {
		return fault.New(fault.Conflict, "num_households",
			"%d households with %d per firm leave %d firms for consumption goods, but %d industries of at least %d firms need %d",
			p.NumHouseholds, p.HouseholdsPerFirm, max(0, l.consumptionFirms), p.NumIndustries, p.MinPerCat, least).
			WithHint("raise num_households, or lower households_per_firm, num_industries or min_per_cat")
	}
	for j := range p.NumIndustries {
		if size := int(l.industryStart[j+1] - l.industryStart[j]); size < l.linksPerIndustry {
			return fault.New(fault.Conflict, "suppliers_per_industry",
				"%d suppliers per industry, but industry %d has %d firms", l.linksPerIndustry, j+1, size).
				WithHint("lower suppliers_per_industry, or raise num_households or min_per_cat")
		}
	}
	return nil
}

// Range says which values a parameter takes, such as "0 to 0.6".
func (row Parameter) Range() string {
	switch row.Type {
	case TypeBoolean:
		return "true, false"
	case TypeChoice:
		return strings.Join(row.Choices, ", ")
	case TypeSchedule:
		return string(row.Keys) + ": " + formatNumber(row.Min) + " to " + formatNumber(row.Max)
	}
	return formatNumber(row.Min) + " to " + formatNumber(row.Max)
}

// Value is the parameter's value in p.
func (row Parameter) Value(p *Params) any {
	switch f := row.field(p).(type) {
	case *float64:
		return *f
	case *int:
		return *f
	case *bool:
		return *f
	case *string:
		return *f
	case *RateTable:
		return string(*f)
	}
	panic("sim: field of " + row.Name + " has a type that the catalogue does not know")
}

// store puts a value in that parse has given the field's type.
func (row Parameter) store(p *Params, v any) {
	switch f := row.field(p).(type) {
	case *float64:
		*f = v.(float64) + 0 // so that -0 becomes 0
	case *int:
		*f = v.(int)
	case *bool:
		*f = v.(bool)
	case *string:
		*f = v.(string)
	case *RateTable:
		*f = RateTable(v.(string))
	}
}

// check tests a value of the parameter's own type against its hard range.
func (row Parameter) check(v any) error {
	switch v := v.(type) {
	case float64:
		if !(row.Min <= v && v <= row.Max) { // so that NaN fails
			return row.outOfRange(formatNumber(v))
		}
	case int:
		if float64(v) < row.Min || float64(v) > row.Max {
			return row.outOfRange(strconv.Itoa(v))
		}
	case string:
		if row.Type == TypeSchedule {
			return row.checkRates(RateTable(v))
		}
		if !slices.Contains(row.Choices, v) {
			return fault.Range(row.Name, strconv.Quote(v), row.Choices...)
		}
	}
	return nil
}

// parse converts a caller's value to the parameter's type.
func (row Parameter) parse(value any) (any, error) {
	v := reflect.ValueOf(value)
	switch row.Type {
	case TypeNumber:
		if f, ok := number(v); ok {
			return f, nil
		}
	case TypeInteger:
		if v.CanInt() {
			return int(v.Int()), nil
		}
		if i, err := strconv.Atoi(strings.TrimSpace(v.String())); err == nil {
			return i, nil
		}
		if f, ok := number(v); ok {
			return row.integer(f, value)
		}
	case TypeBoolean:
		switch v.Kind() {
		case reflect.Bool:
			return v.Bool(), nil
		case reflect.String:
			switch strings.ToLower(strings.TrimSpace(v.String())) {
			case "true":
				return true, nil
			case "false":
				return false, nil
			}
		}
	case TypeChoice:
		if v.Kind() == reflect.String {
			return strings.TrimSpace(v.String()), nil
		}
	case TypeSchedule:
		return row.parseRates(value)
	}
	return nil, row.wrongType(value)
}

// number is the value of any kind of number, and of text that is one.
func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.Kind() == reflect.String:
		return parseNumber(v.String())
	}
	return 0, false
}

// integer converts a float that holds a whole number. Infinite and huge ones
// are out of range, fractions are of the wrong type.
func (row Parameter) integer(f float64, value any) (any, error) {
	switch {
	case math.IsNaN(f) || math.Abs(f) > 1<<53:
		return nil, row.outOfRange(formatNumber(f))
	case f != math.Trunc(f):
		return nil, row.wrongType(value)
	}
	return int(f), nil
}

func (row Parameter) outOfRange(value string) error {
	return fault.Range(row.Name, value, row.Range())
}

func (row Parameter) wrongType(value any) error {
	shown := fmt.Sprint(value)
	if s, ok := value.(string); ok {
		shown = strconv.Quote(s)
	}
	want := string(row.Type)
	switch row.Type {
	case TypeChoice:
		want += " (" + row.Range() + ")"
	case TypeSchedule:
		want += ` (such as "` + map[Keys]string{KeysThreshold: "1: 0.3, 2.5: 0.42", KeysIndustry: "01: 0.05, 07: 0.2"}[row.Keys] + `")`
	}
	return fault.Type(row.Name, shown, want)
}

// parseNumber reads a decimal number. One too large for a float64 is infinite,
// which no range allows.
func parseNumber(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return f, err == nil || math.IsInf(f, 0)
}

// formatNumber writes a number without an exponent as long as it stays short.
func formatNumber(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a > 1<<53) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// assembled brings rows of the same category together, in the order in which the
// categories first appear, gives each row the type of its field, and returns the rows with
// the parameters that have their defaults.
func assembled(rows []Parameter) ([]Parameter, Params) {
	order := categoriesOf(rows)
	slices.SortStableFunc(rows, func(a, b Parameter) int {
		return slices.Index(order, a.Category) - slices.Index(order, b.Category)
	})
	var defaults Params
	for i := range rows {
		row := &rows[i]
		switch row.field(&defaults).(type) {
		case *float64:
			row.Type = TypeNumber
		case *int:
			row.Type = TypeInteger
		case *bool:
			row.Type = TypeBoolean
		case *string:
			row.Type = TypeChoice
		case *RateTable:
			row.Type = TypeSchedule
		}
		row.store(&defaults, row.Default)
	}
	return rows, defaults
}
