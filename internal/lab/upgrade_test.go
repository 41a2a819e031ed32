package lab_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// ofThisModel are the archives of this program's model version in some states, none = all.
func ofThisModel(tb testing.TB, states ...string) (list []string) {
	tb.Helper()
	for _, archive := range archives(tb) {
		if build, state := path.Split(archive); strings.HasPrefix(build, sim.ModelVersion) && (states == nil || slices.Contains(states, state)) {
			list = append(list, archive)
		}
	}
	if list == nil {
		tb.Skipf("no build of model version %s has left a store yet", sim.ModelVersion)
	}
	return list
}

// mustEnds reads in which states the runs end that a build takes up from an archive, by ID.
func mustEnds(tb testing.TB, archive string) map[string]string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(testdata, path.Dir(archive), "ends.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	ends := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[0] == path.Base(archive) {
			ends[words[1]] = words[2]
		}
	}
	return ends
}

// upgraded opens what a build left behind with the present program. Burnt-in states are
// shared by those that have the same cache.
func upgraded(tb testing.TB, dir string, cache run.Cache) *workshop {
	tb.Helper()
	w := &workshop{tb: tb, dir: dir, Settings: run.Settings{Threads: 2, MemoryBytes: 1 << 30, Cache: cache}}
	w.open()
	tb.Cleanup(w.close)
	return w
}

// unfinished are the experiments that can be resumed.
func (w *workshop) unfinished() []store.Experiment {
	w.tb.Helper()
	list, _, _, err := w.List(context.Background(), store.Filter{State: string(run.StateInterrupted)})
	if err != nil {
		w.tb.Fatal(err)
	}
	return list
}

// What was under way when the program was replaced goes on with the same model version to
// the bits that the replaced program gives it. With another one it is refused with the
// name of the release that goes on with it, and everything that is stored stays: as it is
// now, and in a copy that the other release can read, as it was.
func TestUpgradeOfWhatRuns(t *testing.T) {
	cache := run.Cache{Dir: t.TempDir()}
	for _, archive := range archives(t) {
		t.Run(archive, func(t *testing.T) {
			original, _ := mustUnpack(t, archive)
			was := rows(t, filepath.Join(original, "econ-mcp.db"))
			dir, _ := mustUnpack(t, archive)
			w := upgraded(t, dir, cache)
			others := 0
			for _, x := range w.unfinished() {
				if x.ModelVersion != sim.ModelVersion {
					others++
					w.refused(x)
				}
			}
			schema := column(t, w.database(), "PRAGMA user_version")[0]
			older := w.Store.Older()
			if needed := others > 0 && !was["schema "+schema]; needed != (older != nil) {
				t.Errorf("copies %v for %d experiments, schema %s", older, others, schema)
			}
			for _, name := range older {
				if kept := rows(t, filepath.Join(dir, name)); !maps.Equal(kept, was) {
					t.Errorf("%s has %d rows, there were %d, or others", name, len(kept), len(was))
				}
			}
			if strings.HasPrefix(archive, sim.ModelVersion) {
				w.goOn(mustEnds(t, archive))
			}
		})
	}
}

// refused tries to resume what another model version began.
func (w *workshop) refused(x store.Experiment) {
	w.tb.Helper()
	before := w.contents()
	_, err := w.Resume(w.tb.Context(), x.Name, 0, access.Operator())
	if fault.KindOf(err) != fault.InvalidState {
		w.tb.Errorf("%s of %s: %v", x.Name, x.CodeVersion, err)
		return
	}
	for _, named := range append(w.Store.Older(), "econ-mcp "+x.CodeVersion+" goes on with it", "scenario.yaml") {
		if !strings.Contains(err.Error(), named) {
			w.tb.Errorf("%s of %s: %v; want that it names %s", x.Name, x.CodeVersion, err, named)
		}
	}
	if after := w.contents(); !maps.Equal(before, after) {
		w.tb.Errorf("%s: what is stored is not what it was: %d and %d rows and files", x.Name, len(before), len(after))
	}
}

