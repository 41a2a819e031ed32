package store_test

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

var update = flag.Bool("update", false, "write the descriptions of fixtures that have none")

// fixtures are the stores in testdata by build and state, such as 0.4.0/paused: see the
// README there.
func fixtures(tb testing.TB) []string {
	tb.Helper()
	archives, err := fs.Glob(os.DirFS("testdata"), "*/*.zip")
	if err != nil || len(archives) == 0 {
		tb.Fatalf("no fixtures: %v", err)
	}
	for i, path := range archives {
		archives[i] = strings.TrimSuffix(path, ".zip")
	}
	return archives
}

// mustUnpack unpacks a fixture and returns the folder of its store.
func mustUnpack(tb testing.TB, fixture string) string {
	tb.Helper()
	archive, err := zip.OpenReader(filepath.Join("testdata", fixture+".zip"))
	if err != nil {
		tb.Fatal(err)
	}
	defer archive.Close()
	dir := tb.TempDir()
	if err := os.CopyFS(dir, archive); err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(dir, "store")
}

// leftBehind is the state of each experiment as it is on disk, before anybody has looked
// whether its process still lives, with the last month that all runs have.
var leftBehind = map[string]string{
	"completed":         "single completed 4",
	"compared":          "pair completed 4",
	"queued":            "first burn_in 0, second queued 0",
	"running":           "running running 3",
	"paused":            "stopped stopped 2, paused paused 3",
	"paused_checkpoint": "kept paused 2",
	"interrupted":       "interrupted interrupted 2",
	"auto":              "auto_ended completed 2",
	"auto_killed":       "auto_killed burn_in 2",
}

func TestStatesLeftBehind(t *testing.T) {
	for _, fixture := range fixtures(t) {
		db := mustRaw(t, mustUnpack(t, fixture))
		for query, want := range map[string]string{
			"SELECT group_concat(name || ' ' || state || ' ' || month, ', ') FROM experiment": leftBehind[path.Base(fixture)],
			"SELECT group_concat(integrity_check) FROM pragma_integrity_check":                "ok",
			"SELECT count(*) FROM pragma_foreign_key_check":                                   "0",
		} {
			var got string
			if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
				t.Errorf("%s: %s: %s, %v; want %s", fixture, query, got, err, want)
			}
		}
		must(t, db.Close())
	}
}

// releases are the versions in the changelog whose stores must stay usable.
func releases(tb testing.TB) (versions []string) {
	tb.Helper()
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	must(tb, err)
	for _, heading := range regexp.MustCompile(`(?m)^## \[(\d.*?)\]`).FindAllSubmatch(changelog, -1) {
		versions = append(versions, string(heading[1]))
	}
	versions = slices.DeleteFunc(versions, func(v string) bool { return slices.Contains([]string{"0.1.0", "0.2.0", "0.3.0"}, v) })
	if !slices.Contains(versions, "0.4.0") { // the first that had a store
		tb.Fatalf("releases with a store: %v", versions)
	}
	return versions
}

// Every release has a fixture of every state, and every schema but the present one has been
// left behind by some build.
func TestEveryReleaseHasFixtures(t *testing.T) {
	all := fixtures(t)
	for _, version := range releases(t) {
		for state := range leftBehind {
			if want := version + "/" + state; !slices.Contains(all, want) {
				t.Errorf("there is no fixture %s: make.sh in testdata makes it with the program of that release", want)
			}
		}
	}
	migrations, err := filepath.Glob("migration/*.sql")
	must(t, err)
	covered := make(map[int]bool)
	for _, fixture := range all {
		db := mustRaw(t, mustUnpack(t, fixture))
		var schema int
		must(t, errors.Join(db.QueryRow("PRAGMA user_version").Scan(&schema), db.Close()))
		covered[schema] = true
	}
	for schema := 1; schema < len(migrations); schema++ {
		if !covered[schema] {
			t.Errorf("there is no fixture of schema %d: make.sh in testdata makes it with the last program that had it", schema)
		}
	}
}

