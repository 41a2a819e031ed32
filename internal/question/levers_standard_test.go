package question

import (
	"slices"
	"strings"
	"testing"
)

// Each standard size can be had in the baseline economy, is within the limits of its lever, and says in
// both languages where it comes from. (Retaliation needs a tariff to answer, which is asked for.)
func TestStandardSizes(t *testing.T) {
	for id, s := range standards {
		if _, ok := leverOf(id); !ok || s.en == "" || s.zh == "" || s.by != 0 == (s.to != 0) {
			t.Errorf("%s: %+v", id, s)
			continue
		}
		ways := map[int][]change{1: {raise}, -1: {lower}, 0: {raise, lower}}[s.only]
		if s.to != 0 {
			ways = []change{introduce, raise}
		}
		for _, way := range ways {
			for _, lang := range []string{"en", "zh"} {
				said := alone(said(id, way))
				said.lang = lang
				got := resolve(Reading{Question: "q", Language: lang}, []rune("q"), said, Options{})
				if source := either(lang, s.en, s.zh); got.Status != Ready && id != "retaliation_share" || !slices.ContainsFunc(got.Assumed, func(a string) bool { return strings.Contains(a, source) }) {
					t.Errorf("%s %v: %s, assumed %q", id, way, got.Status, got.Assumed)
				}
			}
		}
	}
}

// A standard size is taken only where nothing in the question may be another one.
func TestNoStandardSize(t *testing.T) {
	for question, status := range map[string]Status{
		"Does a higher minimum wage destroy jobs?":                           Ready,
		"Is a carbon tax bad for growth?":                                    Ready,
		"What does a lower VAT do for consumption?":                          Ready,
		"Does a slightly higher minimum wage destroy jobs?":                  AskedBack,
		"What if VAT were drastically lower?":                                AskedBack,
		"What if VAT went back down to what it was before?":                  AskedBack,
		"Higher and lower taxes on profits, please: investment?":             AskedBack,
		"Do something about the minimum wage.":                               AskedBack,
		"Raise VAT or cut public purchases: which is worse for consumption?": AskedBack,
		"提高失业救济，失业率会上升吗？":                                                    Ready,
		"增值税降一点，消费会怎样？":                                                      Ready,
		"增值税大幅下调，消费会怎样？":                                                     AskedBack,
		"公司税降到原来的那个数，就业如何？":                                                  AskedBack,
		"动一动最低工资，会有什么后果？":                                                    AskedBack,
	} {
		if got := Read(question, Options{}); got.Status != status {
			t.Errorf("%s: %s, want %s", question, got.Status, status)
		}
	}
}
