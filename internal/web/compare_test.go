package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// doses is an inquiry with three doses of VAT.
var doses = strings.NewReplacer("arms: {vat: {events: [{set: {vat_rate: 12%}, from: 3}]}}", "arms: {vat: {doses: {parameter: vat_rate, values: [2%, 14%, 20%]}}}").Replace(small)

type comparedAnswer struct {
	Rows []struct {
		Metric, Arm string
		Exploratory bool
		Difference  float64
	}
	Asked int
	Arms  []string
	Doses *struct {
		Parameter string `json:"parameter_name"`
		Control   float64
		Values    []struct {
			Arm   string
			Value float64
		}
	}
}

// The arms of an experiment stand beside each other as its plan has them; a choice of arms hides rows and changes no number.
func TestCompareArms(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "doses", doses)
	var all, some comparedAnswer
	o.must(t, "/compare?experiment=doses", &all)
	if len(all.Arms) != 4 || len(all.Rows) != 6 || all.Rows[0].Exploratory || all.Asked != 0 {
		t.Fatalf("%+v", all)
	}
	if d := all.Doses; d == nil || d.Parameter != "vat_rate" || len(d.Values) != 3 || d.Values[0].Value != .02 || d.Values[2].Value != .2 {
		t.Errorf("%+v", all.Doses)
	}
	o.must(t, "/compare?experiment=doses&arm=vat_0.2", &some)
	if len(some.Arms) != 2 || len(some.Rows) != 2 || some.Rows[0].Arm != "vat_0.2" {
		t.Fatalf("%+v", some)
	}
	for _, row := range all.Rows {
		if row.Arm == "vat_0.2" && row.Metric == some.Rows[0].Metric && row.Difference != some.Rows[0].Difference {
			t.Errorf("%+v is not %+v", row, some.Rows[0])
		}
	}

	// What is beyond the plan is exploratory, and is counted once however often it is looked at.
	for range 2 {
		o.must(t, "/compare?experiment=doses&window=1,6&metrics=real_gdp", &some)
	}
	if !some.Rows[0].Exploratory || some.Asked != 3 {
		t.Errorf("%+v", some)
	}

	var series struct {
		Reading string
		Months  []int
		Series  []struct {
			Label  string
			Number int
			Mean   []float64
		}
	}
	o.must(t, "/compare/series?experiment=doses&arm=vat_0.2&metric=inflation", &series)
	if len(series.Months) != 12 || len(series.Series) != 2 || series.Series[1].Number != 3 || series.Series[0].Label != "control" || series.Reading != "share" {
		t.Errorf("%+v", series)
	}

	page := o.page(t, "/compare?experiment=doses&arm=vat_0.14&arm=vat_0.2&metric=inflation", "en")
	contains(t, "the page", page, `value="vat_0.2" checked`, `value="vat_0.02">`, "Inflation by month", "Dose and response", "VAT", `data-x="20"`, "planned",
		"Judge this indicator too", "metrics=inflation")
	if strings.Contains(page, `data-x="2"`) {
		t.Error("the page draws an arm that was not chosen")
	}
	contains(t, "the page of other months", o.page(t, "/compare?experiment=doses&experiment=&arm=&window=1&window=6", "zh"), "探索性", `value="6"`, "仅计划内的内容", "剂量与响应")
}

// Experiments are compared with the first; what cannot be says why, in the page, where something else can be chosen.
func TestCompareExperiments(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "first", small)
	o.mustExperiment(t, "second", strings.Replace(small, "12%", "18%", 1))
	o.mustExperiment(t, "larger", strings.Replace(small, "num_households: 500", "num_households: 600", 1))
	var found comparedAnswer
	o.must(t, "/compare?experiment=first&experiment=second&metrics=inflation", &found)
	if len(found.Rows) != 1 || found.Rows[0].Arm != "second/vat" || !found.Rows[0].Exploratory || found.Arms[0] != "first/vat" || found.Doses != nil {
		t.Errorf("%+v", found)
	}
	contains(t, "the page", o.page(t, "/compare?experiment=first&experiment=second&metrics=inflation&metric=inflation", "en"),
		"second/vat", "Between experiments nothing was planned", "exploratory", `value="first" checked`)
	contains(t, "the page of unlike sizes", o.page(t, "/compare?experiment=first&experiment=larger&metric=real_gdp", "en"),
		"This cannot be compared", "different sizes", "Real GDP by month", `value="larger" checked`)
	contains(t, "the page of months that are not there", o.page(t, "/compare?experiment=first&window=1&window=99", "en"), "This cannot be compared", "months 1 to 12")
	_, series := o.send(t, request{path: "/api/v1/compare/series?experiment=first&metric=inflation&language=zh"})
	contains(t, "the marks in Chinese", series, `"month":3`, "变为 12")
	contains(t, "the page without a choice", o.page(t, "/compare", "en"), `href="/compare?experiment=larger"`)
	contains(t, "the page of an unknown indicator", o.page(t, "/compare?experiment=first&metric=gpd", "en"), "gpd", `role="alert"`)

	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/compare":                                     {http.StatusBadRequest, "experiment"},
		"/compare?experiment=frist":                    {http.StatusNotFound, "first"},
		"/compare?experiment=first,first":              {http.StatusConflict, "named twice"},
		"/compare?experiment=first&arm=vta":            {http.StatusNotFound, "vat"},
		"/compare?experiment=first,second&arm=vat":     {http.StatusConflict, "leave arm out"},
		"/compare?experiment=first,larger":             {http.StatusConflict, "different sizes"},
		"/compare/series?experiment=first&metric=gpd":  {http.StatusNotFound, "gpd"},
		"/compare?experiment=a,b,c,d,e,f,g,h,i":        {http.StatusBadRequest, "8"},
		"/compare?experiment=first&metrics=%3Cscript>": {http.StatusNotFound, "script"},
	} {
		if r, text := o.send(t, request{path: "/api/v1" + path}); r.StatusCode != want.status || !strings.Contains(text, want.text) {
			t.Errorf("%s: %d %s; want %d and %q", path, r.StatusCode, text, want.status, want.text)
		}
	}
	if _, page := o.send(t, request{path: "/compare?experiment=%3Cscript%3Ealert(1)%3C/script%3E"}); strings.Contains(page, "<script>alert") {
		t.Error("a name is not text")
	}
}
