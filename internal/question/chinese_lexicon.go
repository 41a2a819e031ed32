package question

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// hanLexicon holds all phrases of the Chinese grammar; it is made once.
var chineseWords = sync.OnceValue(func() *hanLexicon {
	l := &hanLexicon{patterns: map[rune][]hanPattern{}, composed: map[rune][]hanPattern{}}
	l.add(hanScenes, hanWord{role: fillerRole})
	l.add(hanFillers, hanWord{role: fillerRole})
	l.add(hanBases, hanWord{role: fillerRole})
	for _, row := range hanRoles {
		l.add(row.phrases, hanWord{role: row.role})
	}
	for _, row := range hanVerbs {
		l.add(row.phrases, hanWord{role: verbRole, change: row.change})
	}
	for _, row := range hanGroups {
		l.add(row.phrases, hanWord{role: groupRole, name: row.name})
	}
	for _, row := range hanIndustries {
		l.add(row.phrases, hanWord{role: industryRole, name: row.name})
	}
	for _, row := range hanPlaces {
		l.add(row.phrases+" "+row.name, hanWord{role: placeRole, name: row.name})
	}
	for _, row := range hanForeign {
		l.add(row.phrases, hanWord{role: foreignRole, name: row.name})
	}
	for _, row := range hanMeasures {
		l.add(row.phrases, hanWord{role: ofRole, of: row.of})
	}
	for _, row := range hanDates {
		l.add(row.phrases, hanWord{role: dateRole, month: row.month})
	}
	l.add("的", hanWord{role: ofWhatRole})
	for _, sign := range strings.Fields("。 ; ? ! , 、 : — … · \" ' ( ) [ ] 《 》 “ ” ‘ ’ 「 」 『 』 【 】 - ~ /") {
		l.addOne(sign, hanWord{role: stopRole})
	}
	for _, row := range hanOutcomes {
		l.add(row.phrases, hanWord{outcomes: row.indicators})
	}
	for _, row := range hanLevers {
		l.addLevers(row.levers, row.phrases)
	}
	for _, row := range hanComposed {
		l.addComposed(row.levers, row.concepts)
	}
	for _, row := range hanPayers {
		l.add(row.phrases, hanWord{role: payerRole, name: row.name})
	}
	for _, w := range strings.Fields(generalHan) {
		l.addGeneral(w)
	}
	return l
})

// addLevers adds phrases for levers, with their marks.
func (l *hanLexicon) addLevers(ids, phrases string) {
	w := hanWord{}
	id, group, _ := strings.Cut(ids, " ")
	for _, one := range strings.Split(id, ",") {
		if _, ok := leverOf(one); ok {
			w.levers = append(w.levers, one)
		}
	}
	if w.levers == nil {
		w.role = topicRole // in scope, but nothing that can be set
	}
	w.name = group
	for _, phrase := range strings.Fields(phrases) {
		word := w
		for {
			mark, rest := cutMark(phrase)
			if rest == phrase {
				break
			}
			word.mark(mark)
			phrase = rest
		}
		if strings.Contains(phrase, "…") {
			for _, mark := range "+-=×" { // it may stand inside: (a|b)…+(c|d)
				if before, after, ok := strings.Cut(phrase, string(mark)); ok {
					word.mark(mark)
					phrase = before + after
				}
			}
			l.addParted(phrase, word)
			continue
		}
		for _, text := range alternatives(phrase) {
			word := word
			for _, mark := range "+-=×?" {
				if before, after, ok := strings.Cut(text, string(mark)); ok {
					word.mark(mark)
					text = before + after
				}
			}
			l.addOne(text, word)
		}
	}
}

// generalHan are verbs, adjectives, adverbs, idioms and particles of everyday language: those of the
// dictionary of jieba (Sun Junyi, MIT licence) that are not rare and have no character of money, work,
// trade, time, numbers, size, direction or negation in them. Nouns are left out: an unknown one stops.
//
//go:embed chinese_general.txt
var generalHan string

// addGeneral adds a word of everyday language that says nothing about an experiment, where it has no
// meaning yet.
func (l *hanLexicon) addGeneral(text string) {
	node := l.root.grow([]rune(text))
	if node.word == nil {
		node.word, node.general = &hanWord{role: fillerRole, general: true}, true
	}
}

// addComposed adds a lever that concepts name, in each order in which they can stand.
func (l *hanLexicon) addComposed(lever, concepts string) {
	w := hanWord{levers: []string{lever}}
	mark, rest := cutMark(concepts)
	if rest != concepts {
		w.mark(mark)
	}
	for _, order := range orders(strings.Fields(rest)) {
		phrase := ""
		for _, concept := range order {
			var words []string
			for _, w := range strings.Fields(hanConcepts[concept]) {
				words = append(words, alternatives(w)...)
			}
			phrase += "…(" + strings.Join(words, "|") + ")"
		}
		l.addTo(l.composed, strings.TrimPrefix(phrase, "…")+"，", w, composedGap)
	}
}

