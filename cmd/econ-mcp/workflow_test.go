package main

import (
	"context"
	"encoding/json"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/tools"
)

// The steps of a workflow, carried out literally and in order, reach a conclusion, and a
// verdict on the hypothesis by what was planned before the run.
func TestWorkflowReachesAConclusion(t *testing.T) {
	a, err := app.Open(t.TempDir(), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	call := func(name string, arguments any) json.RawMessage {
		t.Helper()
		tool, err := toolNamed(a.Tools(), name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		result, err := tool.Invoke(context.Background(), &tools.Call{Caller: access.Operator(), Workspace: "test", Progress: func(float64, float64, string) {}}, raw)
		if err != nil {
			t.Fatalf("%s %s: %v", name, raw, err)
		}
		return result.JSON
	}
	var workflow struct {
		Steps []struct {
			Tool   string          `json:"tool"`
			Params json.RawMessage `json:"tool_params"`
		} `json:"steps"`
	}
	if err := json.Unmarshal(
		call("get_experiment_workflow", map[string]string{"question": "Who pays for a VAT rise from 8% to 15%?"}), &workflow,
	); err != nil {
		t.Fatal(err)
	}
	var analysis struct {
		Conclusion string `json:"conclusion"`
	}
	var compared struct {
		Rows []struct {
			Metric, Verdict string
			Exploratory     bool
		}
		Asked int
	}
	for _, step := range workflow.Steps {
		answer := call(step.Tool, step.Params)
		for step.Tool == "get_simulation_status" {
			var status struct {
				Running bool `json:"running"`
			}
			if err := json.Unmarshal(answer, &status); err != nil {
				t.Fatal(err)
			}
			if !status.Running {
				break
			}
			answer = call(step.Tool, step.Params)
		}
		switch step.Tool {
		case "analyze_experiment":
			err = json.Unmarshal(answer, &analysis)
		case "compare_experiments":
			err = json.Unmarshal(answer, &compared)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(workflow.Steps) < 6 || analysis.Conclusion == "" {
		t.Errorf("%d steps, conclusion %q", len(workflow.Steps), analysis.Conclusion)
	}
	if len(compared.Rows) == 0 || compared.Rows[0].Metric != "real_consumption" || compared.Rows[0].Verdict != "supported" ||
		compared.Asked != 0 {
		t.Errorf("the hypothesis is about real consumption; %+v", compared)
	}
	for _, row := range compared.Rows {
		if row.Exploratory {
			t.Errorf("%s was not planned", row.Metric)
		}
	}
	t.Log(analysis.Conclusion)
}
