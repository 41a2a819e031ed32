package hosted_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/hosted"
	"econ-mcp/presets"
)

type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

const (
	small = `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, 4]}]
  design: {months: 4, replications: 1, burn_in: 6}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
design: {kind: latin_hypercube, points: 24}
`
	hour = 10 * time.Minute
)

func open(t *testing.T, dir string, limits hosted.Limits) *hosted.Sweeps {
	t.Helper()
	s := &hosted.Sweeps{Dir: dir, Scenarios: builtIn{}, Threads: 2, Limits: limits}
	t.Cleanup(func() {
		if err := s.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return s
}

func begin(t *testing.T, s *hosted.Sweeps, by access.Caller, name, design string) hosted.Status {
	t.Helper()
	st, err := s.Begin(t.Context(), by, name, []byte(design), hour)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func wait(t *testing.T, s *hosted.Sweeps, name string, want hosted.State) hosted.Status {
	t.Helper()
	st, err := s.Wait(t.Context(), name, hour)
	if err != nil || st.State != want {
		t.Fatalf("%+v, %v; want %s", st, err, want)
	}
	return st
}

// A sweep goes on where it was after its process has ended, and is then what one in one go is.
func TestSweepGoesOn(t *testing.T) {
	whole := open(t, t.TempDir(), hosted.Limits{})
	st := begin(t, whole, access.Operator(), "", small)
	if !strings.HasPrefix(st.Name, "sweep_latin_hypercube_") || st.Points != 24 || st.Economies != 25 {
		t.Errorf("%+v", st)
	}
	if _, err := whole.File(st.Name, sweep.DesignFile); err != nil {
		t.Error(err)
	}
	if st := wait(t, whole, st.Name, hosted.Completed); st.Done != 25 {
		t.Errorf("%+v", st)
	}
	want, err := whole.File(st.Name, sweep.PointsFile)
	if err != nil {
		t.Fatal(err)
	}

	// Begun again it is there at once, and another design is another sweep.
	if again := begin(t, whole, access.Operator(), st.Name, small); again.State != hosted.Completed {
		t.Errorf("%+v", again)
	}
	other := strings.Replace(small, "24", "12", 1)
	if _, err := whole.Begin(t.Context(), access.Operator(), st.Name, []byte(other), hour); fault.KindOf(err) != fault.Conflict {
		t.Errorf("another design: %v", err)
	}

	dir := t.TempDir()
	first := open(t, dir, hosted.Limits{})
	begin(t, first, access.Operator(), "cut", small)
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Begin(t.Context(), access.Operator(), "late", []byte(small), hour); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("a closed folder takes sweeps: %v", err)
	}
	second := open(t, dir, hosted.Limits{})
	st, err = second.Status("cut")
	if err != nil || st.State != hosted.Interrupted && st.State != hosted.Completed || st.Economies != 25 {
		t.Fatalf("%+v, %v", st, err)
	}
	begin(t, second, access.Operator(), "cut", small)
	if now := wait(t, second, "cut", hosted.Completed); st.State == hosted.Interrupted && now.Known+now.Done != 25 {
		t.Errorf("%+v after %+v", now, st)
	}
	if got, err := second.File("cut", sweep.PointsFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %s\nwant %s", err, got, want)
	}
	if list := second.List(); len(list) != 1 || list[0].Name != "cut" {
		t.Errorf("%+v", list)
	}
}

// Sweeps wait for each other, can be stopped by their owners, and are held against the limits before anything is kept.
func TestSweepsOfSeveral(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, hosted.Limits{HouseholdMonths: 400_000_000, Running: 2, Bytes: 1 << 19})
	alice, bob := access.Caller{Principal: "alice", Role: access.Full}, access.Caller{Principal: "bob", Role: access.Full}
	long := strings.NewReplacer("months: 4, replications: 1", "months: 200, replications: 1", "num_households: 600", "num_households: 20000",
		"points: 24", "points: 32").Replace(small)
	begin(t, s, alice, "long", long)
	begin(t, s, alice, "next", small)
	for name, refused := range map[string]struct {
		by     access.Caller
		name   string
		design string
		kind   fault.Kind
	}{
		"a third at a time": {alice, "third", small, fault.LimitExceeded},
		"another's":         {bob, "long", long, fault.Forbidden},
		"too much":          {bob, "much", strings.Replace(long, "points: 32", "points: 256", 1), fault.LimitExceeded},
		"too many bytes": {bob, "bytes", strings.NewReplacer("points: 24", "points: 200", "months: 4", "months: 200").Replace(small),
			fault.LimitExceeded},
		"a path":    {bob, "../up", small, fault.WrongType},
		"no design": {bob, "none", "inquiry: {}\nfactors: {a: 1}\ndesign: {kind: list}\n", fault.WrongType},
		"a file": {bob, "file", "inquiry: vat.yaml\nfactors: {vat_rate: {values: [1, 2]}}\ndesign: {kind: factorial}\n",
			fault.WrongType},
	} {
		if _, err := s.Begin(t.Context(), refused.by, refused.name, []byte(refused.design), hour); fault.KindOf(err) != refused.kind {
			t.Errorf("%s: %v, want %s", name, err, refused.kind)
		}
	}
	if _, err := s.Stop(t.Context(), bob, "long"); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("stopped by another: %v", err)
	}
	if _, err := s.Status("lung"); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "long") {
		t.Errorf("%v", err)
	}
	if _, err := s.File("next", sweep.PointsFile); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("results before the end: %v", err)
	}
	if st, err := s.Stop(t.Context(), alice, "long"); err != nil || st.State != hosted.Stopped {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := s.Stop(t.Context(), alice, "long"); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("stopped twice: %v", err)
	}
	wait(t, s, "next", hosted.Completed)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: what was refused left something", entries, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "long", "sweep.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir, hosted.Limits{}).Status("long"); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("a broken state: %v", err)
	}
}