// goOn resumes everything that can be, and compares the ends.
func (w *workshop) goOn(ends map[string]string) {
	w.tb.Helper()
	got := make(map[string]string)
	for _, x := range w.unfinished() {
		if _, err := w.Resume(w.tb.Context(), x.Name, 0, access.Operator()); err != nil {
			w.tb.Errorf("%s: %v", x.Name, err)
			continue
		}
		w.wait(x.Name, run.StateCompleted)
		x, err := w.Store.Experiment(w.tb.Context(), x.Name)
		if err != nil {
			w.tb.Fatal(err)
		}
		for _, r := range x.Runs {
			got[r.ID] = r.StateHash
		}
	}
	if !maps.Equal(got, ends) {
		w.tb.Errorf("runs end in %v, want %v", got, ends)
	}
}

// rows are all rows of a database, and its schema.
func rows(tb testing.TB, path string) map[string]bool {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	all := map[string]bool{"schema " + column(tb, db, "PRAGMA user_version")[0]: true}
	for _, table := range column(tb, db, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
		columns := column(tb, db, "SELECT 'quote('||name||')' FROM pragma_table_info('"+table+"')")
		for _, row := range column(tb, db, "SELECT "+strings.Join(columns, " || ',' || ")+" FROM "+table) {
			all[table+" "+row] = true
		}
	}
	return all
}

