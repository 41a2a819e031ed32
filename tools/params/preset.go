package params

import (
	"context"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/tools"
)

type saveArgs struct {
	Name        tools.Name             `json:"name"`
	Description string                 `json:"description" default:"" max:"2000"`
	Parameters  map[string]tools.Value `json:"parameters,omitempty" min:"1" max:"300" doc:"Only these, over the defaults; left out: the workspace"`
	Overwrite   bool                   `json:"overwrite" default:"false"`
	Shared      *bool                  `json:"shared,omitempty" doc:"Others may overwrite it"`
}

type savedPreset struct {
	Name    string  `json:"name"`
	Count   int     `json:"parameter_count"`
	Created *string `json:"created_at"`
	Path    string  `json:"path"`
}

func savePreset(ctx context.Context, c *tools.Call, w *param.Workspace, in saveArgs) (savedPreset, error) {
	var values map[string]any
	if in.Parameters != nil {
		values = plain(in.Parameters)
	}
	as := param.Saving{By: c.Caller, Overwrite: in.Overwrite, Shared: in.Shared}
	saved, err := w.SavePreset(ctx, string(in.Name), in.Description, values, as)
	return savedPreset{saved.Name, len(saved.Parameters), stamp(saved.CreatedAt), c.File(saved.Path)}, err
}

type loadArgs struct {
	Name  tools.Name `json:"name"`
	Apply bool       `json:"apply" default:"false" doc:"Put it into force"`
}

type loadedPreset struct {
	Name          string                  `json:"name"`
	Description   string                  `json:"description"`
	Created       *string                 `json:"created_at"`
	Parameters    map[string]tools.Value  `json:"parameters" doc:"That it names"`
	Interventions []string                `json:"interventions" doc:"That it plans, the first 50"`
	Applied       bool                    `json:"applied"`
	Changed       map[string]tools.Change `json:"changed" doc:"Values of the workspace"`
	Warnings      []string                `json:"warnings"`
}

func loadPreset(ctx context.Context, w *param.Workspace, in loadArgs) (loadedPreset, error) {
	loaded, err := w.LoadPreset(ctx, string(in.Name), in.Apply)
	if err != nil {
		return loadedPreset{}, err
	}
	out := loadedPreset{
		Name: loaded.Name, Description: fault.Shorten(loaded.Description, 2000), Created: stamp(loaded.CreatedAt),
		Parameters: valuesOf(&loaded.Scenario.Params, loaded.Parameters),
		Applied:    loaded.Applied, Changed: map[string]tools.Change{}, Warnings: loaded.Warnings,
	}
	for _, c := range loaded.Changes {
		out.Changed[c.Name] = tools.ChangeOf(c.Old, c.New)
	}
	plans := loaded.Scenario.Interventions
	for _, v := range plans[:min(len(plans), 50)] {
		out.Interventions = append(out.Interventions, fault.Shorten(v.String(), 300))
	}
	return out, nil
}

type listArgs struct{ tools.Page }

type presetRow struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Created     *string `json:"created_at"`
	Count       int     `json:"parameter_count"`
	BuiltIn     bool    `json:"built_in"`
	Owner       string  `json:"owner,omitempty"` // principal; empty = the operator
	Error       string  `json:"error,omitempty" doc:"Why it cannot be loaded"`
}

type presetList struct {
	Count   int         `json:"count" doc:"On this page"`
	Total   int         `json:"total"`
	Presets []presetRow `json:"presets"`
	Next    string      `json:"next_cursor,omitempty"`
}

func listPresets(ctx context.Context, c *tools.Call, lib *param.Library, in listArgs) (presetList, error) {
	page, err := lib.PresetPage(ctx, in.Cursor, in.Limit)
	list := presetList{Count: len(page.Entries), Total: page.Total, Next: page.Next}
	for _, e := range page.Entries {
		one := presetRow{Name: e.Name, Description: fault.Shorten(e.Description, 160), Created: stamp(e.CreatedAt), Count: len(e.Parameters),
			BuiltIn: e.BuiltIn, Owner: e.Principal}
		if e.Problem != nil {
			one.Error = c.Problem(e.Problem)
		}
		list.Presets = append(list.Presets, one)
	}
	return list, err
}
