package question

import "testing"

// Every subject that a vocabulary marks words with is told in words.
func TestForeignSubjects(t *testing.T) {
	for _, text := range []string{
		"What is the weather tomorrow?", "Should I buy Tesla shares?", "What if bitcoin became legal tender?", "Who wins the cup final this year?",
		"How would a congestion charge affect Manchester?", "明天天气怎么样？", "我该买基金还是买房？", "红烧肉怎么做？", "深圳单独提高最低工资会怎样？",
		"如果征收拥堵费会怎样？", "孩子发烧怎么办？",
	} {
		r := Read(text, Options{})
		for _, l := range r.LeftOver {
			if l.Why == "" {
				t.Errorf("%s: “%s” is left over without a reason", text, l.Text)
			}
		}
		if r.Status != OutOfScope {
			t.Errorf("%s: %s", text, r.Status)
		}
	}
	for _, list := range [][]mark{readEnglish("weather python shares place cup").foreign, readChinese("天气 股票 拥堵费 北京").foreign} {
		for _, m := range list {
			if _, ok := foreignSubjects[m.as]; !ok {
				t.Errorf("no words for %s", m.as)
			}
		}
	}
}