// contents are all rows of the database and all other files of the store.
func (w *workshop) contents() map[string]bool {
	w.tb.Helper()
	all := rows(w.tb, filepath.Join(w.dir, "econ-mcp.db"))
	err := fs.WalkDir(os.DirFS(w.dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.HasPrefix(path, "econ-mcp.db") {
			var data []byte
			data, err = os.ReadFile(filepath.Join(w.dir, path))
			all[path+" "+string(data)] = true
		}
		return err
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

// column reads a query of one column of text.
func column(tb testing.TB, db *sql.DB, query string) (list []string) {
	tb.Helper()
	rows, err := db.Query(query)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			tb.Fatal(err)
		}
		list = append(list, text)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return list
}

// What another build of the same model version left behind goes on, whatever it keeps in
// another form.
func TestUpgradeWithinModelVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	cache := run.Cache{Dir: t.TempDir()}
	for name, change := range map[string]func(w *workshop, db *sql.DB){
		"another layout":    otherLayout,
		"other checkpoints": otherCheckpoints,
		"both": func(w *workshop, db *sql.DB) { // so that months on record are simulated again
			otherLayout(w, db)
			otherCheckpoints(w, db)
		},
		"other details": func(w *workshop, db *sql.DB) {
			w.exec(db, `UPDATE detail SET data = CAST('{"months": {"observed": 3}, "households": []}' AS BLOB)`)
		},
		"a catalogue without tariffs": func(w *workshop, db *sql.DB) {
			w.exec(db, `UPDATE arm SET hash = 'of fewer parameters', scenario = replace(scenario, 'tariff_rate: 0 #', '# tariff_rate: 0')`)
			if left := column(w.tb, db, `SELECT scenario FROM arm WHERE scenario NOT LIKE '%# tariff_rate%'`); left != nil {
				w.tb.Errorf("a scenario that was not changed: %s", left[0])
			}
		},
		"another plan": func(w *workshop, db *sql.DB) {
			w.exec(db, `UPDATE experiment SET
				plan = json_set(json_remove(plan, '$.confidence', '$.burn_in_months'), '$.later', json('{"a": [1]}'))`)
		},
	} {
		for _, archive := range ofThisModel(t) {
			t.Run(name+"/"+archive, func(t *testing.T) {
				dir, _ := mustUnpack(t, archive)
				w := upgraded(t, dir, cache)
				change(w, w.database())
				w.close() // or it knew the layout
				w.open()
				w.goOn(mustEnds(t, archive))
			})
		}
	}
}

// What is simulated again is compared with months of another layout in what both know.
func TestRerunOfAnotherLayout(t *testing.T) {
	dir, _ := mustUnpack(t, ofThisModel(t, "compared")[0])
	w := upgraded(t, dir, run.Cache{Dir: t.TempDir()})
	db := w.database()
	otherLayout(w, db)
	w.close()
	w.open()
	rerun := func() (differ []string) {
		t.Helper()
		if err := w.Rerun(t.Context(), "pair", 0, func(r lab.Rerun) {
			if !r.Same() {
				differ = append(differ, fmt.Sprintf("%s/%d in month %d: %s", r.Arm, r.Replication, r.DiffersIn, r.Field))
			}
		}); err != nil {
			t.Fatal(err)
		}
		return differ
	}
	if differ := rerun(); differ != nil {
		t.Errorf("another layout is a difference: %v", differ)
	}
	w.exec(db, `UPDATE monthly SET cpi = cpi + 1e-9 WHERE run = 2 AND month = 3`)
	w.exec(db, `UPDATE monthly SET record = (SELECT record FROM monthly WHERE run = 4 AND month = 2) WHERE run = 3 AND month = 2`)
	differ := rerun()
	if len(differ) != 2 || differ[0] != "control/2 in month 3: cpi" || !strings.HasPrefix(differ[1], "treatment/1 in month 2: ") {
		t.Errorf("differences in %v", differ)
	}
}

// Tables of the last month that another build did not keep, or in another form, are simulated
// again.
func TestTablesOfAnotherProgram(t *testing.T) {
	for what, change := range map[string]string{
		"not by skill": `UPDATE detail SET data = CAST('{"households": {}}' AS BLOB) WHERE kind = 'tables'`,
		"another form": `UPDATE detail SET data = CAST('[]' AS BLOB) WHERE kind = 'tables'`,
	} {
		dir, _ := mustUnpack(t, ofThisModel(t, "compared")[0])
		w := upgraded(t, dir, run.Cache{Dir: t.TempDir()})
		_, want, err := w.Households(t.Context(), "pair", "", 0, "skill")
		if err != nil {
			t.Fatal(err)
		}
		w.exec(w.database(), change)
		place, got, err := w.Households(t.Context(), "pair", "", 0, "skill")
		if err != nil || place.Partial || encoded(t, got) != encoded(t, want) {
			t.Errorf("%s: %+v, %v, %v; want %v", what, place, encoded(t, got), err, encoded(t, want))
		}
	}
}

// Other bits than those of another program are no failure for good: that one goes on.
func TestOtherBitsThanAnotherProgram(t *testing.T) {
	for version, want := range map[string]run.State{"test": run.StateFailed, "0.5.0 (of another day)": run.StateInterrupted} {
		dir, _ := mustUnpack(t, ofThisModel(t, "paused")[0])
		w := upgraded(t, dir, run.Cache{})
		db := w.database()
		w.exec(db, `UPDATE experiment SET code_version = ?`, version)
		blobs := column(t, db, `SELECT hex(record) FROM monthly WHERE run = 2 AND month = 2`)
		last := map[bool]string{true: "1", false: "0"}[blobs[0][len(blobs[0])-1] == '0']
		w.exec(db, `UPDATE monthly SET record = unhex(?) WHERE run = 2 AND month = 2`, blobs[0][:len(blobs[0])-1]+last)
		months := column(t, db, `SELECT quote(run) || quote(month) || quote(record) FROM monthly`)
		if _, err := w.Resume(t.Context(), "paused", 0, access.Operator()); err != nil {
			t.Fatal(err)
		}
		s := w.wait("paused", want)
		if !strings.Contains(s.Message, "month 2 of experiment paused was simulated again and differs") {
			t.Errorf("%s: %s", version, s.Message)
		}
		if strings.Contains(s.Message, "econ-mcp "+version+" goes on with it") != (want == run.StateInterrupted) {
			t.Errorf("%s: %s", version, s.Message)
		}
		if now := column(t, db, `SELECT quote(run) || quote(month) || quote(record) FROM monthly`); !slices.Equal(now, months) {
			t.Errorf("%s: %d months were on record, there are %d, or others", version, len(months), len(now))
		}
	}
}

// What only a later build can read is refused with its name, and stays.
func TestUnreadableForThisProgram(t *testing.T) {
	for what, change := range map[string]string{
		"the scenario": `UPDATE arm SET scenario = replace(scenario, 'vat_rate:', 'window_tax: 1' || char(10) || '  vat_rate:')`,
		"the plan":     `UPDATE experiment SET plan = '{"outcomes": {"cpi": 1}}'`,
	} {
		dir, _ := mustUnpack(t, ofThisModel(t, "auto_killed")[0])
		w := upgraded(t, dir, run.Cache{})
		w.exec(w.database(), change)
		w.exec(w.database(), `UPDATE experiment SET code_version = '0.5.9'`)
		w.unfinished()
		before := w.contents()
		_, err := w.Resume(t.Context(), "auto_killed", 0, access.Operator())
		if fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "econ-mcp 0.5.9") {
			t.Errorf("%s: %v", what, err)
		}
		if after := w.contents(); !maps.Equal(before, after) {
			t.Errorf("%s: what is stored is not what it was", what)
		}
	}
}

