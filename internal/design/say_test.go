package design_test

import (
	"testing"

	"econ-mcp/internal/design"
	"econ-mcp/presets"
)

func TestForeign(t *testing.T) {
	for question, want := range map[string]string{
		"What happens if VAT rises from 8% to 15%?": "",
		"AI and jobs": "",
		"Universal basic income per capita of 500 a month":        "",
		"把增值税从8%提高到15%会怎样？":                                       "",
		"提高 VAT 会怎样":                                              "",
		"Que se passe-t-il si la TVA passe de 8 à 15 % ?":         "French",
		"Wie wirkt eine höhere Mehrwertsteuer auf die Preise?":    "German",
		"¿Qué pasa con el empleo si sube el IVA en los mercados?": "Spanish",
		"消費税を上げるとどうなりますか？":                                        "Japanese",
		"消費税増税の影響は？":                                              "Japanese",
		"Augmenter le salaire minimum":                            "French",
		"Co się stanie, jeśli VAT wzrośnie?":                      "Polish",
		"Wat gebeurt er als de btw stijgt?":                       "Dutch",
		"Mindestlohn erhöhen":                                     "another language",
		"What does laissez-faire mean for wages?":                 "",
		"Raise la VAT": "",
		"How does the Kurzarbeit scheme help in a recession?": "",
		"No tariffs": "",
		"부가가치세를 올리면 어떻게 됩니까?": "Korean",
	} {
		if got := design.Foreign(question); got != want {
			t.Errorf("%q seems to be in %q, want %q", question, got, want)
		}
	}
	questions, err := design.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		if got := design.Foreign(q.Question); got != "" {
			t.Errorf("%q seems to be in %s", q.Question, got)
		}
	}
}

func TestTitle(t *testing.T) {
	base, err := presets.Load("baseline")
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string][2]string{
		"raise VAT from 8% to 15%": {"VAT (vat_rate) from 8 % to 15 % of the net price", "增值税（vat_rate）由 8 % 变为 15 %"},
		"AI": {"AI (ai_adoption_rate) from 0 % to 1 % a month", "人工智能（ai_adoption_rate）由 每月 0 % 变为 " +
			"每月 1 %"},
		"cut the deficit by a third":          {"the policy austerity (2.721 % of spending)", "政策 austerity（2.721 %）"},
		"raise the retirement age by 3 years": {"retirement age (retirement_age_shift) from 0 to 3", "退休年龄（retirement_age_shift）由 0 变为 3"},
	} {
		p, err := design.Read(question, base)
		if err != nil {
			t.Fatal(err)
		}
		if en, zh := p.In(false).Change(), p.In(true).Change(); en != want[0] || zh != want[1] {
			t.Errorf("%q: %q, %q; want %q", question, en, zh, want)
		}
	}
}

// TestExpectation: a hypothesis is about the outcome that the question asks about, not
// about what the lever is best known for.
func TestExpectation(t *testing.T) {
	base, err := presets.Load("baseline")
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]struct {
		outcome string
		sign    int
	}{
		"Does a VAT cut raise unemployment?":                              {"unemployment_rate", 0},
		"降低增值税会提高失业率吗？":                                                   {"unemployment_rate", 0},
		"Does a higher minimum wage reduce employment?":                   {"employment_rate", 0},
		"What does a 25% tariff do to wages?":                             {"real_wage_mean", 0},
		"Do higher interest rates reduce inflation?":                      {"inflation", -1},
		"Will a lower corporate tax raise investment?":                    {"real_investment", 1},
		"Raise VAT from 8% to 15%":                                        {"real_consumption", -1},
		"Raise government spending by 10% if unemployment exceeds 8%":     {"real_gdp", 1},
		"What happens to poverty and unemployment with a higher pension?": {"poverty_rate", 0},
	} {
		p, err := design.Read(question, base)
		if err != nil {
			t.Fatal(err)
		}
		if outcome, sign := p.Expectation(); outcome.String() != want.outcome || sign != want.sign {
			t.Errorf("%q is about %s (%d), want %s (%d)", question, outcome, sign, want.outcome, want.sign)
		}
		if c := p.Criteria(60); c.Outcomes[0] != want.outcome {
			t.Errorf("%q is judged by %s first", question, c.Outcomes[0])
		}
	}
}
