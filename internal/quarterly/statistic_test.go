package quarterly

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"econ-mcp/data"
)

// unitedStates are the embedded data.
func unitedStates(tb testing.TB) (*Data, *Mapping) {
	tb.Helper()
	m, err := ReadMapping(data.USQuarterlyMapping)
	if err != nil {
		tb.Fatal(err)
	}
	d, err := Read(bytes.NewReader(data.USQuarterly), m)
	if err != nil {
		tb.Fatal(err)
	}
	return d, m
}

// ofInflation are rows that rest on inflation, such as "autocorr raw_pi 1".
var ofInflation = regexp.MustCompile(`\b(raw_)?pi(cpi)?(\b|_)|inflation`)

// All rows of table A are computed, and have the values that a script independent of this code found
// (testdata/us_statistics.csv, to four digits), but for those that its text leaves open: it counts the
// inflation of the first quarter as that of the second, and takes shapes in steps of .05.
func TestStatisticsOfTheUnitedStates(t *testing.T) {
	d, m := unitedStates(t)
	got := map[[2]string]Statistic{}
	for _, of := range m.Samples {
		for _, s := range d.Between(of.First, of.Last).Statistics(.0107, m.HeldOut) {
			got[[2]string{s.Name, of.String()}] = s
		}
	}
	file, err := os.Open("testdata/us_statistics.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		years := strings.Split(r[1], "-")
		key := [2]string{r[0], years[0] + "Q1-" + years[1] + "Q4"}
		s, has := got[key]
		delete(got, key)
		if !has || math.IsNaN(s.Value()) {
			t.Errorf("%s %s is not computed", r[0], r[1])
			continue
		}
		if held := r[5] == "yes"; held || s.HeldOut {
			if held != s.HeldOut {
				t.Errorf("%s is held out: %v", r[0], s.HeldOut)
			}
			continue
		}
		want, err := strconv.ParseFloat(r[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		allowed := .00011 // rounded twice
		switch {
		case ofInflation.MatchString(r[0]):
			allowed = .0051
		case strings.Contains(r[0], "EP shape"):
			allowed = .025
		}
		if x := s.Value(); math.Abs(x-want) > allowed {
			t.Errorf("%s %s: %.4f, want %.4f", r[0], r[1], x, want)
		}
	}
	late := &Data{Values: d.Values} // a variable that no quarter has with the others has no statistics
	late.Values[Adults] = undefined(d.Quarters())
	for _, s := range late.Statistics(.0107, nil) {
		if strings.Contains(s.Name, "per capita") {
			t.Errorf("%s without adults: %v", s.Name, s.Value())
		}
	}
	if x := late.GrowthPerAdult(); !math.IsNaN(x) {
		t.Errorf("growth an adult without adults: %v", x)
	}
	for key := range got {
		t.Errorf("%v is not in the list", key)
	}
}

// People who come add to amounts, and change neither rates nor what is measured an adult.
func TestPeopled(t *testing.T) {
	d := &Data{}
	for q := range 40 {
		for v, x := range map[Variable]float64{Output: math.Exp(.005 * float64(q)), Adults: 7, Unemployment: .06} {
			d.Values[v] = append(d.Values[v], x)
		}
	}
	grown := d.Peopled(.012)
	for what, growth := range map[string][2]float64{
		"of adults":              {grown.GrowthOfAdults(), .012},
		"of those of before":     {d.GrowthOfAdults(), 0},
		"an adult":               {grown.GrowthPerAdult(), .02},
		"an adult, before":       {d.GrowthPerAdult(), .02},
		"where none are counted": {(&Data{Values: [NumVariables][]float64{Output: {1, 2, 3}}}).GrowthOfAdults(), 0},
	} {
		if math.Abs(growth[0]-growth[1]) > 1e-12 {
			t.Errorf("growth %s: %v, want %v", what, growth[0], growth[1])
		}
	}
	if u := grown.Values[Unemployment]; u[39] != .06 {
		t.Errorf("unemployment became %v", u[39])
	}
	if y := grown.Values[Output][39]; math.Abs(y-math.Exp(.008*39)) > 1e-12 {
		t.Errorf("output became %v", y)
	}
}
