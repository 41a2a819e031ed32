package question_test

import (
	"testing"

	"econ-mcp/internal/question"
)

// What is about an economy or an experiment is asked back where nothing of it is understood; what is about something
// else is refused, whatever of an economy it names.
func TestScope(t *testing.T) {
	for asked, want := range map[string]question.Status{
		"Weigh the present system against the proposed reform.":              question.AskedBack,
		"Companies could owe at most half of what their plants are worth.  ": question.AskedBack,
		"And at 6 percent?": question.AskedBack,
		"What if shopkeepers relabelled their shelves daily?":                                question.AskedBack,
		"Try the other scenario, please.":                                                    question.AskedBack,
		"翻一番的话呢？政策上说得通吗？":                                                                    question.AskedBack,
		"拿出50亿办点实事怎么样？":                                                                      question.AskedBack,
		"对企业，是严一点好还是宽一点好？":                                                                   question.AskedBack,
		"Would trade between Chile and Peru grow without visas?":                             question.OutOfScope,
		"Companies with up to 20 employees should pay no corporate tax.":                     question.OutOfScope,
		"Give a wage subsidy of 20 percent to firms that employ fewer than ten people.":      question.OutOfScope,
		"Will the pound gain against the Japanese yen if rates rise to 4 percent?":           question.OutOfScope,
		"My salary is 3,000. Should I ask for more or leave?":                                question.OutOfScope,
		"我攒了点钱，该不该买点基金？":                                                                     question.OutOfScope,
		"What if firms could lay off two of ten workers?":                                    question.AskedBack,
		"How tall is the tower in the park?":                                                 question.OutOfScope,
		"楼下的猫今天吃了吗？":                                                                         question.OutOfScope,
		"Suppose firms employ 5 percent more people in public research, what about growth?":  question.AskedBack,
		"Germany and Austria both cut VAT to 5 percent: where does employment rise by more?": question.AskedBack,
	} {
		if r := question.Read(asked, question.Options{}); r.Status != want {
			t.Errorf("%s: %s, want %s: %v", asked, r.Status, want, r.LeftOver)
		}
	}
}
