package sim

import (
	"strconv"
	"testing"
)

func TestIndustriesShareTheBudget(t *testing.T) {
	for n := 1; n <= MaxIndustries; n++ {
		list := Industries(n)
		if len(list) != n {
			t.Fatalf("%d industries, want %d", len(list), n)
		}
		sum, codes, names := 0.0, map[string]bool{}, map[string]bool{}
		for j, ind := range list {
			if ind.Share <= 0 || ind.Name == "" || codes[ind.Code] || names[ind.Name] {
				t.Errorf("industry %d of %d: %+v", j, n, ind)
			}
			codes[ind.Code], names[ind.Name] = true, true
			sum += ind.Share
		}
		within(t, "budget shares", sum, 1, 1e-12)
	}
}

func TestFewIndustriesHoldTheRestInTheLast(t *testing.T) {
	all := Industries(MaxIndustries)
	for j, ind := range all {
		if number, err := strconv.Atoi(ind.Code); err != nil || number != j+1 {
			t.Errorf("division %q is number %d", ind.Code, j+1)
		}
	}
	list := Industries(4)
	rest := 0.0
	for _, ind := range all[3:] {
		rest += ind.Share
	}
	for j := range 3 {
		if list[j] != all[j] {
			t.Errorf("industry %d of 4 is %+v, of 12 %+v", j, list[j], all[j])
		}
	}
	within(t, "share of the rest", list[3].Share, rest, 1e-12)
	if list[3].Code != "04-12" {
		t.Errorf("the rest has the code %q", list[3].Code)
	}
	if one := Industries(1)[0]; one.Code != "01-12" || one.Name != "all consumption goods" {
		t.Errorf("one industry: %+v", one)
	}
	// The callers' lists are their own.
	list[0].Share = 9
	if Industries(4)[0].Share == 9 || industryTable[0].Share == 9 {
		t.Error("a caller changed the table")
	}
}
