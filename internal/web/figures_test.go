package web_test

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// A series has all arms over the same months, with the means and intervals that the laboratory tells.
func TestSeries(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	_, body := o.send(t, request{path: "/api/v1/experiments/vat/series?metric=real_consumption&from_month=2&language=zh"})
	var got struct {
		Label, Unit, Reading string
		Months               []int
		Arms                 []struct {
			Name              string
			Values, Low, High []float64
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if got.Label != "实际消费" || got.Reading != "money" || !strings.Contains(got.Unit, "货币单位") || len(got.Arms) != 2 || len(got.Months) != 11 ||
		got.Months[0] != 2 {
		t.Fatalf("%.600s", body)
	}
	for k, name := range []string{"control", "vat"} {
		arm := got.Arms[k]
		want, err := o.app.Lab.Series(t.Context(), "vat", name, "real_consumption", "mean", 2, 12, 1)
		if err != nil || arm.Name != name || len(arm.Values) != len(got.Months) {
			t.Fatalf("%s: %d values, %v", arm.Name, len(arm.Values), err)
		}
		for m := range want.Data {
			if arm.Values[m] != float64(want.Data[m]) || arm.Low[m] != float64(want.Lower[m]) || arm.High[m] != float64(want.Upper[m]) {
				t.Errorf("%s, month %d: %v", name, got.Months[m], arm.Values[m])
			}
		}
	}
	if math.Abs(got.Arms[0].Values[0]-got.Arms[1].Values[0]) > 1e-9 || got.Arms[0].Values[10] == got.Arms[1].Values[10] {
		t.Error("the arms do not part with the event of month 3")
	}
}

// Every indicator is told how to read, in both languages.
func TestIndicators(t *testing.T) {
	o := mustSite(t, everyone)
	for _, language := range report.Languages {
		_, body := o.send(t, request{path: "/api/v1/indicators?language=" + language})
		var got struct{ Indicators []map[string]string }
		if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Indicators) != int(sim.NumOutcomes) {
			t.Fatalf("%d indicators, %v", len(got.Indicators), err)
		}
		for k, row := range got.Indicators {
			for _, member := range []string{"name", "label", "unit", "reading", "group", "description"} {
				if row[member] == "" {
					t.Errorf("%s: indicator %d (%s) has no %s", language, k, row["name"], member)
				}
			}
		}
	}
}

// Each figure that is listed can be had, without a style that the policy of pages refuses.
func TestFigures(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	_, body := o.send(t, request{path: "/api/v1/experiments/vat/figures?language=zh"})
	var list struct{ Figures []report.Caption }
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Figures) < 8 {
		t.Fatalf("%d figures, %v", len(list.Figures), err)
	}
	for _, f := range list.Figures {
		r, svg := o.send(t, request{path: "/api/v1/experiments/vat/figures/" + f.Name + "?language=zh"})
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(svg, `<svg role="img"`) ||
			!strings.Contains(svg, "<title>"+f.Caption[:20]) || regexp.MustCompile(`\sstyle=`).MatchString(svg) {
			t.Errorf("%s: %d %.300s", f.Name, r.StatusCode, svg)
		}
	}
}