// exec changes the database as no program should.
func (w *workshop) exec(db *sql.DB, statement string, args ...any) {
	w.tb.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		w.tb.Fatalf("%s: %v", statement, err)
	}
}

// otherCheckpoints puts something in the place of checkpoints that this program cannot read.
func otherCheckpoints(w *workshop, _ *sql.DB) {
	w.tb.Helper()
	files, err := filepath.Glob(filepath.Join(w.dir, "checkpoints/*/*/*.snap"))
	if err != nil {
		w.tb.Fatal(err)
	}
	for _, path := range files {
		info, err := os.Stat(path)
		if err == nil {
			err = os.WriteFile(path, make([]byte, info.Size()), 0o644)
		}
		if err != nil {
			w.tb.Fatal(err)
		}
	}
}

// otherLayout writes all months as a build would have written them whose records had other
// numbers in another order: not all of those there are, and one that is gone since.
func otherLayout(w *workshop, db *sql.DB) {
	w.tb.Helper()
	was := strings.Split(column(w.tb, db, "SELECT fields FROM layout ORDER BY id LIMIT 1")[0], "\n")
	is := []string{"Firms.Gone"}
	for i, field := range slices.Backward(was) {
		if field == "Month" || i%7 != 0 {
			is = append(is, field)
		} else if name, ok := strings.CutPrefix(field, "Values."); ok {
			w.exec(db, "UPDATE monthly SET "+name+" = NULL")
		}
	}
	for _, id := range column(w.tb, db, "SELECT rowid FROM monthly") {
		var blob []byte
		if err := db.QueryRow("SELECT record FROM monthly WHERE rowid = ?", id).Scan(&blob); err != nil {
			w.tb.Fatal(err)
		}
		w.exec(db, "UPDATE monthly SET record = ? WHERE rowid = ?", rewritten(blob, was, is), id)
	}
	w.exec(db, "UPDATE layout SET fields = ? WHERE id = (SELECT min(id) FROM layout)", strings.Join(is, "\n"))
}

// rewritten is the blob of a record (a version, a bit for each field, the words of those
// that are not 0) with other fields. Those that it does not have are 1.
func rewritten(blob []byte, was, is []string) []byte {
	words := make(map[string][]byte)
	data := blob[1+(len(was)+7)/8:]
	for i, field := range was {
		if blob[1+i/8]&(1<<(i%8)) != 0 {
			words[field], data = data[:8], data[8:]
		} else {
			words[field] = nil
		}
	}
	out := append([]byte{blob[0]}, make([]byte, (len(is)+7)/8)...)
	for i, field := range is {
		word, ok := words[field]
		if !ok {
			word = binary.LittleEndian.AppendUint64(nil, 1)
		}
		if word != nil {
			out[1+i/8] |= 1 << (i % 8)
			out = append(out, word...)
		}
	}
	return out
}
