package lab_test

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
)

// testdata has what earlier builds left behind, see the README there.
const testdata = "../store/testdata"

// archives are the stores of all builds by build and state, such as 0.4.0/paused.
func archives(tb testing.TB) []string {
	tb.Helper()
	list, err := fs.Glob(os.DirFS(testdata), "*/*.zip")
	if err != nil || len(list) == 0 {
		tb.Fatalf("no fixtures: %v", err)
	}
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], ".zip")
	}
	return list
}

// mustUnpack unpacks an archive: the folder of a store, and of what its build exported of
// the experiments in it.
func mustUnpack(tb testing.TB, archive string) (dir, exported string) {
	tb.Helper()
	files, err := zip.OpenReader(filepath.Join(testdata, archive+".zip"))
	if err != nil {
		tb.Fatal(err)
	}
	defer files.Close()
	dir = tb.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(dir, "store"), filepath.Join(dir, "exported")
}

// What an earlier build left behind is listed, shown and planned in its states, and what it
// had completed has the numbers, effects, report and plan of that build.
func TestExperimentsOfEarlierBuilds(t *testing.T) {
	interventions := map[string]int{"running": 1}
	exports := make(map[string]int) // by build
	for _, archive := range archives(t) {
		t.Run(archive, func(t *testing.T) {
			dir, exported := mustUnpack(t, archive)
			w := &workshop{tb: t, dir: dir, Settings: run.Settings{Threads: 1, MemoryBytes: 1 << 30}}
			w.open()
			t.Cleanup(w.close)
			list, _, _, err := w.List(context.Background(), store.Filter{})
			if err != nil || len(list) == 0 {
				t.Fatalf("%d experiments, %v", len(list), err)
			}
			for _, x := range list {
				s, err := w.Status(context.Background(), x.Name)
				if err != nil || s.Running() || string(s.State) != x.State || s.Month != x.Month {
					t.Errorf("%s: %s in month %d, %v; want %s in month %d", x.Name, s.State, s.Month, err, x.State, x.Month)
				}
				planned, err := w.Planned(context.Background(), x.Name)
				if want := interventions[x.Name]; err != nil || len(planned) != want {
					t.Errorf("%s: %d interventions are planned, %v; want %d", x.Name, len(planned), err, want)
				}
				for _, arm := range x.Arms {
					if scenario, err := w.Scenario(context.Background(), x.Name, arm.Name); err != nil || scenario.Params.NumHouseholds != x.Households {
						t.Errorf("%s/%s: %d households, %v; want %d", x.Name, arm.Name, scenario.Params.NumHouseholds, err, x.Households)
					}
				}
				if files := filepath.Join(exported, x.Name); x.State == string(run.StateCompleted) && isFolder(files) {
					exports[path.Dir(archive)]++
					asExported(t, w.Laboratory, x, files)
				}
			}
		})
	}
	for build, n := range exports {
		if n != 3 {
			t.Errorf("%d experiments of %s were exported, want 3", n, build)
		}
	}
	if len(exports) < 2 {
		t.Errorf("there are exports of %d builds", len(exports))
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// asExported compares what is said of an experiment with the files in a folder.
func asExported(t *testing.T, l *lab.Laboratory, x store.Experiment, dir string) {
	t.Helper()
	before := func(path string) string {
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if plan := before("plan.json"); plan != string(x.Plan) {
		t.Errorf("%s: the plan was %s, is %s", x.Name, plan, x.Plan)
	}
	months, err := l.CSV(context.Background(), x.Name)
	if err != nil {
		t.Fatal(err)
	}
	sameColumns(t, x.Name, before("timeseries.csv"), months)
	if len(x.Arms) > 1 {
		sameEffects(t, l, x.Name, before("results.csv"))
	}
	report, err := l.Report(context.Background(), x.Name, "markdown", "en", "")
	if hash := lab.PlanHash([]byte(before("plan.json"))); err != nil || !strings.Contains(report, hash) || !strings.Contains(report, x.Name) {
		t.Errorf("the report does not name %s and its plan %s: %v", x.Name, hash, err)
	}
	numbers := cells(before("report.md"))
	if len(numbers) < 20 {
		t.Errorf("%s: %d numbers in the exported report", x.Name, len(numbers))
	}
	for _, number := range numbers {
		if !slices.Contains(cells(report), number) && number != "0.00 pp to 0.00 pp" { // of nothing in a few pairs
			t.Errorf("%s: the report no longer says %s", x.Name, number)
		}
	}
	chinese, err := l.Report(context.Background(), x.Name, "markdown", "zh", "")
	if err != nil || !strings.Contains(chinese, x.Name) || chinese == report {
		t.Errorf("the Chinese report on %s, %v: %.200s", x.Name, err, chinese)
	}
}

// number is a cell of a table that holds a number or an interval; adjusted is one with a p-value: how these are adjusted
// is the program's and not the experiment's.
var number = regexp.MustCompile(`^[+−]?\d[\d.,]*( ?(%|pp|[kMG]))?( to [+−]?\d[\d.,]*( ?(%|pp|[kMG]))?)?$`)

var adjusted = regexp.MustCompile(`^[01]\.\d{3}$`)

// cells are the numbers in the tables of a report, but for that of its power, whose level is the program's.
func cells(report string) (list []string) {
	power := false
	for line := range strings.Lines(report) {
		if power = strings.HasPrefix(line, "|") && (power || strings.Contains(line, "| detectable |")); power {
			continue
		}
		for _, cell := range strings.Split(strings.TrimSpace(line), " | ") {
			if number.MatchString(cell) && !adjusted.MatchString(cell) {
				list = append(list, cell)
			}
		}
	}
	return list
}

// sameColumns compares the months of two builds to the bit, in the columns that the first had.
func sameColumns(t *testing.T, name, before, now string) {
	t.Helper()
	was, is := table(t, before), table(t, now)
	if len(is) != len(was) {
		t.Fatalf("%s: %d months, want %d", name, len(is), len(was))
	}
	for row := range was {
		for column, cell := range was[row] {
			if is[row][column] != cell {
				t.Errorf("%s: %s in row %d was %s, is %s", name, column, row+1, cell, is[row][column])
			}
		}
	}
}

// table reads rows of cells by the name of their column.
func table(t *testing.T, text string) (list []map[string]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		cells := make(map[string]string)
		for i, column := range rows[0] {
			cells[column] = row[i]
		}
		list = append(list, cells)
	}
	return list
}

// beforeTheRegister finds the builds with a schema below 4.
var beforeTheRegister = regexp.MustCompile(`/0\.[4-8]\.0`)

// sameEffects compares an experiment by its plan, and the rows with those of an earlier build.
func sameEffects(t *testing.T, l *lab.Laboratory, name, before string) {
	t.Helper()
	c, err := l.Compare(context.Background(), []string{name}, inference.Choice{}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var now struct{ Rows []map[string]any }
	if err := json.Unmarshal(data, &now); err != nil {
		t.Fatal(err)
	}
	was := table(t, before)
	if len(now.Rows) != len(was) {
		t.Fatalf("%s: %d effects, want %d", name, len(now.Rows), len(was))
	}
	for i, row := range was {
		// Builds before 0.9.0 took nothing in a few pairs for a proof of nothing.
		nothing := row["difference"] == "0" && row["ci_low"] == "0" && row["ci_high"] == "0"
		if nothing {
			row["ci_low"], row["ci_high"], row["verdict"] = "", "", string(inference.Inconclusive)
		}
		for _, column := range []string{"metric", "arm", "verdict", "test", "n"} {
			if got := fmt.Sprint(now.Rows[i][column]); got != row[column] {
				t.Errorf("%s: %s of effect %d was %s, is %s", name, column, i+1, row[column], got)
			}
		}
		for _, column := range []string{"control", "treatment", "difference", "percent", "ci_low", "ci_high", "p_value", "p_adjusted"} {
			got, is := now.Rows[i][column].(float64)
			want, err := strconv.ParseFloat(row[column], 64)
			if column == "p_adjusted" && beforeTheRegister.MatchString(t.Name()) {
				want = min(1, want/.7) // the part of the level that the outcomes of a plan have had since
			}
			if is != (err == nil) || math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
				t.Errorf("%s: %s of %s was %s, is %v", name, column, row["metric"], row[column], now.Rows[i][column])
			}
		}
	}
}

// The presets, configs and workspaces of an earlier build hold what was set in it.
func TestParametersOfEarlierBuilds(t *testing.T) {
	dir, _ := mustUnpack(t, "0.4.0/completed")
	w := &workshop{tb: t, dir: dir, Settings: run.Settings{Threads: 1, MemoryBytes: 1 << 30}}
	w.open()
	t.Cleanup(w.close)
	library, err := param.OpenLibrary(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"small", "small_config"} {
		s, err := library.Scenario(name)
		if err != nil || s.Params.NumHouseholds != 240 || s.Params.NumIndustries != 3 || s.Params.BurnInMonths != 6 {
			t.Errorf("%s: %d households, %d industries, %v", name, s.Params.NumHouseholds, s.Params.NumIndustries, err)
		}
	}
	space, err := param.NewSpaces(library, w.Store).Open(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	if p := space.Scenario().Params; p.NumHouseholds != 240 || p.HouseholdsPerFirm != 8 || space.Looking() != "single" {
		t.Errorf("the workspace has %d households, %d per firm, looks at %q", p.NumHouseholds, p.HouseholdsPerFirm, space.Looking())
	}
}
