package sim

import (
	"bytes"
	"testing"

	"econ-mcp/internal/fault"
)

// Every draw that is made month by month belongs to one process, and those of the start to none.
func TestEveryDrawHasAProcess(t *testing.T) {
	of := map[purpose]int{}
	for p := range NumProcesses {
		if p.String() == "" || p.Meaning() == "" {
			t.Errorf("process %d has no name", p)
		}
		for _, draw := range processTable[p].draws {
			of[draw]++
		}
	}
	start := map[purpose]bool{
		forSkill: true, forSavingType: true, forEquityShare: true, forFamilySize: true, 5: true, 25: true,
		forFirstJob: true, forFirstSupplier: true, forStartValues: true, forFirstSeller: true,
	}
	for draw := forSkill; draw <= forFirmStates; draw++ {
		if want := map[bool]int{true: 0, false: 1}[start[draw]]; of[draw] != want {
			t.Errorf("purpose %d is in %d processes", draw, of[draw])
		}
	}
}

// What is drawn anew changes the future by its own process alone, and nothing before.
func TestRedraw(t *testing.T) {
	p := Defaults()
	p.NumHouseholds, p.BurnInMonths, p.RandomState = 600, 6, 3
	p.ConfidenceVolatility = 0
	after := func(months int, seed uint64, processes ...Process) [NumIndicators]float64 {
		e := mustNew(t, p, 1)
		mustStep(t, e, 3)
		if seed != 0 {
			e.Redraw(seed, processes...)
		}
		mustStep(t, e, months)
		return e.Latest().Values
	}
	same := after(4, 0)
	for what, got := range map[string][NumIndicators]float64{
		"no process":               after(4, 9),
		"a process without effect": after(4, 9, ConfidenceProcess),
	} {
		if got != same {
			t.Errorf("%s drawn anew changed the economy", what)
		}
	}
	wages := after(4, 9, WageProcess)
	if wages == same || wages == after(4, 10, WageProcess) || wages == after(4, 9, WageProcess, PriceProcess) {
		t.Error("wages drawn anew: the economy is the same, or another process's")
	}
	if wages != after(4, 9, WageProcess) {
		t.Error("the same seed gave another economy")
	}
}

// An economy whose draws a snapshot does not hold is not written, and its copy goes on as it does.
func TestRedrawnIsNotWritten(t *testing.T) {
	p := Defaults()
	p.NumHouseholds, p.RandomState = 600, 3
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	e.Redraw(9, WageProcess)
	if err := e.WriteSnapshot(new(bytes.Buffer)); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("written: %v", err)
	}
	c := e.Copy()
	defer c.Close()
	mustStep(t, e, 2)
	mustStep(t, c, 2)
	if e.StateHash() != c.StateHash() {
		t.Error("a copy goes on in another way")
	}
}
