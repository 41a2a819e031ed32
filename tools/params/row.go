package params

import (
	"context"
	"fmt"
	"strings"

	"econ-mcp/docs"
	"econ-mcp/internal/param"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// row is a parameter as lists show it.
type row struct {
	Name        string      `json:"name"`
	Value       tools.Value `json:"value"`
	Default     tools.Value `json:"default_value"`
	Type        string      `json:"type" enum:"number,integer,boolean,choice,schedule"`
	Min         *float64    `json:"min_value"`
	Max         *float64    `json:"max_value"`
	Choices     []string    `json:"choices"`
	Unit        string      `json:"unit"`
	Description string      `json:"description"`
	Category    string      `json:"category"`
	Live        bool        `json:"live" doc:"May change while a simulation runs"`
}

func rowOf(p *sim.Params, r sim.Parameter) row {
	low, high := bounds(r)
	return row{
		Name: r.Name, Value: tools.Value{X: r.Value(p)}, Default: tools.Value{X: r.Default}, Type: string(r.Type),
		Min: low, Max: high, Choices: r.Choices, Unit: r.Unit, Description: r.Meaning, Category: r.Category, Live: r.Live,
	}
}

type getAllArgs struct {
	Category category `json:"category" default:"all"`
	Format   string   `json:"format" enum:"json,markdown,table" default:"json" doc:"markdown, table: rows in text, categories empty"`
}

type parameterList struct {
	Workspace  string           `json:"workspace"`
	Count      int              `json:"count"`
	Categories map[string][]row `json:"categories"`
	Text       string           `json:"text,omitempty"`
}

func getAll(_ context.Context, c *tools.Call, w *param.Workspace, in getAllArgs) (parameterList, error) {
	p := w.Scenario().Params
	list := parameterList{Workspace: c.Workspace, Categories: map[string][]row{}}
	rows := in.Category.rows()
	list.Count = len(rows)
	switch in.Format {
	case "markdown":
		list.Text = markdown(&p, rows)
	case "table":
		list.Text = table(&p, rows)
	default:
		for _, r := range rows {
			if in.Category == "all" { // so that the answer stays below its limit whatever the values are
				r.Meaning = r.Label
			}
			list.Categories[r.Category] = append(list.Categories[r.Category], rowOf(&p, r))
		}
	}
	return list, nil
}

func markdown(p *sim.Params, rows []sim.Parameter) string {
	var b strings.Builder
	category := ""
	for _, r := range rows {
		if r.Category != category {
			category = r.Category
			fmt.Fprintf(&b, "\n## %s\n\n| parameter | value | default | range | unit | meaning |\n|---|---|---|---|---|---|\n", category)
		}
		fmt.Fprintf(&b, "| %s | %v | %v | %s | %s | %s |\n", r.Name, r.Value(p), r.Default, r.Range(), r.Unit, r.Meaning)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func table(p *sim.Params, rows []sim.Parameter) string {
	var b strings.Builder
	category := ""
	for _, r := range rows {
		if r.Category != category {
			category = r.Category
			fmt.Fprintf(&b, "\n%s\n", category)
		}
		fmt.Fprintf(&b, "  %-40s %8v  [%s] %s\n", r.Name, r.Value(p), r.Range(), r.Unit)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

type getArgs struct {
	Name string `json:"parameter_name" doc:"Such as vat_rate; get_all_parameters lists them"`
}

// detail is a parameter with all that is known of it.
type detail struct {
	row
	Impact  string `json:"impact" doc:"What it drives"`
	Formula string `json:"formula" doc:"Where it acts, from the model's description"`
	Source  string `json:"source" doc:"Of the default"`
}

func get(_ context.Context, w *param.Workspace, in getArgs) (detail, error) {
	r, err := sim.Lookup(in.Name)
	if err != nil {
		return detail{}, err
	}
	p := w.Scenario().Params
	formula := docs.Equation(r.Name)
	if r.Technical {
		formula = "In none: it says how a simulation is carried out, not what comes out."
	}
	return detail{rowOf(&p, r), r.Effect, formula, r.Source}, nil
}