// orders are all orders of a list.
func orders(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	var all [][]string
	for i, first := range list {
		for _, rest := range orders(slices.Delete(slices.Clone(list), i, i+1)) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}

// mark notes what a mark of a phrase says.
func (w *hanWord) mark(mark rune) {
	switch mark {
	case '+':
		w.change = raise
	case '-':
		w.change = lower
	case '=':
		w.change = introduce
	case '×':
		w.change = abolish
	case '!':
		w.inverse = true
	case '?':
		w.weak = true
	}
}

// cutMark cuts a leading mark of a phrase.
func cutMark(text string) (mark rune, rest string) {
	for _, r := range "+-=×!?" {
		if after, ok := strings.CutPrefix(text, string(r)); ok {
			return r, after
		}
	}
	return 0, text
}

// hanDates are words for a time to come, by the month in which it begins: the experiment begins now.
var hanDates = []struct {
	month   int
	phrases string
}{
	{1, `今年(|起|年初) 即日起 即刻 本月 从现在(起|开始) 眼下`},
	{2, `下个月 下月 下个月起`},
	{4, `下个季度 下季度 下一季度`},
	{7, `下半年`},
	{13, `明年(|年初|初|一月|1月|起) 来年 下一年 次年`},
	{25, `后年(|年初|初|起)`},
	{37, `大后年`},
}

// hanScenes make a place of what stands before or after them.
const hanScenes = `那一阵 那段 关口 这一波 这波里 预设下 席卷 那阵子 那阵 那一段 那段时间 那会儿 那时候 的当口 当口 那种情形下 那种情况下 那一波里 这一波里 那几年 的日子里 期间 情景 情景下 情景里 当中 时期 中 里
		下 时 时候 的时候 背景下 环境下 环境里 条件下 之下 之中 里头 局面下 期 阵痛期 预设 方案 情形下 年代 面前 关头 之际 碰上 遇到 遇上 碰到 面对 面临 赶上 爆发
	来了 来袭 发生 出现 陷入 处在 处于 像 假定 身处`

// hanPayers say what finances what happens.
var hanPayers = []struct{ name, phrases string }{
	{"income_tax_rate", `(由|用|靠|以|拿|从|通过)…(个人所得税|所得税|个税)…(出|筹资|支付|买单|埋单|负担|承担|融资|来补|补|付|掏|筹措|解决|来凑|凑|来筹|筹|筹钱|来养|养|填|来填|里找|找|里拿|里扣)
		(钱|资金|费用|经费|来源|款项|窟窿|缺口|亏空|开销|这笔账)…(由|从|来自|靠|用|出自|取自|拿)…(个人所得税|所得税|个税)(|附加|附加费|收入|附加里|里)(|出|来出|筹|支付|承担|负担)
		(由|用|靠|以|拿|从|通过)…(个人所得税|所得税|个税)…(出|筹资|支付|买单|埋单|负担|承担|融资|来补|付|掏|筹措|解决)
		(钱|资金|费用|经费|来源|款项)…(由|从|来自|靠|用|出自|取自)…(个人所得税|所得税|个税)(|附加|附加费|收入|附加里|里)(|出|来出|筹|支付|承担|负担) (个人所得税|所得税|个税)(|附加)(筹资|融资|买单|出钱)`},
	{"vat_rate", `(由|用|靠|以|拿|从|通过)…(增值税|消费税|消费环节的税|消费环节税|购物税)…(出|筹资|支付|买单|埋单|负担|承担|融资|来补|补|付|掏|筹措|解决|来凑|凑|来筹|筹|筹钱|来养|养|填|来填|里找|找|里拿|里扣)
		(钱|资金|费用|经费|来源|款项|窟窿|缺口|亏空|开销|这笔账)…(由|从|来自|靠|用|出自|取自|拿)…(增值税|消费税)(|附加|附加费|收入|附加里|里)(|出|来出|筹|支付|承担|负担)
		(由|用|靠|以|拿|从|通过)…(增值税|消费税)…(出|筹资|支付|买单|埋单|负担|承担|融资|来补|付|掏|筹措|解决)
		(钱|资金|费用|经费|来源|款项)…(由|从|来自|靠|用|出自|取自)…(增值税|消费税)(|附加|附加费|收入|附加里|里)(|出|来出|筹|支付|承担|负担) (增值税|消费税)(|附加)(筹资|融资|买单|出钱)`},
	{"deficit", `(钱|资金|费用|来源|窟窿|缺口|亏空|开销)…(由|来自|靠|是|用|拿)…(赤字|借债|发债|举债|借来的|借|国债|发国债)
		(由|用|靠|以|通过)…(赤字|借债|发债|举债|国债|借钱)(|来)(筹资|支付|买单|融资|解决|出|负担|承担|付) (钱|资金|费用|来源)…(由|来自|靠|是|用)…(赤字|借债|发债|举债|借来的)`},
}

// hanLevelBases are the bases of which a share is a level: 原工资的四成.
var hanLevelBases = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, phrase := range strings.Fields(hanBases) {
		for _, w := range alternatives(phrase) {
			words[w] = !strings.HasPrefix(w, "原来的") && !strings.HasPrefix(w, "现") && !strings.HasPrefix(w, "目前") && !strings.HasPrefix(w, "原有")
		}
	}
	return words
})

// hanSceneWords are those, by text: most of them have another role, too.
var hanSceneWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(hanScenes) {
		words[w] = true
	}
	return words
})