// A store that an earlier build left behind, in whatever state, is read as that build read
// it: when it is opened for the first time and its owners are found dead, and after that.
func TestStoresOfEarlierBuilds(t *testing.T) {
	for _, fixture := range fixtures(t) {
		t.Run(fixture, func(t *testing.T) {
			dir := mustUnpack(t, fixture)
			for range 2 {
				got, err := describe(dir)
				must(t, err)
				if _, err := os.Stat(descriptionOf(fixture)); *update && os.IsNotExist(err) {
					must(t, os.WriteFile(descriptionOf(fixture), []byte(got), 0o644))
				}
				for _, d := range differences(mustDescription(t, fixture), got) {
					t.Error(d)
				}
			}
		})
	}
}

func descriptionOf(fixture string) string { return filepath.Join("testdata", fixture+".txt") }

func mustDescription(tb testing.TB, fixture string) string {
	tb.Helper()
	text, err := os.ReadFile(descriptionOf(fixture))
	must(tb, err)
	return string(text)
}

// differences are the lines of two descriptions that only one of them has.
func differences(want, got string) (list []string) {
	was, is := slices.Collect(strings.Lines(want)), slices.Collect(strings.Lines(got))
	for _, line := range was {
		if !slices.Contains(is, line) {
			list = append(list, "missing: "+line)
		}
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			list = append(list, "new: "+line)
		}
	}
	return list
}

type teller func(format string, args ...any)

