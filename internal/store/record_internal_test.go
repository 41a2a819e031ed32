package store

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"econ-mcp/sim"
)

// randomRecord has numbers of all sorts in all fields.
func randomRecord(seed uint64) sim.Record {
	random := rand.New(rand.NewPCG(seed, 1))
	var r sim.Record
	special := []uint64{0, 1, 1 << 63, math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN()), 0x7FF8000000000123, math.Float64bits(-1.5)}
	eachField(reflect.ValueOf(&r).Elem(), func(v reflect.Value) {
		word := random.Uint64()
		if random.IntN(2) == 0 {
			word = special[random.IntN(len(special))]
		}
		if v.Kind() == reflect.Int {
			v.SetInt(int64(word))
		} else {
			v.SetFloat(math.Float64frombits(word))
		}
	})
	return r
}

func TestRecordKeepsItsBits(t *testing.T) {
	same := newLayout(strings.Join(fields, "\n"))
	for seed := range uint64(20) {
		r := randomRecord(seed)
		blob := encodeRecord(nil, &r)
		got, err := same.decode(blob)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		want := reflect.ValueOf(r)
		var words []uint64
		eachField(want, func(v reflect.Value) { words = append(words, wordOf(v)) })
		eachField(reflect.ValueOf(got), func(v reflect.Value) {
			if wordOf(v) != words[i] {
				t.Errorf("%s: %x came back as %x", fields[i], words[i], wordOf(v))
			}
			i++
		})
		if i != len(fields) {
			t.Fatalf("%d fields of %d", i, len(fields))
		}
	}
}

func TestFieldsHaveDifferentNames(t *testing.T) {
	seen := make(map[string]bool)
	for _, name := range fields {
		if seen[name] || name == "" {
			t.Errorf("field %q occurs twice", name)
		}
		seen[name] = true
	}
	for _, name := range []string{"Month", "Values.nominal_gdp", "Households.Income.Deciles.9", "Banks.Resolutions"} {
		if !seen[name] {
			t.Errorf("there is no field %q", name)
		}
	}
}

// TestRecordOfAnotherVersion: fields are found by name; one that was not
// there is NaN, a count 0; one that is not there any more is left out.
func TestRecordOfAnotherVersion(t *testing.T) {
	r := randomRecord(3)
	r.Month, r.Households.Retrained = 12, 5
	r.Values[sim.RealGDP], r.Values[sim.CPI] = 1, 2
	old := append([]string(nil), fields...)
	rename := func(name string) {
		for i := range old {
			if old[i] == name {
				old[i] = "Gone." + name
			}
		}
	}
	rename("Values.real_gdp")
	rename("Households.Retrained")
	got, err := newLayout(strings.Join(old, "\n")).decode(encodeRecord(nil, &r))
	if err != nil {
		t.Fatal(err)
	}
	if got.Month != 12 || got.Value(sim.CPI) != 2 || !math.IsNaN(got.Value(sim.RealGDP)) || got.Households.Retrained != 0 {
		t.Errorf("month %d, cpi %v, real_gdp %v, retrained %d", got.Month, got.Value(sim.CPI), got.Value(sim.RealGDP), got.Households.Retrained)
	}
}

func TestBrokenRecord(t *testing.T) {
	l := newLayout(strings.Join(fields, "\n"))
	r := randomRecord(1)
	blob := encodeRecord(nil, &r)
	for name, broken := range map[string][]byte{
		"empty":   {},
		"version": append([]byte{recordVersion + 1}, blob[1:]...),
		"short":   blob[:10],
		"cut":     blob[:len(blob)-8],
		"longer":  append(append([]byte(nil), blob...), 0),
	} {
		if _, err := l.decode(broken); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDifference: two programs compare the numbers that both have, whatever their order.
func TestDifference(t *testing.T) {
	r := randomRecord(1)
	r.Firms.Vacancies, r.Values[sim.CPI] = 7, 2
	blob := encodeRecord(nil, &r)
	same := strings.Join(fields, "\n")
	renamed := func(name string) string { return strings.Replace(same, "\n"+name+"\n", "\nGone."+name+"\n", 1) }
	for _, c := range []struct {
		name, stored string
		change       func(r *sim.Record)
		want         string
	}{
		{"nothing", same, func(*sim.Record) {}, ""},
		{"a count", same, func(r *sim.Record) { r.Firms.Vacancies++ }, "Firms.Vacancies"},
		{"a bit", same, func(r *sim.Record) { r.Values[sim.CPI] = math.Nextafter(2, 3) }, "Values.cpi"},
		{"a number that came since", renamed("Values.cpi"), func(r *sim.Record) { r.Values[sim.CPI] = 3 }, ""},
		{"a number that both have", renamed("Values.cpi"), func(r *sim.Record) { r.Firms.Vacancies++ }, "Firms.Vacancies"},
	} {
		again := r
		c.change(&again)
		if got, err := newLayout(c.stored).difference(blob, &again); err != nil || got != c.want {
			t.Errorf("%s: the difference is said to be in %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
