package admin_test

import (
	"maps"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/tools/toolstest"
)

func TestDeletingTools(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("save_preset", `{"name":"mine"}`)
	d.Call("save_current_config_to_yaml", `{"config_name":"mine"}`)
	d.Run("done", `"months":2`)
	d.Call("start_simulation", `{"experiment_name":"paused","pause_at_month":2}`)
	d.Wait("paused", "paused")

	state := d.State()
	d.Refused("delete_experiment", `{"experiment_name":"paused"}`, fault.InvalidState, "experiment_name")
	d.Refused("delete_experiment", `{"experiment_name":"dome"}`, fault.NotFound, "experiment_name")
	d.Refused("delete_experiment", `{}`, fault.Required, "experiment_name")
	d.Refused("delete_experiment", `{"experiment_name":"../done"}`, fault.WrongType, "experiment_name")
	d.Refused("delete_preset", `{"name":"baseline"}`, fault.Conflict, "name")
	d.Refused("delete_preset", `{"name":"mime"}`, fault.NotFound, "name")
	d.Refused("delete_config", `{"config_name":"baseline"}`, fault.NotFound, "config_name")
	d.Refused("delete_config", `{}`, fault.Required, "config_name")
	if after := d.State(); !maps.Equal(after, state) {
		t.Error("a refusal changed something")
	}

	d.Call("delete_experiment", `{"experiment_name":"done"}`).Want(map[string]any{"deleted": true, "runs": 1., "months": 2.})
	d.Refused("get_experiment_summary", `{"experiment_name":"done"}`, fault.NotFound, "experiment_name")
	d.Call("delete_preset", `{"name":"mine"}`).Want(map[string]any{"deleted": true})
	d.Refused("load_preset", `{"name":"mine"}`, fault.NotFound, "name")
	d.Call("delete_config", `{"config_name":"mine"}`).Want(map[string]any{"deleted": true})
	d.Refused("load_yaml_config", `{"config_name":"mine"}`, fault.NotFound, "config_name")
}
