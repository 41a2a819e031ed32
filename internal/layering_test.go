package internal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "econ-mcp/"

// mayImport says which packages of this module a package may import: the arrows
// of LAYOUT. The lists name every package that a file mentions, so that the
// vocabulary that sim lends to those who build on it is listed too.
var mayImport = map[string][]string{
	"internal/fault": {},
	// files put into place whole: everyone but sim may keep some
	"internal/atomicfile": {},
	"internal/stats":      {},
	"internal/quarterly":  {"internal/stats", "internal/strict", "data"},
	"data":                {}, // what is known of real economies
	"internal/strict":     {},
	"internal/solve":      {"internal/stats"},
	"internal/access":     {},
	"internal/plot":       {},
	"sim":                 {},
	"internal/scenario":   {"sim", "internal/strict"},
	"presets":             {"internal/scenario", "sim"},
	"internal/param":      {"internal/atomicfile", "sim", "internal/scenario", "internal/access", "presets"},
	"internal/run":        {"internal/atomicfile", "sim", "internal/scenario"}, // what it burns in is a scenario
	"internal/store":      {"internal/atomicfile", "internal/access", "sim"},
	"internal/tables":     {"sim", "internal/stats"},
	// what terminals show of them
	"internal/term": {
		"sim", "internal/stats", "internal/scenario", "internal/run", "internal/store", "internal/tables", "internal/inference",
		"internal/report", "internal/lab", "internal/question", "internal/inquiry",
	},
	"internal/trials": {
		"sim", "internal/stats", "internal/quarterly", "internal/run", "internal/scenario", "internal/tables", "internal/inference",
		"internal/inquiry", "internal/atomicfile", "presets", "data",
	},
	"internal/estimation": {
		"sim", "internal/stats", "internal/quarterly", "internal/trials", "internal/run", "internal/scenario", "internal/strict",
		"internal/atomicfile", "internal/sampling", "internal/emulator", "internal/bayes", "internal/sweep",
	},
	"internal/estimation/figures": { // what data say of parameters, drawn
		"sim", "internal/stats", "internal/estimation", "internal/trials", "internal/report", "internal/plot", "internal/bayes",
	},
	"internal/sampling":    {}, // points of the unit cube
	"internal/sensitivity": {"internal/stats"},
	"internal/emulator":    {}, // Gaussian processes in the place of simulations
	"internal/bayes":       {"internal/stats", "internal/sampling"},
	"internal/sweep": {
		"internal/atomicfile", "sim", "internal/stats", "internal/sampling", "internal/sensitivity", "internal/tables", "internal/inference", "internal/run",
		"internal/scenario", "internal/inquiry", "internal/strict", "presets",
	},
	"internal/sweep/hosted": {"internal/sweep", "internal/atomicfile", "internal/access", "internal/inquiry", "internal/run", "presets"},
	"internal/sweep/figures": { // what a sweep found, drawn; presets and scenario in its tests
		"sim", "internal/stats", "internal/sweep", "internal/inquiry", "internal/tables", "internal/report", "internal/plot", "internal/scenario",
		"presets",
	},
	"internal/sweep/engines/slurm":      {}, // text and commands of a cluster: they know shards, and no economics
	"internal/sweep/engines/kubernetes": {},
	// machines that come and go: who submits and who works, and the broker between them, whom programs without the tag cluster do not have
	"internal/sweep/cluster": {
		"sim", "internal/sweep", "internal/run", "internal/access", "internal/atomicfile", "internal/scenario", "presets", "internal/sweep/broker",
	},
	"internal/sweep/broker": {"internal/access"},
	"internal/inference":    {"sim", "internal/stats", "internal/tables"}, // it judges what the tables measured
	"internal/report":       {"sim", "internal/stats", "internal/tables", "internal/inference", "internal/plot"},
	"internal/question":     {"sim", "internal/scenario", "internal/inquiry", "internal/strict", "internal/stats", "presets"},
	"internal/lab": {
		"sim", "internal/stats", "internal/run", "internal/store", "internal/tables", "internal/inference", "internal/report", "internal/trials",
		"internal/question", "internal/scenario", "internal/access", "internal/inquiry", "internal/solve", "presets",
	},
	"internal/inquiry":        {"sim", "internal/scenario", "internal/strict", "presets"}, // presets in its tests
	"internal/host":           {"internal/atomicfile"},                                    // it knows the protocol, and none of us
	"internal/host/selection": {"internal/host"},
	"internal/host/model":     {"internal/host"},
	"internal/host/chat":      {"internal/host", "internal/host/selection", "internal/host/model"},
	"internal/web": { // pages and the JSON API, on the domain; of tools only how calls are typed
		"tools", "docs", "sim", "internal/access", "internal/stats", "internal/plot", "internal/run", "internal/scenario", "internal/param",
		"internal/store", "internal/tables", "internal/inference", "internal/report", "internal/lab", "internal/question", "internal/inquiry",
		"internal/sweep", "internal/sweep/hosted", "internal/sweep/figures", "presets",
	},
	"internal/mcpserver":       {"tools", "internal/access"}, // the protocol: it knows no economics
	"internal/mcpserver/bench": {},                           // it knows the server from outside
	"e2e":                      {},
	"tools":                    {"internal/access"},
	"docs":                     {"sim"}, // whose parameters a test looks up in the text
}

