package selection

import (
	"strings"
	"testing"
)

func TestWithoutAsides(t *testing.T) {
	for _, tt := range []struct {
		request, main, asides string
	}{
		{"I'll carry on after lunch", "I'll carry on after lunch", ""}, // all that it says
		{"Pause it, I'll carry on after lunch", "Pause it", ", I'll carry on after lunch"},
		{"Before I commit, is it valid?", "is it valid?", "Before I commit,"},
		{"it is already captured, flip it to archived", "flip it to archived", "it is already captured,"},
		{"先停一停，回头我还要接着跑。", "先停一停 。", "，回头我还要接着跑"},
	} {
		main, asides := withoutAsides(tt.request)
		if got := strings.Join(strings.Fields(main), " "); got != tt.main || strings.TrimSpace(asides) != tt.asides {
			t.Errorf("%q is %q, beside it %q", tt.request, got, asides)
		}
	}
}
