package trials_test

import (
	"strings"
	"testing"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/trials"
)

// An answer is right where it is one of those that are accepted: the same experiment, however it is
// written.
func TestJudge(t *testing.T) {
	const asked = `{"id":"1","lang":"en","question":"q","kind":"k","accept":[` +
		`{"status":"ready","arms":{"a":{"events":[{"set":{"vat_rate":{"by":0.03}},"from":13}]}}},` +
		`{"status":"ready","background":{"preset":"crisis"},"arms":{"x":{"events":[{"policy":"minimum_wage","level":{"direction":"up"}}]},` +
		`"y":{"set":{"vat_rates_by_industry":{"01":0}}}}},{"status":"ready","arms":{"a":{"events":[{"set":{"vat_rate":0.1},"when":"inflation > 5%","for":12}]}}}]}` + "\n"
	list, err := trials.ReadQuestions(strings.NewReader(asked))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	for text, right := range map[string]bool{
		"arms: {b: {events: [{set: {vat_rate: 11%}, from: 13}]}}":                                                                            true,
		"arms: {b: {events: [{set: {vat_rate: 11%}, from: 13, for: 48}]}}\ndesign: {months: 60}":                                             true, // to the end: for good
		"arms: {b: {events: [{set: {vat_rate: 11%}, from: 13, for: 47}]}}\ndesign: {months: 60}":                                             false,
		"arms: {b: {events: [{set: {vat_rate: 11%}, from: 12}]}}":                                                                            false,
		"arms: {b: {events: [{set: {vat_rate: 3%}, from: 13}]}}":                                                                             false,
		"arms: {b: {events: [{set: {vat_rate: 11%, corporate_tax_rate: 0}, from: 13}]}}":                                                     false,
		"arms: {b: {set: {vat_rate: 11%}}}":                                                                                                  false,
		"background: {preset: crisis}\narms: {b: {events: [{set: {vat_rate: 11%}, from: 13}]}}":                                              false,
		"background: {events: [{shock: demand, size: -1%}]}\narms: {b: {events: [{set: {vat_rate: 11%}, from: 13}]}}":                        false,
		"background: {set: {num_households: 500}}\narms: {b: {events: [{set: {vat_rate: 11%}, from: 13}]}}":                                  true,
		"background: {preset: crisis}\narms: {m: {events: [{policy: minimum_wage, level: 1%}]}, n: {set: {vat_rates_by_industry: '01: 0'}}}": true,
		"background: {preset: crisis}\narms: {m: {events: [{policy: minimum_wage, level: 1%}]}}":                                             false,
		"arms: {b: {events: [{set: {vat_rate: 10%}, for: 12, when: inflation > 5%}]}}":                                                       true,
		"arms: {b: {events: [{set: {vat_rate: 10%}, for: 12, when: inflation > 4%}]}}":                                                       false,
	} {
		q, err := inquiry.Decode([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		score, all := trials.Judge(list, func(string) (string, inquiry.Inquiry) { return trials.Ready, q })
		if all[0].Right != right || score.SilentlyWrong+score.Right != 1 || score.Answerable != 1 {
			t.Errorf("%s: right %v, want %v; %+v", text, all[0].Right, right, score)
		}
	}
	score, _ := trials.Judge(list, func(string) (string, inquiry.Inquiry) { return trials.AskedBack, inquiry.Inquiry{} })
	if score.SilentlyWrong != 0 || score.Right != 0 || score.AskedBack != 1 {
		t.Errorf("asked back: %+v", score)
	}
	if _, err := trials.ReadQuestions(strings.NewReader(`{"id":"1","accepts":[]}`)); err == nil {
		t.Error("an unknown member is read")
	}
}

// Doses count as arms, what was asked about must be measured, and for long enough.
func TestJudgeMeasured(t *testing.T) {
	const asked = `{"id":"1","lang":"en","question":"q","kind":"k","accept":[{"status":"ready","arms":{` +
		`"a":{"events":[{"set":{"minimum_wage":0.4}}]},"b":{"events":[{"set":{"minimum_wage":0.5}}]}},"outcomes":["cpi"],"horizon":72},` +
		`{"status":"ready","arms":{"a":{"doses":{"parameter":"vat_rate","values":[0.1,0.12]}}}},` +
		`{"status":"ready","arms":{"a":{"events":[{"pay":"all","amount":100}]},"b":{"events":[{"set":{"benefit_months":12}}]}}}]}` + "\n"
	list, err := trials.ReadQuestions(strings.NewReader(asked))
	if err != nil {
		t.Fatal(err)
	}
	const doses = "arms: {b: {doses: {parameter: minimum_wage, values: [40%, 50%]}}}\n"
	for text, right := range map[string]bool{
		doses + "outcomes: [{metric: cpi}]\ndesign: {months: 72}":                              true,
		doses + "outcomes: [{metric: real_gdp}]\ndesign: {months: 72}":                         false,
		doses + "outcomes: [{metric: cpi}]\ndesign: {months: 60}":                              false,
		"arms: {a: {events: [{set: {vat_rate: 10%}}]}, b: {events: [{set: {vat_rate: 12%}}]}}": true,
		"arms: {a: {events: [{set: {vat_rate: 10%}}]}}":                                        false,
		"arms: {a: {events: [{pay: all, amount: 100, for: 60}]}}":                              true,
		"arms: {a: {events: [{pay: all, amount: 100, for: 12}]}}":                              false,
	} {
		q, err := inquiry.Decode([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		if _, all := trials.Judge(list, func(string) (string, inquiry.Inquiry) { return trials.Ready, q }); all[0].Right != right {
			t.Errorf("%s: right %v, want %v", text, all[0].Right, right)
		}
	}
}
