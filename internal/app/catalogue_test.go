package app

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"unicode/utf8"

	"econ-mcp/tools"
)

var update = flag.Bool("update", false, "write the golden files anew")

// contract is the number of tools of each category, in the order of the catalogue.
var contract = []struct {
	category tools.Category
	tools    int
}{
	{tools.Parameters, 10}, {tools.YAMLConfigs, 3}, {tools.Interventions, 5}, {tools.Simulation, 7}, {tools.History, 6}, {tools.Analysis, 5},
	{tools.Automation, 3},
}

// Budgets of the whole catalogue as JSON, in bytes.
const (
	inputBudget  = 28 << 10
	outputBudget = 36 << 10
)

func TestCatalogue(t *testing.T) {
	catalogue := Catalogue()
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	seen := map[string]bool{}
	next, inputs, outputs := 0, 0, 0
	for _, c := range contract {
		for range c.tools {
			if next == len(catalogue) {
				t.Fatalf("%d tools, want 39", len(catalogue))
			}
			tool := catalogue[next]
			next++
			if tool.Category != c.category {
				t.Errorf("%s is of category %s, want %s", tool.Name, tool.Category, c.category)
			}
			if !snake.MatchString(tool.Name) || seen[tool.Name] {
				t.Errorf("%q is no name of its own in snake case", tool.Name)
			}
			seen[tool.Name] = true
			if tool.Title == "" || tool.TitleZH == "" || tool.Description == "" {
				t.Errorf("%s lacks a title or a description", tool.Name)
			}
			if h := tool.Hints; h.ReadOnly && h.Destructive {
				t.Errorf("%s reads only and destroys", tool.Name)
			}
			input, output := mustJSON(t, tool.Input), mustJSON(t, tool.Output)
			inputs += len(tool.Name) + len(tool.Description) + len(input)
			outputs += len(output)
		}
	}
	if next != len(catalogue) || next != 39 {
		t.Errorf("%d tools, want 39", len(catalogue))
	}
	t.Logf("names, descriptions and input schemas: %d bytes; output schemas %d", inputs, outputs)
	if inputs > inputBudget {
		t.Errorf("names, descriptions and input schemas have %d bytes, more than %d", inputs, inputBudget)
	}
	if outputs > outputBudget {
		t.Errorf("output schemas have %d bytes, more than %d", outputs, outputBudget)
	}
	if n := utf8.RuneCountInString(instructions); n > 1200 {
		t.Errorf("the instructions have %d characters, more than 1,200", n)
	}
}

// golden is what a client sees of a tool.
type golden struct {
	Name         string        `json:"name"`
	Title        string        `json:"title"`
	TitleZH      string        `json:"title_zh"`
	Description  string        `json:"description"`
	ReadOnly     bool          `json:"read_only"`
	Destructive  bool          `json:"destructive"`
	Idempotent   bool          `json:"idempotent"`
	InputSchema  *tools.Schema `json:"input_schema"`
	OutputSchema *tools.Schema `json:"output_schema"`
}

// A change of what clients see is a change of a golden file: go test -update.
func TestGoldenTools(t *testing.T) {
	for _, tool := range Catalogue() {
		data, err := json.MarshalIndent(golden{
			tool.Name, tool.Title, tool.TitleZH, tool.Description, tool.Hints.ReadOnly, tool.Hints.Destructive, tool.Hints.Idempotent, tool.Input,
			tool.Output,
		}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, '\n')
		path := filepath.Join("testdata", "tools", tool.Name+".json")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != string(data) {
			t.Errorf("%s differs from %s; if that is meant, run go test ./internal/app -update", tool.Name, path)
		}
	}
}

func mustJSON(tb testing.TB, v any) []byte {
	tb.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
