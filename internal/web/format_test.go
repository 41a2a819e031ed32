package web

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// The module format.js writes every number as package report does: values and differences of all readings.
func TestFormatAsReport(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node, which runs the module")
	}
	of := map[string]sim.Indicator{}
	for i := range sim.NumOutcomes {
		of[report.Reading(i)] = i
	}
	if len(of) != 4 {
		t.Fatalf("%d readings, want plain, share, money and fraction: %v", len(of), of)
	}
	numbers := []float64{0, math.Copysign(0, -1), .0004, -.0004, .00005, .0005, .00125, .125, .5, 2.5, 99.995, 100, 100.25, 999.95, 1000,
		1234.5, 1235.5, 9999.5, 1e4, 12345, 999950, 1e6, 1234567.5, 1e9, 1e12, 123456789012345, 1e21, 1.5e22, -1e6, -2.5, 1. / 3, 5e-324,
		math.MaxFloat64}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		x := (random.Float64() - .5) * math.Pow(10, float64(random.IntN(18)-4))
		numbers = append(numbers, x, math.Round(x*8)/8) // eighths are halfway between decimals
	}
	type row struct {
		Reading    string   `json:"reading"`
		X          *float64 `json:"x"`
		Value      string   `json:"value"`
		Difference string   `json:"difference"`
	}
	var want []row
	for reading, i := range of {
		want = append(want, row{reading, nil, report.FormatValue(i, math.NaN()), report.FormatDifference(i, math.NaN())})
		for _, x := range numbers {
			want = append(want, row{reading, &x, report.FormatValue(i, x), report.FormatDifference(i, x)})
		}
	}
	input, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	module, err := files.ReadFile("assets/format.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const program = `import { readFileSync } from "node:fs";
import { value, difference } from "./format.mjs";
const rows = JSON.parse(readFileSync(new URL("./rows.json", import.meta.url)));
process.stdout.write(JSON.stringify(rows.map((r) => ({ ...r, value: value(r.reading, r.x), difference: difference(r.reading, r.x) }))));`
	for name, text := range map[string][]byte{"format.mjs": module, "rows.json": input, "main.mjs": []byte(program)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(node, "main.mjs")
	command.Dir, command.Stderr = dir, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []row
	if err := json.Unmarshal(output, &got); err != nil || len(got) != len(want) {
		t.Fatalf("%d rows, want %d: %v", len(got), len(want), err)
	}
	wrong := 0
	for k, w := range want {
		if g := got[k]; (g.Value != w.Value || g.Difference != w.Difference) && wrong < 20 {
			wrong++
			t.Errorf("%s of %v: %q and %q, want %q and %q", w.Reading, input64(w.X), g.Value, g.Difference, w.Value, w.Difference)
		}
	}
}

// input64 is a number of a row for a message.
func input64(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
