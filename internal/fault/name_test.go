package fault_test

import (
	"errors"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

// What is new has a name that does for a file on all systems; what is there may be called by any.
func TestNewNames(t *testing.T) {
	for name, proposal := range map[string]string{
		"CON": "my_CON", "prn": "my_prn", "Aux": "my_Aux", "nul": "my_nul", "com1": "my_com1", "LPT9": "my_LPT9",
		"aux.yaml": "my_aux.yaml", "con.": "my_con", "a.": "a", "a.b..": "a.b",
		"aux." + strings.Repeat("x", 96): "my_aux." + strings.Repeat("x", 93),
		"console":                        "", "com": "", "com0": "", "com10": "", "my.aux": "", "a.b": "", "aux_": "",
	} {
		if err := fault.CheckName("name", name); err != nil {
			t.Errorf("%s cannot be read: %v", name, err)
		}
		err := fault.CheckNewName("name", name)
		if proposal == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != fault.WrongType || e.Field != "name" || len(e.Allowed) != 1 || e.Allowed[0] != proposal {
			t.Errorf("%s: %+v, want the proposal %s", name, e, proposal)
		}
		if err := fault.CheckNewName("name", proposal); err != nil {
			t.Errorf("the proposal: %v", err)
		}
	}
	if err := fault.CheckNewName("name", "../x"); err == nil {
		t.Error("a path is a name")
	}
}
