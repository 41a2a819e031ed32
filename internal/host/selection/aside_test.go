package selection

import (
	"strings"
	"testing"
)

func TestWithoutAsides(t *testing.T) {
	for _, tt := range []struct {
		request, main, asides string
		keeps                 bool
	}{
		{"check my values without changing anything", "check my values", "", true},
		{"would it work? only check it, don't apply", "would it work? only check it,", "", true},
		{"Do not change the workspace.", "Do not change the workspace.", "", false}, // all that it says
		{"Pause it, I'll carry on after lunch", "Pause it", ", I'll carry on after lunch", false},
		{"Before I commit, is it valid?", "is it valid?", "Before I commit,", false},
		{"it is already captured, flip it to archived", "flip it to archived", "it is already captured,", false},
		{"先停一停，回头我还要接着跑。", "先停一停 。", "，回头我还要接着跑", false},
		{"只解析，不用跑", "只解析，", "", true},
		{"Which files do not change?", "Which files do not change?", "", false},
	} {
		main, asides, keeps := withoutAsides(tt.request)
		if got := strings.Join(strings.Fields(main), " "); got != tt.main || strings.TrimSpace(asides) != tt.asides || keeps != tt.keeps {
			t.Errorf("%q is %q, beside it %q, keeps %v", tt.request, got, asides, keeps)
		}
	}
}
