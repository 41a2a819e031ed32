package quarterly

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

func TestParseQuarter(t *testing.T) {
	for text, want := range map[string]string{
		"1959Q1": "1959Q1", "2014-Q4": "2014Q4", "1985:3": "", "1985q3": "1985Q3", "1999-04-01": "1999Q2", "1999-10": "1999Q4",
		"1999-02-01": "", "1999": "", "": "", "1999Q5": "", "1999-13-01": "",
	} {
		q, ok := ParseQuarter(text)
		if ok != (want != "") || ok && q.String() != want {
			t.Errorf("%q: %v, %v, want %q", text, q, ok, want)
		}
	}
}

// A mapping computes variables from columns; a column may begin later and end earlier than others.
func TestRead(t *testing.T) {
	const file = "\ufeffdate,GDP,UR,CU\n1999-10-01,100,4,\n2000-01-01,101,4.1,80\n2000-04-01,102,4.2,81\n2000-07-01,103,4.3,.\n"
	m, err := ReadMapping([]byte("quarter: date\ncolumns: {output: GDP, unemployment: UR / 100, utilisation: CU / 100}\n" +
		"held_out: [utilisation]\nsamples: [1999Q4-2000Q2]\n"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read(strings.NewReader(file), m)
	if err != nil {
		t.Fatal(err)
	}
	u := d.Values[Utilisation]
	if d.First.String() != "1999Q4" || d.Quarters() != 4 || math.Abs(d.Values[Unemployment][3]-.043) > 1e-12 || !math.IsNaN(u[0]) ||
		u[1] != .8 || !math.IsNaN(u[3]) || m.HeldOut[0] != Utilisation || m.Samples[0].String() != "1999Q4-2000Q2" {
		t.Errorf("%v, %v", d, m)
	}
	part := d.Between(m.Samples[0].First, m.Samples[0].Last)
	if part.Quarters() != 3 || part.First != d.First {
		t.Errorf("%v", part)
	}
}

// What is wrong with a file is said with its line, and what is wrong with a mapping with line and column.
func TestReadRefuses(t *testing.T) {
	const mapping = "columns: {output: Y, unemployment: u}\n"
	for name, tt := range map[string]struct{ mapping, file, want string }{
		"gap":              {mapping, "quarter,Y,u\n2000Q1,1,.1\n2000Q3,1,.1\n", "line 3: 2000Q3 stands where 2000Q2 should follow"},
		"months":           {mapping, "quarter,Y,u\n2000-02,1,.1\n", "line 2: \"2000-02\" is no quarter"},
		"missing column":   {mapping, "quarter,y,u\n2000Q1,1,.1\n", "unknown column \"Y\""},
		"no quarters":      {mapping, "Quarter,Y,u\n2000Q1,1,.1\n", "unknown column \"quarter\""},
		"empty cell":       {mapping, "quarter,Y,u\n2000Q1,1,.1\n2000Q2,1,\n2000Q3,1,.1\n", "line 3: u has no value in 2000Q2"},
		"percent":          {mapping, "quarter,Y,u\n2000Q1,1,5.8\n", "line 2: u is 5.8 in 2000Q1; it is a share, between 0 and"},
		"negative volume":  {mapping, "quarter,Y,u\n2000Q1,-1,.1\n", "line 2: Y is -1 in 2000Q1"},
		"text":             {mapping, "quarter,Y,u\n2000Q1,one,.1\n", "line 2, column 8: \"one\" is no number"},
		"ragged":           {mapping, "quarter,Y,u\n2000Q1,1\n", "wrong number of fields"},
		"empty":            {mapping, "", "the file is no CSV"},
		"twice":            {mapping, "quarter,Y,u,Y\n2000Q1,1,.1,2\n", "line 1: columns 2 and 4 are both called \"Y\""},
		"header alone":     {mapping, "quarter,Y,u\n", "no quarters"},
		"no output":        {"columns: {unemployment: u}\n", "quarter,u\n2000Q1,.1\n", "columns.output"},
		"no values":        {"columns: {output: Y, loans: L}\n", "quarter,Y,L\n2000Q1,1,\n", "L has no values"},
		"unknown variable": {"columns: {output: Y,\n  unemploymnt: u}\n", "", "(line 2, column 3); did you mean \"unemployment\"?"},
		"unknown key":      {"column: {output: Y}\n", "", "columns"},
		"bad sample":       {mapping + "samples: [1999]\n", "", "line 2, column 11"},
		"no expression":    {"columns: {output: Y +}\n", "quarter,Y,u\n2000Q1,1,.1\n", "no expression"},
		"a call":           {"columns: {output: len(Y)}\n", "quarter,Y,u\n2000Q1,1,.1\n", "len"},
	} {
		m, err := ReadMapping([]byte(tt.mapping))
		if err == nil {
			_, err = Read(strings.NewReader(tt.file), m)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || fault.KindOf(err) == fault.Internal {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// Without a mapping, columns have the names of variables.
func TestReadNames(t *testing.T) {
	d, err := Read(strings.NewReader("quarter,output,other\n2000Q1,1,a3\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "no number") {
		t.Errorf("%v, %v", d, err)
	}
	if d, err = Read(strings.NewReader("quarter,output,other\n2000Q1,1,3\n"), nil); err != nil || d.Values[Output][0] != 1 {
		t.Errorf("%v, %v", d, err)
	}
}