// describe opens a store and puts everything that it says into lines of text, numbers and
// long texts by a digest of their bits.
func describe(dir string) (text string, err error) {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	s, err := store.Open(dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	list, total, _, err := s.List(context.Background(), store.Filter{})
	if err != nil {
		return "", err
	}
	line("%d experiments", total)
	for _, x := range list {
		if err := describeExperiment(line, s, x); err != nil {
			return "", fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	data, revision, err := s.Workspace(context.Background(), "default", 0)
	line("workspace default: revision %d, %s", revision, digest(data))
	return b.String(), err
}

func describeExperiment(line teller, s *store.Store, x store.Experiment) error {
	line("%s: created %s by %q", x.Name, x.CreatedAt.Format(time.RFC3339Nano), x.Principal)
	line("%s: question %q, plan %s", x.Name, x.Question, digest(x.Plan))
	line("%s: seed %d, %d months, %d replications", x.Name, x.Seed, x.Months, x.Replications)
	line("%s: %d households and %d firms", x.Name, x.Households, x.Firms)
	line("%s: model %s, code %s, %s, %s", x.Name, x.ModelVersion, x.CodeVersion, x.GoVersion, x.Arch)
	message := x.Message
	if x.State == "interrupted" { // said anew by who found it dead
		message = ""
	}
	line("%s: %s in month %d, %q", x.Name, x.State, x.Month, message)
	for _, a := range x.Arms {
		line("%s/%s: scenario %s, hash %s, burnt in apart %v", x.Name, a.Name, digest(a.Scenario), a.Hash, a.BurntInApart)
	}
	for i, r := range slices.Concat(x.Runs, x.Underway) {
		line("%s: counts %t, seed %d, month %d, state hash %q, began %v", r.ID, i < len(x.Runs), r.Seed, r.Month, r.StateHash, r.Began)
	}
	if c := x.Captured; c != nil {
		line("%s: captured %s, %s, tags %q", x.Name, c.CapturedAt.Format(time.RFC3339Nano), c.Status, c.Tags)
		line("%s: captured question %q, hypothesis %q, expected %q, notes %q", x.Name, c.Question, c.Hypothesis, c.ExpectedOutcome, c.Notes)
	}
	if x.HasAnalysis {
		a, err := s.Analysis(context.Background(), x.Name, 0, "")
		if err != nil {
			return err
		}
		line("%s: analysis %d of %s by code %s", x.Name, a.Version, a.CreatedAt.Format(time.RFC3339Nano), a.CodeVersion)
		line("%s: analysis settings %s, result %s", x.Name, a.Settings, digest(a.Result))
	}
	asked, err := s.Ask(context.Background(), []string{x.Name}, nil, "")
	if err != nil {
		return err
	}
	for _, a := range asked {
		line("%s: asked %q by %q at %s, %d times, p %g", x.Name, a.Hypothesis, a.By, a.FirstAsked.Format(time.RFC3339Nano), a.Times, a.P)
	}
	if err := describeCheckpoint(line, s, x); err != nil {
		return err
	}
	return describeMonths(line, s, x)
}

func describeCheckpoint(line teller, s *store.Store, x store.Experiment) error {
	month, open, err := s.Checkpoint(context.Background(), x.Name)
	if err != nil || month == 0 {
		return err
	}
	for _, r := range x.Runs {
		f, err := open(r.Arm, r.Replication-1)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		line("%s: checkpoint of month %d, %d bytes, %s", r.ID, month, len(data), digest(data))
	}
	return nil
}

// describeMonths tells the numbers of all months, as series and as records, which must be
// the same.
func describeMonths(line teller, s *store.Store, x store.Experiment) error {
	if x.Month == 0 {
		return nil
	}
	var indicators []sim.Indicator
	for i := range sim.NumOutcomes {
		indicators = append(indicators, i)
	}
	months := make(numbers)
	for _, arm := range x.Arms {
		series, err := s.Series(context.Background(), x.Name, arm.Name, indicators, 1, x.Month, 1)
		if err != nil {
			return err
		}
		for r := range x.Replications {
			records, err := s.Records(context.Background(), x.Name, arm.Name, r+1, 1, x.Month, 1)
			if err != nil {
				return err
			}
			for m, record := range records {
				months.add(reflect.ValueOf(record), "")
				for i, values := range series.Values[r] {
					if a, b := values[m], record.Value(indicators[i]); a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
						return fmt.Errorf("%s of %s/%d in month %d: %g in the series, %g in the record", indicators[i], arm.Name, r+1, m+1, a, b)
					}
				}
			}
			for _, kind := range []string{"tables", "innovation", "sizes"} {
				month, data, err := s.Detail(context.Background(), x.Name, arm.Name, r+1, kind)
				if err != nil {
					return err
				}
				line("%s/%s/%d: %s of month %d, %s", x.Name, arm.Name, r+1, kind, month, digest(data))
			}
		}
	}
	months.describe(line, x.Name)
	return nil
}

func digest(data []byte) string { return fmt.Sprintf("%.8x", sha256.Sum256(data)) }

// numbers are those of records, by their names, such as Firms.Entries or Values.cpi.
type numbers map[string][]float64

func (n numbers) add(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n.add(v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."))
		}
	case reflect.Array:
		for i := range v.Len() {
			name := strconv.Itoa(i)
			if path == "Values" {
				name = sim.Indicator(i).String()
			}
			n.add(v.Index(i), path+"."+name)
		}
	case reflect.Int:
		n[path] = append(n[path], float64(v.Int()))
	default:
		n[path] = append(n[path], v.Float())
	}
}

// describe tells a digest of each indicator and of each other part of the records. Numbers
// that are 0 or not defined in all months are left out: so are those that the program which
// wrote the records did not have.
func (n numbers) describe(line teller, name string) {
	parts := make(map[string][]byte)
	for _, field := range slices.Sorted(maps.Keys(n)) {
		if !slices.ContainsFunc(n[field], func(x float64) bool { return x != 0 && !math.IsNaN(x) }) {
			continue
		}
		part, rest, _ := strings.Cut(field, ".")
		if part == "Values" {
			part, rest = field, ""
		}
		parts[part] = fmt.Append(parts[part], rest)
		for _, x := range n[field] {
			parts[part] = fmt.Appendf(parts[part], " %x", math.Float64bits(x))
		}
	}
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		line("%s: %s %s", name, part, digest(parts[part]))
	}
}

// An upgrade that cannot keep the copy that an older program needs changes nothing.
func TestNoUpgradeWithoutCopy(t *testing.T) {
	dir := mustUnpack(t, "0.4.0/interrupted")
	inTheWay := filepath.Join(dir, "econ-mcp.schema-2.db")
	must(t, os.Mkdir(inTheWay, 0o755))
	refused(t, dir, "econ-mcp.schema-2.db")
	db := mustRaw(t, dir)
	var schema int
	must(t, errors.Join(db.QueryRow("PRAGMA user_version").Scan(&schema), db.Close()))
	if left, err := atomicfile.Abandoned(dir); schema != 2 || left != nil || err != nil {
		t.Errorf("schema %d, files %v, %v", schema, left, err)
	}
	must(t, os.Remove(inTheWay))
	defer slog.SetDefault(slog.Default())
	var log strings.Builder
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	s, err := store.Open(dir)
	must(t, err)
	defer s.Close()
	if line := log.String(); strings.Count(line, "\n") != 1 ||
		!regexp.MustCompile(`copied .*copy=econ-mcp.schema-2.db bytes=[1-9]\d{4,}\n`).MatchString(line) {
		t.Errorf("before it is copied the log says %q", line)
	}
	if got := s.Older(); !slices.Equal(got, []string{"econ-mcp.schema-2.db"}) {
		t.Errorf("copies %v", got)
	}
}

