package store_test

import (
	"context"
	"errors"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// What an older program stored counts as if it were stored now: who changes nothing of it is within
// a limit that is reached, whether that program wrote it before the upgrade or after.
func TestWhatOlderProgramsStoredCounts(t *testing.T) {
	ctx := context.Background()
	for _, fixture := range []string{"0.4.0/completed", "0.5.0-schema2/completed"} {
		dir := mustUnpack(t, fixture)
		db := mustRaw(t, dir)
		_, err := db.Exec(`INSERT INTO workspace (name, revision, saved_at, data) VALUES ('eve', 1, '', zeroblob(9000))`)
		must(t, err)
		s := mustOpen(t, dir)
		x := mustExperiment(t, s, "single")
		owner := x.Principal
		var bytes, counted, analysed int64
		must(t, db.QueryRow("SELECT experiment.bytes, analysis.bytes FROM experiment JOIN analysis ON experiment.id = experiment").
			Scan(&bytes, &analysed))
		old, err := s.Analysis(ctx, "single", 0, owner)
		must(t, err)
		before := stored(t, s, owner)
		old.Principal = owner
		_, err = s.SaveAnalysis(ctx, "single", old)
		must(t, err)
		if more := stored(t, s, owner) - before; more != analysed || analysed <= int64(len(old.Result)) {
			t.Errorf("%s: an analysis counts %d bytes, and %d when it is stored now", fixture, analysed, more)
		}

		// The older program is still open.
		before = stored(t, s, owner)
		_, err = db.Exec(`INSERT INTO analysis (experiment, version, created_at, code_version, settings, result)
			SELECT experiment, 9, created_at, code_version, settings, result FROM analysis WHERE version = 1;
			UPDATE experiment SET bytes = bytes + (SELECT octet_length(settings) + octet_length(result) FROM analysis WHERE version = 9);
			INSERT OR REPLACE INTO workspace (name, revision, saved_at, data) VALUES ('eve/late', 1, '', zeroblob(9000))`)
		must(t, err)
		s.Limits.Bytes = 1
		for _, name := range []string{"eve/default", "eve/late"} {
			_, err := s.EditWorkspace(ctx, name, func(data []byte, _ int64) ([]byte, error) { return data, nil })
			if err != nil {
				t.Errorf("%s: %s is not changed: %v", fixture, name, err)
			}
		}
		wantKind(t, keepSpace(s, "eve/late", 12_000), fault.LimitExceeded)
		must(t, db.QueryRow("SELECT bytes FROM experiment WHERE name = 'single'").Scan(&counted))
		if late := stored(t, s, owner) - before; late != analysed || counted != bytes {
			t.Errorf("%s: an analysis of %d bytes that came late counts %d, and its experiment %d after %d", fixture, analysed, late, counted, bytes)
		}
		s.Limits = store.Limits{}
		must(t, errors.Join(keepSpace(s, "fay/default", 9000), keepSpace(s, "fay/late", 9000)))
		if eve, fay := stored(t, s, "eve"), stored(t, s, "fay"); eve != fay || eve < 18_000 {
			t.Errorf("%s: workspaces count %d bytes, and %d when they are made now", fixture, eve, fay)
		}
		must(t, db.Close())
	}
}
