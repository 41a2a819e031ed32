// Package params holds the ten tools that show and change the parameters of a workspace,
// and the presets that parameters are saved to and loaded from.
package params

import (
	"context"
	"slices"
	"strconv"
	"time"

	"econ-mcp/internal/param"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// Tools lists the ten tools over the workspaces of a server and the library of its users.
func Tools(spaces *param.Spaces, lib *param.Library) []tools.Tool {
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "get_all_parameters", Title: "List parameters", TitleZH: "列出参数", Category: tools.Parameters, Hints: tools.Reads,
			Description: "Parameters of the workspace by category: value, default, range, unit, meaning. get_parameter has more of one.",
		}, tools.WithinAs(spaces.Open, getAll)),
		tools.New(tools.Spec{
			Name: "get_parameter", Title: "Explain a parameter", TitleZH: "查看参数", Category: tools.Parameters, Hints: tools.Reads,
			Description: "All that is known of one parameter: value, range, meaning, what it drives, the equation it acts in, the source of its " +
				"default.",
		}, tools.Within(spaces.Open, get)),
		tools.New(tools.Spec{
			Name: "set_parameter", Title: "Set a parameter", TitleZH: "设置参数", Category: tools.Parameters, Hints: tools.Sets,
			Description: "Set one parameter in the workspace; it acts from the next start_simulation. To change a running simulation use " +
				"inject_intervention.",
		}, tools.Within(spaces.Open, set)),
		tools.New(tools.Spec{
			Name: "batch_set_parameters", Title: "Set several parameters", TitleZH: "批量设置参数", Category: tools.Parameters, Hints: tools.Adds,
			Description: "Set several parameters at once: all, or none if one is refused.",
		}, tools.WithinAs(spaces.Open, setAll)),
		tools.New(tools.Spec{
			Name: "validate_parameters", Title: "Validate parameters", TitleZH: "校验参数", Category: tools.Parameters, Hints: tools.Reads,
			Description: "Check whether values could be set together, without setting them, and say what is odd about them.",
		}, tools.Within(spaces.Open, validate)),
		tools.New(tools.Spec{
			Name: "reset_parameters", Title: "Reset parameters", TitleZH: "重置参数", Category: tools.Parameters, Hints: tools.Writes,
			Description: "Give parameters their defaults again. Planned interventions stay.",
		}, tools.Within(spaces.Open, reset)),
		tools.New(tools.Spec{
			Name: "save_preset", Title: "Save a preset", TitleZH: "保存预设", Category: tools.Parameters, Hints: tools.Writes,
			Description: "Save the workspace (values and planned interventions), or only the given parameters over the defaults, as a preset.",
		}, tools.WithinAs(spaces.Open, savePreset)),
		tools.New(tools.Spec{
			Name: "load_preset", Title: "Load a preset", TitleZH: "加载预设", Category: tools.Parameters, Hints: tools.Writes,
			Description: "Shows a preset. Only with apply=true does it set anything: it then replaces all values and planned interventions of " +
				"the workspace.",
		}, tools.Within(spaces.Open, loadPreset)),
		tools.New(tools.Spec{
			Name: "list_presets", Title: "List presets", TitleZH: "列出预设", Category: tools.Parameters, Hints: tools.Reads,
			Description: "Presets, built in and saved, by name.",
		}, func(ctx context.Context, c *tools.Call, in listArgs) (presetList, error) {
			return listPresets(ctx, c, lib, in)
		}),
		tools.New(tools.Spec{
			Name: "get_parameter_ranges", Title: "Parameter ranges", TitleZH: "参数取值范围", Category: tools.Parameters, Hints: tools.Reads,
			Description: "Type, range, choices, default and unit of parameters, by name.",
		}, func(_ context.Context, _ *tools.Call, in rangesArgs) (map[string]valueRange, error) {
			return ranges(in.Category), nil
		}),
	}
}

type setArgs struct {
	Name     string      `json:"parameter_name" doc:"Such as vat_rate"`
	Value    tools.Value `json:"value" doc:"A schedule is text such as \"01: 0.05, 07: 0.2\""`
	Validate bool        `json:"validate" default:"true" doc:"Also warn of unusual values and of parameters that do not act"`
}

// setting is the result for one parameter that was set. A value that is refused is an
// error, so that errors stays empty.
type setting struct {
	Success  bool        `json:"success"`
	Valid    bool        `json:"valid"`
	Old      tools.Value `json:"old_value"`
	New      tools.Value `json:"new_value"`
	Warnings []string    `json:"warnings"`
	Errors   []string    `json:"errors"`
}

func settingOf(s param.Setting) setting {
	return setting{Success: true, Valid: true, Old: tools.Value{X: s.Old}, New: tools.Value{X: s.New}, Warnings: s.Warnings}
}

func set(ctx context.Context, w *param.Workspace, in setArgs) (setting, error) {
	s, err := w.Set(ctx, in.Name, in.Value.X, in.Validate)
	return settingOf(s), err
}

