package term

import (
	"bytes"
	"strings"
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
)

// The sentence above the cases names a behavioural parameter only where one is among them.
func TestRobustnessOfStructureAlone(t *testing.T) {
	list := []report.Robustness{{Preset: "us_like", Structure: true, Outcome: "real_gdp", Kept: true}}
	for language, parameter := range map[string]string{report.English: "one behavioural parameter", report.Chinese: "一个行为参数"} {
		var alone, both bytes.Buffer
		Robustness(&alone, lab.Answer{Language: language, Robustness: list})
		more := append(list, report.Robustness{Parameter: "hiring_rate", Factor: 2, Outcome: "real_gdp"})
		Robustness(&both, lab.Answer{Language: language, Robustness: more})
		flat := func(b bytes.Buffer) string { return strings.Join(strings.Fields(b.String()), " ") }
		if strings.Contains(flat(alone), parameter) || !strings.Contains(flat(both), parameter) ||
			strings.Contains(flat(alone)+flat(both), "%!") {
			t.Errorf("%s: %s\n%s", language, alone.String(), both.String())
		}
	}
}