// What econ-mcp sweep left in the folder is the operator's, has results once it has ended, and can go on.
func TestSweepOfTheCommand(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, hosted.Limits{})
	st := begin(t, s, access.Operator(), "server", small)
	wait(t, s, "server", hosted.Completed)
	folder := filepath.Join(dir, "command")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(dir, "server"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "sweep.json")); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Status("command"); err != nil || now.State != hosted.Completed || now.Hash != st.Hash || now.Points != 24 || now.Economies != 25 {
		t.Errorf("%+v, %v", now, err)
	}
	if len(s.List()) != 2 {
		t.Errorf("%+v", s.List())
	}
	if err := os.Remove(filepath.Join(folder, sweep.SensitivityFile)); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Status("command"); err != nil || now.State != hosted.Interrupted || now.Known == 0 {
		t.Errorf("%+v, %v", now, err)
	}
	bob := access.Caller{Principal: "bob", Role: access.Full}
	if _, err := s.Begin(t.Context(), bob, "command", []byte(small), hour); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("another goes on with it: %v", err)
	}
	begin(t, s, access.Operator(), "command", small)
	if now := wait(t, s, "command", hosted.Completed); now.Done != 0 {
		t.Errorf("%+v: economies were simulated again", now)
	}
}

// What was measured can be read again: from the table of points, and replication by replication from the runs.
func TestResultsOfASweep(t *testing.T) {
	s := open(t, t.TempDir(), hosted.Limits{})
	begin(t, s, access.Operator(), "sweep", small)
	wait(t, s, "sweep", hosted.Completed)
	p, r, err := s.Results(t.Context(), "sweep")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Measured("sweep", p.Design)
	if err != nil || len(m.Points) != 24 || len(m.Values) != len(r.Quantities) {
		t.Fatalf("%+v, %v", m, err)
	}
	for k := range m.Points {
		if m.Points[k][0] != p.Values[k][0] || m.Values[0][k] != r.Values[0][k] || m.Values[0][k] != r.Replications(0, k)[0] || !math.IsNaN(m.Errors[0][k]) {
			t.Errorf("point %d: %v %v %v; want %v %v", k+1, m.Points[k], m.Values[0][k], m.Errors[0][k], p.Values[k], r.Values[0][k])
		}
	}
	if _, err := sweep.ReadPoints([]byte("point,a\n1,x\n"), 1); fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), `"x" is no number`) {
		t.Errorf("%v", err)
	}
	if _, err := s.Measured("none", p.Design); fault.KindOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
}
