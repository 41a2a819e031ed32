package access_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// whose a thing is, seen from ada.
var (
	own         = access.Owner{Principal: "ada"}
	ownShared   = access.Owner{Principal: "ada", Shared: true}
	other       = access.Owner{Principal: "bob"}
	otherShared = access.Owner{Principal: "bob", Shared: true}
	operators   = access.Owner{}
)

func TestMay(t *testing.T) {
	for role, may := range map[access.Role][]bool{ // stop, share and delete of each of the owners
		"":              make([]bool, 15),
		access.ReadOnly: make([]bool, 15),
		access.Full: {true, true, true, true, true, true, false, false, false, true, false, false,
			false, false, false},
		access.Admin: slices.Repeat([]bool{true}, 15),
	} {
		c := access.Caller{Principal: "ada", Role: role}
		for i, o := range []access.Owner{own, ownShared, other, otherShared, operators} {
			for k, act := range []string{"stop", access.Share, access.Delete} {
				err := c.May(act, thing(o))
				if may[3*i+k] && err != nil || !may[3*i+k] && fault.KindOf(err) != fault.Forbidden {
					t.Errorf("%q, %s of %+v: %v", role, act, o, err)
				}
			}
		}
	}
	for _, o := range []access.Owner{operators, other, otherShared} {
		if err := access.Operator().May(access.Share, thing(o)); err != nil {
			t.Errorf("the operator, %+v: %v", o, err)
		}
	}
}

func thing(o access.Owner) access.Thing {
	return access.Thing{Kind: "experiment", Name: "x", Field: "experiment_name", Owner: o}
}

// Who is refused is told whose it is and what to do.
func TestRefusals(t *testing.T) {
	for name, tt := range map[string]struct {
		role  access.Role
		owner access.Owner
		want  string
		hint  string
	}{
		"another's":      {access.Full, other, `experiment "x" belongs to bob, and ada may not stop it`, "ask bob to share it"},
		"the operator's": {access.Full, operators, `experiment "x" belongs to the operator, and ada may not stop it`, "ask the operator to share it"},
		"own":            {access.ReadOnly, own, `experiment "x" belongs to ada, and ada may not stop it`, "use a token of the role full"},
	} {
		e, ok := access.Caller{Principal: "ada", Role: tt.role}.May("stop", thing(tt.owner)).(*fault.Error)
		if !ok || e.Field != "experiment_name" || e.Message != tt.want || !strings.HasPrefix(e.Hint, tt.hint) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// What a principal does or tries is in the log; of what the operator does, only what is another's.
func TestActsAreLogged(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	for name, tt := range map[string]struct {
		caller access.Caller
		owner  access.Owner
		want   string
	}{
		"refused": {access.Caller{Principal: "ada", Role: access.Full}, other,
			"level=WARN msg=forbidden act=stop experiment=x owner=bob by=ada role=full"},
		"own, refused": {access.Caller{Principal: "ada", Role: access.ReadOnly}, own,
			"level=WARN msg=forbidden act=stop experiment=x owner=ada by=ada role=read-only"},
		"allowed": {access.Caller{Principal: "ada", Role: access.Full}, own,
			"level=INFO msg=allowed act=stop experiment=x owner=ada by=ada role=full"},
		"the operator": {access.Operator(), other,
			`level=INFO msg=allowed act=stop experiment=x owner=bob by="the operator" role=admin`},
		"the operator's own": {access.Operator(), operators, ""},
	} {
		var log bytes.Buffer
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		tt.caller.May("stop", thing(tt.owner))
		_, line, _ := strings.Cut(strings.TrimSpace(log.String()), " ") // after the time
		if line != tt.want {
			t.Errorf("%s: %q, want %q", name, line, tt.want)
		}
	}
}
