package term

import (
	"slices"
	"testing"
)

func TestAligned(t *testing.T) {
	rows := [][]string{{"a", "12", "x"}, {"参数", "3"}, {"b", "", "yz"}}
	for _, test := range []struct {
		rest func(string, int) string
		want []string
	}{
		{Right, []string{"a     12   x", "参数   3", "b         yz"}},
		{Left, []string{"a     12  x", "参数  3", "b         yz"}},
	} {
		if got := Aligned(rows, test.rest); !slices.Equal(got, test.want) {
			t.Errorf("%q, not %q", got, test.want)
		}
	}
}