// What is not as the earlier build left it is noticed.
func TestChangedStoresAreNoticed(t *testing.T) {
	exec := func(statement string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			db := mustRaw(t, dir)
			defer db.Close()
			changed, err := db.Exec(statement)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := changed.RowsAffected(); err != nil || n == 0 && !strings.HasPrefix(statement, "PRAGMA") {
				t.Fatalf("%s changed nothing: %v", statement, err)
			}
		}
	}
	for _, c := range []struct {
		name, fixture string
		change        func(t *testing.T, dir string)
		notice        string
	}{
		{"a bit of a month", "0.4.0/compared", flipBit, "Government"},
		{"a word of the layout", "0.4.0/compared", exec(`UPDATE layout SET fields = replace(fields, 'Values.cpi', 'Values.cpj')`), "cpi"},
		{"a number of the series", "0.4.0/compared", exec(`UPDATE monthly SET cpi = cpi * 1.0000000001 WHERE run = 3 AND month = 2`), "cpi"},
		{"a seed", "0.4.0/compared", exec(`UPDATE run SET seed = '5' WHERE id = 2`), "seed 5"},
		{"the plan", "0.4.0/compared", exec(`UPDATE experiment SET plan = replace(plan, 'higher', 'lower')`), "plan"},
		{"a table", "0.4.0/compared", exec(`UPDATE detail SET data = CAST('{}' AS BLOB) WHERE run = 1 AND kind = 'tables'`), "tables"},
		{"what was asked", "0.4.0/compared", exec(`DELETE FROM asked`), "asked"},
		{"a tag", "0.4.0/completed", exec(`DELETE FROM tag WHERE tag = 'first'`), "captured"},
		{"the workspace", "0.4.0/completed", exec(`UPDATE workspace SET data = CAST('{}' AS BLOB)`), "workspace"},
		{"a state", "0.4.0/paused", exec(`UPDATE experiment SET state = 'completed' WHERE state = 'paused'`), "completed"},
		{"a checkpoint", "0.4.0/interrupted", cut("checkpoints/1/m2/1-1.snap"), "checkpoint"},
		{"the log of a killed program", "0.4.0/running", cut("econ-mcp.db-wal"), "running"},
		{"a newer schema", "0.4.0/compared", exec("PRAGMA user_version = 99"), "newer econ-mcp"},
		{"another program's file", "0.4.0/compared", exec("PRAGMA application_id = 7"), "another program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := mustUnpack(t, c.fixture)
			c.change(t, dir)
			got, err := describe(dir)
			noticed := strings.Join(differences(mustDescription(t, c.fixture), got), "")
			if err != nil {
				noticed = err.Error()
			}
			if !strings.Contains(noticed, c.notice) {
				t.Errorf("noticed %q, want something about %q", noticed, c.notice)
			}
		})
	}
}

// flipBit changes the last bit of a number of a month that is no indicator.
func flipBit(t *testing.T, dir string) {
	t.Helper()
	db := mustRaw(t, dir)
	defer db.Close()
	var blob []byte
	must(t, db.QueryRow("SELECT record FROM monthly WHERE run = 1 AND month = 1").Scan(&blob))
	blob[len(blob)-8] ^= 1
	_, err := db.Exec("UPDATE monthly SET record = ? WHERE run = 1 AND month = 1", blob)
	must(t, err)
}

// cut leaves half of a file.
func cut(path string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, path)
		info, err := os.Stat(path)
		must(t, err)
		must(t, os.Truncate(path, info.Size()/2))
	}
}
