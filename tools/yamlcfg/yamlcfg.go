// Package yamlcfg holds the three tools for configs: YAML files that users may edit and
// share.
package yamlcfg

import (
	"context"
	"strconv"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/tools"
)

// Tools lists the three tools over the workspaces of a server and the library of its users.
func Tools(spaces *param.Spaces, lib *param.Library) []tools.Tool {
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "list_yaml_configs", Title: "List YAML configs", TitleZH: "列出 YAML 配置", Category: tools.YAMLConfigs, Hints: tools.Reads,
			Description: "Configs in the data folder, by name. Users may edit the files.",
		}, func(ctx context.Context, c *tools.Call, in listArgs) (configList, error) {
			return list(ctx, c, lib, in)
		}),
		tools.New(tools.Spec{
			Name: "load_yaml_config", Title: "Load a YAML config", TitleZH: "加载 YAML 配置", Category: tools.YAMLConfigs,
			Hints: tools.Hints{Destructive: true},
			Description: "Load a config into the workspace; it acts from the next start_simulation. A mistake in the file is told with line and " +
				"column, and nothing is applied.",
		}, tools.Within(spaces.Open, load)),
		tools.New(tools.Spec{
			Name: "save_current_config_to_yaml", Title: "Save a YAML config", TitleZH: "保存为 YAML 配置", Category: tools.YAMLConfigs,
			Hints:       tools.Writes,
			Description: "Save the workspace, all values and planned interventions, as a config. Loading it gives the same scenario hash.",
		}, tools.WithinAs(spaces.Open, save)),
	}
}

type listArgs struct{ tools.Page }

type configRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Size        int64  `json:"size" doc:"Bytes"`
	Modified    string `json:"modified_at"`
	Valid       bool   `json:"valid"`
	Owner       string `json:"owner,omitempty"` // principal; empty = the operator
	Error       string `json:"error,omitempty" doc:"Why it cannot be loaded"`
}

type configList struct {
	Count   int         `json:"count" doc:"On this page"`
	Total   int         `json:"total"`
	Configs []configRow `json:"configs"`
	Next    string      `json:"next_cursor,omitempty"`
}

func list(ctx context.Context, c *tools.Call, lib *param.Library, in listArgs) (configList, error) {
	page, err := lib.ConfigPage(ctx, in.Cursor, in.Limit)
	out := configList{Count: len(page.Entries), Total: page.Total, Next: page.Next}
	for _, e := range page.Entries {
		row := configRow{Name: e.Name, Description: fault.Shorten(e.Description, 160), Size: e.Size, Modified: e.ModifiedAt.Format(time.RFC3339),
			Valid: e.Problem == nil, Owner: e.Principal}
		if e.Problem != nil {
			row.Error = c.Problem(e.Problem)
		}
		out.Configs = append(out.Configs, row)
	}
	return out, err
}

type loadArgs struct {
	Name tools.Name `json:"config_name"`
	Mode string     `json:"mode" enum:"replace,overlay" default:"replace" doc:"replace: from the defaults; overlay: what the file names changes, its interventions are added"`
}

type plan struct {
	ID          string `json:"intervention_id"`
	Type        string `json:"type"`
	TargetMonth int    `json:"target_month"`
	Text        string `json:"text"`
}

type loaded struct {
	Success       bool                    `json:"success"`
	Name          string                  `json:"config_name"`
	Loaded        int                     `json:"loaded_parameters" doc:"That the file names"`
	Applied       int                     `json:"applied_parameters" doc:"Of them in force now"`
	Details       map[string]tools.Change `json:"details" doc:"Values that are others now"`
	Interventions []plan                  `json:"interventions" doc:"That are planned now, the first 50"`
	Warnings      []string                `json:"warnings"`
}

func load(ctx context.Context, w *param.Workspace, in loadArgs) (loaded, error) {
	got, err := w.LoadConfig(ctx, string(in.Name), in.Mode == "overlay")
	if err != nil {
		return loaded{}, err
	}
	n := len(got.Parameters)
	out := loaded{Success: true, Name: got.Name, Loaded: n, Applied: n, Details: map[string]tools.Change{}, Warnings: got.Warnings}
	for _, c := range got.Changes {
		out.Details[c.Name] = tools.ChangeOf(c.Old, c.New)
	}
	for _, p := range got.Interventions[:min(len(got.Interventions), 50)] {
		v := p.Intervention
		out.Interventions = append(out.Interventions, plan{p.ID, string(v.Type), v.TargetMonth, fault.Shorten(v.String(), 300)})
	}
	return out, nil
}

type saveArgs struct {
	Name        tools.Name `json:"config_name"`
	Description string     `json:"description" default:"" max:"2000"`
	Overwrite   bool       `json:"overwrite" default:"false"`
	Shared      *bool      `json:"shared,omitempty" doc:"Others may overwrite it"`
}

type saved struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
	Path    string `json:"path"`
	Hash    string `json:"hash" doc:"Of the scenario"`
}

func save(ctx context.Context, c *tools.Call, w *param.Workspace, in saveArgs) (saved, error) {
	as := param.Saving{By: c.Caller, Overwrite: in.Overwrite, Shared: in.Shared}
	got, err := w.SaveConfig(ctx, string(in.Name), in.Description, as)
	if err != nil {
		return saved{}, err
	}
	message := "saved " + strconv.Itoa(len(got.Parameters)) + " parameters and " + strconv.Itoa(got.Interventions) +
		" planned interventions as " + got.Name
	return saved{true, message, c.File(got.Path), got.Hash}, nil
}
