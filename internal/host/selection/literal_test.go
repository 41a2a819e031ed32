package selection

import (
	"slices"
	"strings"
	"testing"
)

func TestTakeLiterals(t *testing.T) {
	for _, tt := range []struct {
		request, rest string
		want          []literal
	}{
		{"read /home/ana/a.csv, please", "read , please", []literal{{aPath, "/home/ana/a.csv"}}},
		{`open D:\data\a.txt`, "open", []literal{{aPath, `D:\data\a.txt`}}},
		{"打开 /data/笔记 看看", "打开 看看", []literal{{aPath, "/data/笔记"}}},
		{"在/home/lin下面找", "在 下面找", []literal{{aPath, "/home/lin"}}},
		{"/data/采访/录音稿.txt 前 30 行", "前 行", []literal{{aPath, "/data/采访/录音稿.txt"}, {aNumber, "30"}}},
		{"list octo/hello", "list", []literal{{aRepository, "octo/hello"}}},
		{"src/main.go of octo/hello", "of", []literal{{aPath, "src/main.go"}, {aRepository, "octo/hello"}}},
		{"find *.csv", "find", []literal{{aPattern, "*.csv"}}},
		{`create "a title"`, `create " "`, []literal{{aText, "a title"}}},
		{"回答“税收会影响就业吗”", "回答“ ”", []literal{{aQuestion, "税收会影响就业吗"}}},
		{"set vat_rate to 0.2", "set to", []literal{{anAssignment, "vat_rate=0.2"}}},
		{"vat_rate should be 0.2", "should be", []literal{{anAssignment, "vat_rate=0.2"}}},
		{"把 vat_rate 改成 0.2、num_firms 写成 6", "把 改成 、 写成", []literal{{anAssignment, "vat_rate=0.2"}, {anAssignment, "num_firms=6"}}},
		{"x_1 0.1, y_2 -> 30", ", ->", []literal{{anAssignment, "y_2=30"}, {anAssignment, "x_1=0.1"}}},
		{"README.md of octo/hello.js", "of", []literal{{aRepository, "octo/hello.js"}, {aPath, "README.md"}}},
		{"release/2.0 into main on octo/hello", "into main on", []literal{{aBranch, "release/2.0"}, {aRepository, "octo/hello"}}},
		{"the EUR/USD rate", "the EUR/USD rate", nil},
		{"stop wage-floor-3 and ubi-trial, low-skilled jobs step-by-step", "stop and , low-skilled jobs step-by-step", []literal{{anIdentifier, "wage-floor-3"}, {anIdentifier, "ubi-trial"}}},
		{"a repository called thesis", "a repository called", []literal{{anIdentifier, "thesis"}}},
		{"where torch.compile(full=True) is called", "where is called", []literal{{anIdentifier, "torch.compile(full=True"}}},
		{"第 24 个月的指标", "第 个月的指标", []literal{{aMonth, "24"}}},
		{"run 120 months", "run months", []literal{{aSpan, "120"}}},
		{"months 12 to 60", "months to", []literal{{aWindow, "12=60"}}},
		{"第 61—120 个月", "第 — 个月", []literal{{aWindow, "61=120"}}},
		{`use {"a": 1} and b=2`, "use and =", []literal{{anObject, `{"a": 1}`}, {anAssignment, "b=2"}}},
		{"fetch https://example.org/x", "fetch", []literal{{aURL, "https://example.org/x"}}},
		{"read/write the agent's mark-ups and/or prices", "read/write the agent's mark-ups and/or prices", nil},
	} {
		rest, got := takeLiterals(tt.request)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q has %v, want %v", tt.request, got, tt.want)
		}
		if strings.Join(strings.Fields(rest), " ") != strings.Join(strings.Fields(tt.rest), " ") {
			t.Errorf("%q leaves %q, want %q", tt.request, rest, tt.rest)
		}
	}
}
