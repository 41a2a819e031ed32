package lab_test

import (
	"database/sql"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// The books of a month that was simulated earlier, with what was injected since, say what the record of the month says.
func TestBooksAreThoseOfTheRecord(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	name := w.start(lab.Order{
		Scenario: mustScenario(t, "num_households", 500, "vat_rate", .25), Control: "baseline", Months: 24, PauseAt: 6,
	})
	w.wait(name, run.StatePaused)
	w.inject(name, minimumWage(8))
	if _, err := w.Resume(t.Context(), name, 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait(name, run.StateCompleted)
	if b, err := w.BooksAtHand(t.Context(), name, "", 0, 0); err != nil || b != nil {
		t.Fatalf("before anybody asked: %v, %v", b, err)
	}
	for _, arm := range []string{"control", "treatment"} {
		for _, month := range []int{1, 9, 24} {
			b, err := w.Books(t.Context(), name, arm, 2, month)
			if err != nil {
				t.Fatal(err)
			}
			if b.Arm != arm || b.Replication != 2 || b.Month != month || b.First != 1 || b.Last != 24 || b.Compared != 24 {
				t.Errorf("asked for month %d of %s, found %s/%d, month %d of %d to %d", month, arm, b.Arm, b.Replication, b.Month, b.First, b.Last)
			}
			records, err := w.Store.Month(t.Context(), name, arm, month)
			if err != nil {
				t.Fatal(err)
			}
			r := records[1]
			if got, want := -b.NetLending()[sim.GovernmentSector], r.Value(sim.Deficit)*1000; math.Abs(float64(got)-want) > .5 {
				t.Errorf("%s, month %d: the government borrows %d in the books, %v in the record", arm, month, got, want)
			}
			if got, want := float64(b.BankEquity)/1000, r.Value(sim.BankEquity); got != want {
				t.Errorf("%s, month %d: equity of banks %v in the books, %v in the record", arm, month, got, want)
			}
			if b.Left() != [sim.NumSectors]int64{} {
				t.Errorf("%s, month %d: left %v", arm, month, b.Left())
			}
		}
	}
	if b, err := w.BooksAtHand(t.Context(), name, "treatment", 2, 3); err != nil || b == nil || b.Month != 3 {
		t.Errorf("another month of the run: %v, %v", b, err)
	}
	for _, test := range []struct {
		arm         string
		replication int
		month       int
		kind        fault.Kind
	}{{"nobody", 1, 1, fault.NotFound}, {"", 3, 1, fault.OutOfRange}, {"", 1, 25, fault.OutOfRange}} {
		if _, err := w.Books(t.Context(), name, test.arm, test.replication, test.month); fault.KindOf(err) != test.kind {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// What the program cannot simulate again to the bit, or not in a short time, has no books.
func TestNoBooksOfOtherNumbers(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	name := w.start(lab.Order{Scenario: mustScenario(t, "num_households", 500, "vat_rate", .25), Control: "baseline", Months: 6})
	w.wait(name, run.StateCompleted)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.dir, "econ-mcp.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, step := range []struct {
		change, says string
		kind         fault.Kind
	}{
		{"UPDATE experiment SET households = 10000000", "takes too long", fault.LimitExceeded},
		{"UPDATE experiment SET households = 500", "", ""},
		{"UPDATE monthly SET real_gdp = real_gdp + 1 WHERE month = 4", "real_gdp of " + name + " in month 4", fault.InvalidState},
		{"UPDATE experiment SET model_version = '0.1.0'", "model version 0.1.0", fault.InvalidState},
	} {
		if _, err := db.Exec(step.change); err != nil {
			t.Fatal(err)
		}
		if step.kind == "" {
			continue
		}
		if _, err := w.Books(t.Context(), name, "", 0, 0); fault.KindOf(err) != step.kind || !strings.Contains(err.Error(), step.says) {
			t.Errorf("%s: %v", step.change, err)
		}
	}
}

// In each preset, month by month, the matrices add up to the last subunit, and their sums are the numbers of the month's record.
func TestBooksOfPresets(t *testing.T) {
	for _, name := range presets.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := presets.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
				p.NumHouseholds, p.BurnInMonths = 500, 6
			}
			e, _, err := run.BurnIn(t.Context(), s, 7, 1, run.Cache{}, (*sim.Economy).Step)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			err = run.Months(t.Context(), e, s, 18, func(e *sim.Economy) error {
				err := e.Step()
				if err == nil {
					sumsOfRecord(t, e)
				}
				return err
			})
			if err != nil || t.Failed() {
				t.Fatalf("month %d: %v", e.Month(), err)
			}
		})
	}
}

// sumsOfRecord compares the sums of the matrices with the record of the month, in subunits.
func sumsOfRecord(t *testing.T, e *sim.Economy) {
	t.Helper()
	b, r := e.Books(), e.Latest()
	entry := func(id string, s sim.Sector) int64 {
		k := slices.IndexFunc(b.Payments, func(row sim.BookEntry) bool { return row.ID == id })
		return b.Payments[k].Amounts[s]
	}
	for _, list := range [][]sim.BookEntry{b.Claims, b.Payments, b.Losses, b.Changes} {
		for _, row := range list {
			if row.Sum() != 0 {
				t.Errorf("row %s adds up to %d", row.ID, row.Sum())
			}
		}
	}
	if b.Left() != [sim.NumSectors]int64{} {
		t.Errorf("the columns leave %v", b.Left())
	}
	var taxes int64
	for _, id := range []string{"income_tax", "vat", "tariff", "corporate_tax", "green_levy", "robot_tax"} {
		taxes += entry(id, sim.GovernmentSector)
	}
	claims := b.NetFinancialWorth()
	for _, x := range []struct {
		what string
		got  int64
		want float64
	}{
		{"taxes", taxes, r.Value(sim.TaxRevenue)},
		{"deficit", -b.NetLending()[sim.GovernmentSector], r.Value(sim.Deficit)},
		{"exports", -entry("exports", sim.ForeignSector), r.Value(sim.Exports)},
		{"imports", entry("imports", sim.ForeignSector), r.Value(sim.Imports)},
		{"equity of banks", claims[sim.BankSector], r.Value(sim.BankEquity)},
		{"money", b.Claims[0].Amounts[sim.HouseholdSector] + b.Claims[0].Amounts[sim.FirmSector], r.Value(sim.MoneyStock)},
		{"credit to firms", -b.Claims[3].Amounts[sim.FirmSector], r.Value(sim.CreditStock)},
		{"purchases", -entry("purchases", sim.GovernmentSector), r.Government.Purchases},
		{"interest on debt", -entry("bond_interest", sim.GovernmentSector), r.Government.Interest},
		{"stocks of goods", b.Assets[1].Amounts[sim.FirmSector], math.Floor(r.Firms.Inventories*1000) / 1000},
	} {
		if want := int64(math.Round(x.want * 1000)); x.got != want {
			t.Errorf("month %d: %s are %d in the books, %d in the record", e.Month(), x.what, x.got, want)
		}
	}
}