// onTop are the packages that others may not build on, but cmd.
var onTop = []string{
	"internal/app", "internal/mcpserver", "internal/host", "internal/host/selection", "internal/host/model", "internal/host/chat",
	"internal/term",
}

// allowed says whether the arrow from one package of this module to another is
// listed: everyone may import fault, cmd may import all, a category of tools
// its domain packages, and app those, the tools and the server of the protocol.
func allowed(from, to string) bool {
	domain := to == "sim" || to == "presets" || to == "docs" || strings.HasPrefix(to, "internal/") && !slices.Contains(onTop, to)
	switch {
	case to == "internal/fault", strings.HasPrefix(from, "cmd/"):
		return true
	case from == "tools/toolstest": // the product without the protocol, for tests
		return domain || to == "tools" || to == "internal/app"
	case strings.HasPrefix(from, "tools/"):
		return domain || to == "tools"
	case from == "internal/app":
		return domain || to == "internal/mcpserver" || to == "tools" || strings.HasPrefix(to, "tools/")
	}
	return slices.Contains(mayImport[from], to)
}

func isLayer(path string) bool {
	_, listed := mayImport[path]
	return listed || path == "internal/app" || path == "internal" ||
		strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, "tools/")
}

type goPackage struct {
	ImportPath           string
	Imports, TestImports []string
}

func listPackages(tb testing.TB) []goPackage {
	tb.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports", module+"...").Output()
	if err != nil {
		tb.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			tb.Fatal(err)
		}
		list = append(list, p)
	}
}

// watchSources opens every folder of sources, so that the result of this test
// is not taken from go test's cache after one of them has changed.
func watchSources(tb testing.TB) {
	tb.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".." {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func TestLayering(t *testing.T) {
	watchSources(t)
	arrows := 0
	packages := listPackages(t)
	for path := range mayImport {
		if !slices.ContainsFunc(packages, func(p goPackage) bool { return p.ImportPath == module+path }) {
			t.Errorf("%s is listed and is not there", path)
		}
	}
	for _, p := range packages {
		from := strings.TrimPrefix(p.ImportPath, module)
		if !isLayer(from) {
			t.Errorf("package %s is not in the list of layers: say here and in docs/ARCHITECTURE.md whom it may know", from)
			continue
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports) {
			to, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			arrows++
			if !allowed(from, to) {
				t.Errorf("%s imports %s, an arrow that is not listed", from, to)
			}
		}
	}
	if arrows == 0 {
		t.Error("found no import at all: the test shows nothing")
	}
}

// TestEconomyIsPure: the economy knows no clock, no file, no YAML and no log.
func TestEconomyIsPure(t *testing.T) {
	watchSources(t)
	for _, p := range listPackages(t) {
		if p.ImportPath != module+"sim" {
			continue
		}
		for _, imported := range p.Imports {
			for _, banned := range []string{"os", "time", "log", "net", "math/rand", "gopkg.in/yaml.v3"} {
				if imported == banned || strings.HasPrefix(imported, banned+"/") {
					t.Errorf("sim imports %s", imported)
				}
			}
		}
	}
}

func TestAllowed(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"sim", "internal/fault", true},
		{"sim", "internal/scenario", false},
		{"internal/stats", "sim", false},
		{"internal/run", "internal/store", false},
		{"internal/inference", "internal/report", false},
		{"internal/inference", "internal/lab", false},
		{"internal/tables", "internal/inference", false},
		{"internal/lab", "internal/inference", true},
		{"tools/params", "internal/param", true},
		{"tools/params", "tools/history", false},
		{"internal/host", "internal/mcpserver", false},
		{"internal/host/chat", "internal/host/model", true},
		{"internal/host/chat", "internal/store", false},
		{"internal/host/model", "internal/host/chat", false},
		{"internal/mcpserver", "internal/host/chat", false},
		{"internal/mcpserver", "tools", true},
		{"internal/mcpserver", "tools/params", false},
		{"internal/mcpserver", "internal/param", false},
		{"internal/mcpserver", "sim", false},
		{"internal/app", "internal/mcpserver", true},
		{"internal/app", "tools/params", true},
		{"internal/lab", "internal/app", false},
		{"cmd/econ-mcp", "internal/plot", true},
		{"internal/new", "sim", false},
	} {
		if got := allowed(tt.from, tt.to); got != tt.want {
			t.Errorf("allowed(%s, %s) = %v", tt.from, tt.to, got)
		}
	}
}

func TestLayersHaveNoCycle(t *testing.T) {
	const open, closed = 1, 2
	state := make(map[string]int)
	var visit func(from string)
	visit = func(from string) {
		state[from] = open
		for _, to := range mayImport[from] {
			if _, known := mayImport[to]; !known {
				t.Errorf("%s may import %s, which is not a layer", from, to)
			}
			switch state[to] {
			case open:
				t.Errorf("%s may import %s, which may import it", from, to)
			case 0:
				visit(to)
			}
		}
		state[from] = closed
	}
	for from := range mayImport {
		if state[from] == 0 {
			visit(from)
		}
	}
}
