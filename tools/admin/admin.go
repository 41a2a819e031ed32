// Package admin has the tools of the toolset +admin, which a server offers only where it is asked
// to: they remove for good what the 39 tools make.
package admin

import (
	"context"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/tools"
)

// Toolset is how the operator asks for these tools: serve --toolsets +admin.
const Toolset = "+admin"

// Tools lists the category in the order of the catalogue.
func Tools(laboratory *lab.Laboratory, library *param.Library) []tools.Tool {
	d := deps{laboratory, library}
	return []tools.Tool{
		tools.New(tools.Spec{
			Name: "delete_experiment", Title: "Delete an experiment", TitleZH: "删除实验", Category: tools.Administration, Hints: tools.Writes,
			Description: "Remove an experiment with all its runs, series and analyses, for good. Only its owner may, and it must not run. " +
				"Archiving keeps it: update_experiment_status.",
		}, d.experiment),
		tools.New(tools.Spec{
			Name: "delete_preset", Title: "Delete a preset", TitleZH: "删除预设", Category: tools.Administration, Hints: tools.Writes,
			Description: "Remove a saved preset for good. Only its owner may; built-in ones stay. Experiments that used it keep their parameters.",
		}, d.preset),
		tools.New(tools.Spec{
			Name: "delete_config", Title: "Delete a config", TitleZH: "删除配置", Category: tools.Administration, Hints: tools.Writes,
			Description: "Remove a saved YAML config for good. Only its owner may. Experiments that used it keep their parameters.",
		}, d.config),
	}
}

// deps is what the handlers of this package work on.
type deps struct {
	lab     *lab.Laboratory
	library *param.Library
}

type experimentArgs struct {
	Experiment tools.Name `json:"experiment_name"`
}

type experimentResult struct {
	Experiment string `json:"experiment_name"`
	Deleted    bool   `json:"deleted"`
	Runs       int    `json:"runs"`
	Months     int    `json:"months" doc:"of all runs together"`
	Bytes      int64  `json:"bytes" doc:"that it took, about"`
}

func (d deps) experiment(ctx context.Context, c *tools.Call, in experimentArgs) (experimentResult, error) {
	gone, err := d.lab.Delete(ctx, string(in.Experiment), c.Caller)
	return experimentResult{string(in.Experiment), err == nil, gone.Runs, gone.Months, gone.Bytes}, err
}

type presetArgs struct {
	Name tools.Name `json:"name"`
}

type presetResult struct {
	Name    string `json:"name"`
	Deleted bool   `json:"deleted"`
}

func (d deps) preset(ctx context.Context, c *tools.Call, in presetArgs) (presetResult, error) {
	err := d.library.DeletePreset(ctx, string(in.Name), c.Caller)
	return presetResult{string(in.Name), err == nil}, err
}

type configArgs struct {
	Config tools.Name `json:"config_name"`
}

type configResult struct {
	Config  string `json:"config_name"`
	Deleted bool   `json:"deleted"`
}

func (d deps) config(ctx context.Context, c *tools.Call, in configArgs) (configResult, error) {
	err := d.library.DeleteConfig(ctx, string(in.Config), c.Caller)
	return configResult{string(in.Config), err == nil}, err
}
