package question_test

import (
	"testing"

	"econ-mcp/internal/question"
)

// Words that change what is asked, and that no grammar carries through, stop a reading.
func TestGuard(t *testing.T) {
	for text, want := range map[string]question.Status{
		"How much would the minimum wage have to rise before unemployment increases by 1 point?":    question.AskedBack,
		"What if austerity is reduced by 2 percentage points?":                                      question.AskedBack,
		"Raise the income tax on earnings above twice the average to 40 percent.":                   question.AskedBack,
		"What if wages were frozen for two years while prices rise 5 percent?":                      question.AskedBack,
		"Last year VAT was raised from 8 to 10 percent. Should it be lowered again?":                question.AskedBack,
		"Let exporters pay no corporate tax.":                                                       question.AskedBack,
		"Make banks hold twice the capital they hold now but only in booms.":                        question.AskedBack,
		"In America, what happens if people draw the dole for six months and then nothing at all?":  question.AskedBack,
		"During a pandemic, should schools stay open?":                                              question.AskedBack,
		"给公务员涨工资10%，要花多少钱？":                                                                         question.AskedBack,
		"从中国进口的商品征25%关税会怎样？":                                                                        question.AskedBack,
		"只要经济负增长就把利率减半。":                                                                            question.AskedBack,
		"出口企业免交企业所得税。":                                                                              question.AskedBack,
		"食品增值税10%，其他仍为8%，会怎样？":                                                                      question.AskedBack,
		"反对提高最低工资到60%的人有道理吗？":                                                                       question.AskedBack,
		"What if austerity is reduced to 2%?":                                                       question.AskedBack,
		"What does an austerity of 10% do to unemployment?":                                         question.Ready,
		"Raise the minimum wage to 60% every other year":                                            question.AskedBack,
		"What if the government bought 2% of GDP less each year for 3 years?":                       question.AskedBack,
		"Cut public purchases by 5% of GDP but leave health untouched":                              question.AskedBack,
		"Would unemployment fall if VAT were cut by 3 points in a recession lasting two years?":     question.AskedBack,
		"降息两个百分点和发钱哪个更好?":                                                                           question.AskedBack,
		"政府采购减少百分之二十,三年内逐步恢复":                                                                       question.AskedBack,
		"At what minimum wage does unemployment rise by one point?":                                 question.AskedBack,
		"最低工资提高到多少才会使失业率上升一个百分点?":                                                                   question.AskedBack,
		"最低工资每隔一年提高到60%":                                                                            question.AskedBack,
		"把失业救济从七成降到九成，会怎样？":                                                                         question.AskedBack,
		"危机预设下，一边是银行每家每月得五万，一边是失业者每人每月得200，都发12个月，哪边好？":                                             question.AskedBack,
		"给每人每月发500会怎样？":                                                                             question.Ready, // 元 goes without saying
		"只给老年人发1000块会怎样?":                                                                           question.AskedBack,
		"How much does employment fall if VAT rises from 8% to 10%?":                                question.Ready,
		"VAT up to 12 percent unless unemployment rises.":                                           question.AskedBack,
		"Let every second unemployed person get 300 a month.":                                       question.AskedBack,
		"Raise VAT to 12 percent half a year before cutting income tax by 2 points.":                question.AskedBack,
		"Is it better to cut VAT to 5 percent than to do nothing?":                                  question.Ready,
		"Cut VAT to 5% and keep the corporate tax unchanged":                                        question.Ready,
		"Which is better for jobs, a VAT cut of 2 points or a cheque of 100 a month for everybody?": question.Ready,
		"Cut the corporate tax to 12% for everyone except insurers":                                 question.AskedBack,
		"Abolish every tariff except the one on steel and set VAT to 10%":                           question.AskedBack,
		"Suppose VAT went up by 2 points every quarter":                                             question.AskedBack,
		"Suppose the central bank stops raising rates in a slump":                                   question.AskedBack,
		"Would it help if benefits no longer tracked wages?":                                        question.AskedBack,
		"Levy 4% on carbon and return the proceeds to firms":                                        question.AskedBack,
		"Suppose a third of families paid VAT":                                                      question.AskedBack,
		"Put a tariff of 30% on Japanese cars":                                                      question.AskedBack,
		"What does a foreign tariff of 15% on our goods do?":                                        question.AskedBack,
		"Suppose everybody received 400 a month instead of the dole":                                question.AskedBack,
		"Suppose banks kept higher reserves of 12%":                                                 question.AskedBack,
		"Suppose new businesses paid no corporate tax for two years":                                question.AskedBack,
		"My boss says VAT should be cut to 5%. And a rise to 14%?":                                  question.AskedBack,
		"What if the tariff rose to 12%?":                                                           question.Ready,
		"外资的利润税降到10%会怎样?":                                                                           question.AskedBack,
		"失业金领18个月,只给有孩子的人,会怎样?":                                                                     question.AskedBack,
		"利息免税会怎样?":                                                                                  question.AskedBack,
		"股息收25%的税会怎样?":                                                                              question.AskedBack,
		"碳税收4%,把收入返还给企业会怎样?":                                                                        question.AskedBack,
		"所得税升到26%,增值税相应下调,会怎样?":                                                                     question.AskedBack,
		"对美国商品的关税提到30%会怎样?":                                                                         question.AskedBack,
		"三成的居民不交增值税会怎样?":                                                                            question.AskedBack,
		"关税提到12%会怎样?":                                                                               question.Ready,
		"Suppose AI makes companies a quarter more productive":                                      question.AskedBack,
		"What if pay in the public sector went up by 8 percent?":                                    question.AskedBack,
		"What if companies held on to all their staff in a slump?":                                  question.AskedBack,
		"In Austria, what if the jobless got money for nine months and then nothing?":               question.AskedBack,
		"What does a tariff of 12 percent do if its proceeds go to the poor?":                       question.AskedBack,
		"What becomes of a couple earning 3,500 a month if VAT goes to 14 percent?":                 question.AskedBack,
		"Would VAT at 5 percent help if retailers pocketed the difference?":                         question.AskedBack,
		"What if the treasury stopped paying interest on government bonds?":                         question.AskedBack,
		"What if other countries levied 20 percent on our exports?":                                 question.AskedBack,
		"What if income tax rose to 27 percent and nobody worked any less?":                         question.AskedBack,
		"Suppose half of all companies take up AI":                                                  question.AskedBack,
		"Suppose house building halves its demand for a year":                                       question.AskedBack,
		"What if jobless benefits fell to 35 percent for people who turn down an offer?":            question.AskedBack,
		"Pay 75 percent of lost wages on short time":                                                question.AskedBack,
		"Raise the tax on the rich by 8 points":                                                     question.Ready,
	} {
		if r := question.Read(text, question.Options{}); r.Status != want {
			t.Errorf("%s: %s, want %s; %+v", text, r.Status, want, r.Questions)
		}
	}
}
