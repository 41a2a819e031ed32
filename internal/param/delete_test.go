package param_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
)

// deletions are the two kinds of files, and how one of each is saved and deleted.
var deletions = []struct {
	folder, kind string
	save         func(*param.Library, context.Context, string, param.Saving) error
	remove       func(*param.Library, context.Context, string, access.Caller) error
}{
	{"presets", "preset", func(l *param.Library, ctx context.Context, name string, as param.Saving) error {
		_, err := l.SavePreset(ctx, name, withVAT(.1), nil, as)
		return err
	}, (*param.Library).DeletePreset},
	{"configs", "config", func(l *param.Library, ctx context.Context, name string, as param.Saving) error {
		_, err := l.SaveConfig(ctx, name, withVAT(.1), as)
		return err
	}, (*param.Library).DeleteConfig},
}

// Deleting removes one file, which then counts to nobody, and its name is free for everybody.
func TestDelete(t *testing.T) {
	for _, d := range deletions {
		dir := t.TempDir()
		l, counts := mustCount(t, dir)
		for _, name := range []string{"mine", "other"} {
			if err := d.save(l, t.Context(), name, param.Saving{By: caller("ada")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.remove(l, t.Context(), "mine", caller("ada")); err != nil {
			t.Fatal(err)
		}
		if got := files(t, filepath.Join(dir, d.folder)); !slices.Equal(got, []string{"other.yaml"}) {
			t.Errorf("%s holds %q", d.folder, got)
		}
		if _, still := counts[d.kind+"/mine"]; still || len(counts) != 1 {
			t.Errorf("what counts is %v", counts)
		}
		wantKind(t, "a second time", d.remove(l, t.Context(), "mine", caller("ada")), fault.NotFound)
		if err := d.save(l, t.Context(), "mine", param.Saving{By: caller("bob")}); err != nil {
			t.Errorf("the name is not free: %v", err)
		}
	}
}

// What may not be deleted is still there, and so is whose it is.
func TestWhatIsNotDeleted(t *testing.T) {
	shared := true
	for _, d := range deletions {
		dir := t.TempDir()
		l, counts := mustCount(t, dir)
		if err := d.save(l, t.Context(), "hers", param.Saving{By: caller("ada")}); err != nil {
			t.Fatal(err)
		}
		if err := d.save(l, t.Context(), "lent", param.Saving{By: caller("ada"), Shared: &shared}); err != nil {
			t.Fatal(err)
		}
		mustWrite(t, filepath.Join(dir, d.folder, "by_hand.yaml"), "vat_rate: 0.1\n") // the operator's
		if err := os.MkdirAll(filepath.Join(dir, d.folder, "folder.yaml"), 0o700); err != nil {
			t.Fatal(err)
		}
		builtIn := map[string]fault.Kind{"preset": fault.Conflict, "config": fault.NotFound}[d.kind]
		before, counted := files(t, filepath.Join(dir, d.folder)), maps.Clone(counts)
		for _, tt := range []struct {
			what, name string
			by         access.Caller
			want       fault.Kind
		}{
			{"another's", "hers", caller("bob"), fault.Forbidden},
			{"another's that is shared", "lent", caller("bob"), fault.Forbidden},
			{"the operator's", "by_hand", caller("bob"), fault.Forbidden},
			{"her own, to read only", "hers", access.Caller{Principal: "ada", Role: access.ReadOnly}, fault.Forbidden},
			{"one that is not there", "her", caller("ada"), fault.NotFound},
			{"one in other case", "HERS", caller("ada"), fault.NotFound},
			{"a built-in preset", "baseline", access.Operator(), builtIn},
			{"a path", "../" + d.folder + "/hers", access.Operator(), fault.WrongType},
			{"no name", "", access.Operator(), fault.WrongType},
			{"a folder", "folder", access.Operator(), fault.Internal},
		} {
			wantKind(t, d.kind+", "+tt.what, d.remove(l, t.Context(), tt.name, tt.by), tt.want)
		}
		if after := files(t, filepath.Join(dir, d.folder)); !slices.Equal(before, after) || !maps.Equal(counts, counted) {
			t.Errorf("%s holds %q, and %q before; counted are %v, and %v before", d.folder, after, before, counts, counted)
		}
		if err := d.remove(l, t.Context(), "hers", access.Caller{Principal: "root", Role: access.Admin}); err != nil {
			t.Errorf("an admin: %v", err)
		}
	}
}

// Of several who delete one file at once, in libraries of their own as processes have them, one does.
func TestDeletingAtOnce(t *testing.T) {
	for _, d := range deletions {
		dir := t.TempDir()
		l := mustOpen(t, dir)
		if err := d.save(l, t.Context(), "mine", param.Saving{By: access.Operator()}); err != nil {
			t.Fatal(err)
		}
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			other := mustOpen(t, dir)
			all.Go(func() { errs[i] = d.remove(other, t.Context(), "mine", access.Operator()) })
		}
		all.Wait()
		done := 0
		for _, err := range errs {
			switch fault.KindOf(err) {
			case "":
				done++
			case fault.NotFound:
			default:
				t.Error(err)
			}
		}
		if done != 1 {
			t.Errorf("%d deleted the %s, want 1", done, d.kind)
		}
	}
}