type batchArgs struct {
	Parameters map[string]tools.Value `json:"parameters" max:"300" doc:"Values by name"`
	Scenario   tools.Name             `json:"scenario_name,omitempty" doc:"Also save the workspace as a new preset of this name"`
}

type batch struct {
	Success  bool               `json:"success"`
	Updated  int                `json:"updated_count"`
	Failed   int                `json:"failed_count"`
	Scenario string             `json:"scenario_name"`
	Details  map[string]setting `json:"details"`
}

func setAll(ctx context.Context, c *tools.Call, w *param.Workspace, in batchArgs) (batch, error) {
	settings, err := w.SetAll(ctx, plain(in.Parameters), string(in.Scenario), c.Caller)
	if err != nil {
		return batch{}, err
	}
	b := batch{Success: true, Updated: len(settings), Scenario: string(in.Scenario), Details: map[string]setting{}}
	for _, s := range settings {
		b.Details[s.Name] = settingOf(s)
	}
	return b, nil
}

type validateArgs struct {
	Parameters map[string]tools.Value `json:"parameters" max:"300" doc:"Values by name, on top of the workspace's"`
}

type verdict struct {
	Valid    bool     `json:"valid"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
}

type crossCheck struct {
	Parameters []string `json:"parameters"`
	Severity   string   `json:"severity" enum:"error,warning"`
	Message    string   `json:"message"`
}

type validation struct {
	Valid   bool               `json:"valid"`
	Details map[string]verdict `json:"details"`
	Cross   []crossCheck       `json:"cross_checks" doc:"Rules between parameters that the values break"`
}

func validate(_ context.Context, w *param.Workspace, in validateArgs) (validation, error) {
	found := w.Validate(plain(in.Parameters))
	v := validation{Valid: found.Valid, Details: map[string]verdict{}}
	for name, check := range found.Values {
		one := verdict{Valid: check.Err == nil, Warnings: check.Warnings}
		if check.Err != nil {
			one.Errors = []string{check.Err.Error()}
		}
		v.Details[name] = one
	}
	for _, c := range found.Cross {
		severity := "warning"
		if c.Forbidden {
			severity = "error"
		}
		v.Cross = append(v.Cross, crossCheck{c.Parameters, severity, c.Message})
	}
	return v, nil
}

type resetArgs struct {
	Parameters []string `json:"parameters,omitempty" min:"1" max:"300" doc:"Names; all where left out"`
}

type resetResult struct {
	Count   int      `json:"reset_count"`
	Reset   []string `json:"reset" doc:"Parameters that had another value"`
	Message string   `json:"message"`
}

func reset(ctx context.Context, w *param.Workspace, in resetArgs) (resetResult, error) {
	names, err := w.Reset(ctx, in.Parameters)
	if err != nil {
		return resetResult{}, err
	}
	message := strconv.Itoa(len(names)) + " parameters are back at their defaults"
	if len(names) == 0 {
		message = "they had their defaults already"
	}
	if n := len(w.Planned()); n > 0 {
		message += "; planned interventions stay: " + strconv.Itoa(n)
	}
	return resetResult{len(names), names, message}, nil
}

// plain takes values out of their envelopes.
func plain(values map[string]tools.Value) map[string]any {
	out := make(map[string]any, len(values))
	for name, v := range values {
		out[name] = v.X
	}
	return out
}

// valuesOf are the values in p of the named parameters.
func valuesOf(p *sim.Params, names []string) map[string]tools.Value {
	values := make(map[string]tools.Value, len(names))
	for _, name := range names {
		if v, err := p.Get(name); err == nil {
			values[name] = tools.Value{X: v}
		}
	}
	return values
}

// stamp writes a time; a missing one is null.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(time.RFC3339)
	return &text
}

// category is one of the catalogue's, or all.
type category string

// Enum lists the choices.
func (category) Enum() []string { return append([]string{"all"}, sim.Categories()...) }

// rows of the catalogue in a category.
func (c category) rows() []sim.Parameter {
	return slices.DeleteFunc(sim.Catalogue(), func(row sim.Parameter) bool { return c != "all" && row.Category != string(c) })
}

type rangesArgs struct {
	Category category `json:"category" default:"all"`
}

type valueRange struct {
	Type    string      `json:"type"`
	Min     *float64    `json:"min"`
	Max     *float64    `json:"max"`
	Choices []string    `json:"choices"`
	Default tools.Value `json:"default"`
	Unit    string      `json:"unit"`
}

func ranges(c category) map[string]valueRange {
	out := map[string]valueRange{}
	for _, row := range c.rows() {
		low, high := bounds(row)
		out[row.Name] = valueRange{string(row.Type), low, high, row.Choices, tools.Value{X: row.Default}, row.Unit}
	}
	return out
}

// bounds of a number, or of the rates of a schedule; others have none.
func bounds(row sim.Parameter) (low, high *float64) {
	if row.Type == sim.TypeBoolean || row.Type == sim.TypeChoice {
		return nil, nil
	}
	return &row.Min, &row.Max
}
