package design

import (
	"slices"
	"strings"
	"sync"

	"econ-mcp/sim"
)

// meaning is what a phrase of the lexicon stands for.
type meaning int

const (
	noMeaning      meaning = iota // a phrase that keeps its parts from meaning something
	leverMeaning                  // a lever: entry.rows
	outcomeMeaning                // something to look at: entry.indicator
	topicMeaning                  // speaks for a type: entry.of
	verbMeaning                   // a change: entry.verb
	negationMeaning
	effectMeaning // what follows is an effect
	nounMeaning   // "the effect of": what follows "on" is an effect
	causeMeaning  // what follows is a cause
	backMeaning   // "respond to": what precedes is an effect
	modalMeaning  // "will": after a lever, what follows is an effect
	joinMeaning   // "and"
	breakMeaning  // "but", "while"
	gradualMeaning
	brieflyMeaning
	smallMeaning
	largeMeaning
	industryMeaning
	groupMeaning // part of the population: entry.text says which
)

// verb is a change that a word names.
type verb int

const (
	noVerb verb = iota
	raise
	lower
	introduce
	abolish
	double
	triple
	halve
	settle  // set to what follows
	tighten // more of a rule, less of a permission
	loosen
)

// entry is a phrase of the lexicon.
type entry struct {
	meaning   meaning
	row       int  // of a lever
	sign      int  // of a lever: the direction that the phrase implies, or 0
	inverse   bool // of a lever: its rise is the lever's fall
	soft      bool // of a lever: only where there is no other
	standsIn  bool // of a lever: what the phrase says is not in the economy, and this is next to it
	of        Type // that it speaks for; "" = none
	indicator sim.Indicator
	verb      verb
	text      string // as the lexicon writes it
}

// node of the tree of phrases, a token an edge.
type node struct {
	next  map[string]*node
	entry *entry
}

// lexicon holds all phrases; what stands first wins where two are equal. It is made when
// the first question is read: that takes longer than all else that a server does before
// its first answer.
var lexicon = sync.OnceValue(newLexicon)

func newLexicon() *node {
	root := &node{}
	for i, r := range levers {
		for _, phrase := range slices.Concat(r.en, r.zh) {
			e := entry{meaning: leverMeaning, row: i, of: r.of}
			for more := true; more; {
				switch phrase[0] {
				case '?':
					e.soft = true
				case '!':
					e.inverse = true
				case '~':
					e.standsIn = true
				case '+':
					e.sign = 1
				case '-':
					e.sign = -1
				default:
					more = false
					continue
				}
				phrase = phrase[1:]
			}
			e.text = phrase
			root.add(phrase, e)
		}
	}
	for i, r := range levers { // names of the catalogue, after all other phrases
		if r.kind == KindParameter && r.name == "" {
			for _, phrase := range []string{r.id, strings.ReplaceAll(r.id, "_", " ")} {
				root.add(phrase, entry{meaning: leverMeaning, row: i, of: r.of, text: phrase})
			}
		}
	}
	for v, phrases := range verbWords {
		for _, phrase := range phrases {
			root.add(phrase, entry{meaning: verbMeaning, verb: verb(v), text: phrase})
		}
	}
	for _, words := range functionWords {
		for _, phrase := range words.phrases {
			root.add(phrase, entry{meaning: words.meaning, text: phrase})
		}
	}
	for _, g := range knownGroups {
		for _, phrase := range g.words {
			root.add(phrase, entry{meaning: groupMeaning, text: phrase})
		}
	}
	for _, industry := range industries {
		for _, phrase := range industry.words {
			root.add(phrase, entry{meaning: industryMeaning, text: industry.code})
		}
	}
	for _, o := range outcomeTable {
		words := o.words
		if id := o.indicator.String(); strings.Contains(id, "_") || id == "cpi" || id == "hhi" { // others are plain words, such as "firms"
			words = append([]string{id}, words...)
		}
		for _, phrase := range words {
			root.add(phrase, entry{meaning: outcomeMeaning, indicator: o.indicator, of: o.hint, text: phrase})
		}
	}
	for _, t := range typeTable {
		for _, phrase := range t.topics {
			root.add(phrase, entry{meaning: topicMeaning, of: t.name, text: phrase})
		}
	}
	return root
}

func (n *node) add(phrase string, e entry) {
	at := n
	for _, word := range phraseTokens(phrase) {
		if at.next == nil {
			at.next = map[string]*node{}
		}
		if at.next[word] == nil {
			at.next[word] = &node{}
		}
		at = at.next[word]
	}
	if at.entry == nil {
		at.entry = &e
	}
}

// match returns the longest phrase that begins at i, whose words may be inflected and
// joined by hyphens.
func (n *node) match(s scan, i int) (e *entry, end int) {
	if n.entry != nil {
		e, end = n.entry, i
	}
	if i >= len(s) {
		return e, end
	}
	if s[i].kind == signToken && s[i].text == "-" && n != lexicon() {
		if longer, at := n.match(s, i+1); longer != nil && at > i+1 {
			return longer, at
		}
		return e, end
	}
	words := []string{s[i].text}
	if s[i].kind == wordToken {
		words = forms(s[i].text)
	}
	for _, word := range words {
		if next := n.next[word]; next != nil {
			if longer, at := next.match(s, i+1); longer != nil && at > end {
				e, end = longer, at
			}
		}
	}
	return e, end
}

// verbWords are listed by [verb].
var verbWords = [...][]string{
	raise: {
		"raise", "increase", "rise", "rising", "rose", "risen", "higher", "more", "go up", "goes up", "went up", "hike", "expand", "extend",
		"lift", "grow", "grew", "strengthen", "strong", "stronger", "larger", "bigger", "jump", "climb", "surge", "spike", "soar", "add",
		"step up", "scale up", "boost",
		"push up", "top up by", "improve", "better", "greater", "longer", "up", "intensify", "additional", "extra", "enlarge", "postpone",
		"delay", "widen", "generous", "more generous", "ramp up", "high", "faster", "quicker", "speed up", "accelerate",
		"提高", "增加", "上升", "上调", "上涨", "提升", "扩大", "加强", "增强", "升高", "加大", "推迟", "延迟", "延长", "延后", "更多", "更高", "调高", "强化", "飙升", "暴涨", "大涨", "增至",
		"升至", "升到", "涨到", "提到", "提至", "上调至", "提高到", "提高至", "增加到", "增加至", "上调到", "上升到", "上升至",
		"升", "涨", "走高", "攀升", "追加", "扩张", "改善", "多发", "拉高", "增", "抬高", "增长到", "加快", "加速", "更快",
	},
	lower: {
		"cut", "cutting", "reduce", "reduction", "lower", "decrease", "fall", "falling", "fell", "fallen", "drop", "decline", "less", "fewer",
		"shrink", "shrank", "slash", "weaken", "weak", "weaker", "relax", "ease", "smaller", "trim", "curb", "diminish", "collapse", "plunge",
		"contract", "go down", "goes down", "went down", "bring down",
		"down", "shorten", "shorter", "limit", "low", "slow down", "decreasing", "dismantle", "fade", "cheaper", "slower", "slow", "earlier",
		"降低", "减少", "下降", "下调", "削减", "下跌", "缩减", "减轻", "下滑", "更低", "更少", "压缩", "调低", "减弱", "削弱", "缩小", "缩短", "萎缩", "走低", "减免", "砍掉", "压低", "降到",
		"降至", "降为", "减至", "减到", "下调至", "下调到", "降低到", "降低至", "减少到", "减少至", "下降到", "下降至", "降", "减", "跌", "收窄", "暴跌", "大跌", "少发", "下挫", "放慢", "减慢",
		"放缓", "更慢",
	},
	introduce: {
		"introduce", "give", "pay", "impose", "adopt", "launch", "offer", "establish", "grant", "implement", "set up", "provide", "phase in",
		"levy", "create", "bring in", "charge", "spend", "put", "subsidize", "enact", "install", "roll out", "guarantee", "switch on", "turn on",
		"实行", "引入", "实施", "推行", "征收", "开征", "加征", "发放", "给予", "设立", "推出", "建立", "启动", "采用", "普及", "出台", "发", "征", "施加", "启用", "开启", "补贴", "支付",
		"补发", "提供", "投入", "建立起", "推广",
	},
	abolish: {
		"abolish", "scrap", "remove", "eliminate", "abandon", "repeal", "phase out", "get rid of", "no", "suspend", "ban", "end", "zero",
		"do away with", "switch off", "turn off", "no more", "stop", "waive", "close down", "dispense with", "replace",
		"取消", "废除", "废止", "停止", "终止", "免除", "撤销", "去掉", "没有", "取缔", "叫停", "停征", "免征", "消除", "零", "关闭", "暂停", "停发", "放弃", "取代", "代替", "替换",
	},
	double: {
		"double",
		"doubling",
		"twice",
		"twice as much",
		"翻倍",
		"加倍",
		"翻一番",
		"翻番",
		"提高一倍",
		"增加一倍",
		"增长一倍",
		"上升一倍",
		"上涨一倍",
		"翻了一番",
		"翻一倍",
		"扩大一倍",
		"增至两倍",
		"提高到两倍",
	},
	triple: {"triple", "treble", "提高两倍", "增至三倍", "增加两倍", "提高到三倍"},
	halve:  {"halve", "halving", "cut in half", "cut by half", "减半", "减少一半", "降低一半", "降一半", "砍半", "腰斩", "削减一半", "下调一半", "缩减一半", "减一半"},
	settle: {
		"set", "setting", "keep", "fix", "hold at", "keep at", "cap", "peg at", "stand at",
		"定为", "设为", "设定为", "改为", "调整为", "固定在", "保持在", "限制在", "维持在", "控制在", "设在", "定在", "规定为", "调整到", "设定在",
	},
	tighten: {"tighten", "stricter", "strict", "tougher", "tighter", "tough", "enforce", "收紧", "从严", "趋严", "更严格", "严格", "严厉", "更严", "加强执法"},
	loosen:  {"loosen", "looser", "lax", "laxer", "liberalize", "deregulate", "soften", "放宽", "放松", "宽松", "更宽松", "松绑", "更容易"},
}

// functionWords carry the structure of a question.
var functionWords = []struct {
	meaning meaning
	phrases []string
}{
	{negationMeaning, []string{
		"without", "instead of", "rather than", "not", "don't", "doesn't", "never", "except", "avoid", "leave alone", "other than",
		"refrain from", "keep constant", "leave unchanged",
		"不", "而不是", "而不", "而非", "避免", "无需", "不用", "不必", "不得", "不要", "不再", "除了",
	}},
	{effectMeaning, []string{
		"affect", "influence", "reshape", "transform", "do to", "does to", "did to", "do for", "does for", "mean for", "means for", "happen to",
		"happens to", "happened to", "lead to", "result in", "cause", "hurt", "harm", "help", "hit", "benefit", "save", "protect", "destroy",
		"cost", "feed", "drive", "change", "make", "stimulate", "make up for",
		"影响", "导致", "引发", "引起", "带来", "造成", "重塑", "改变", "促进", "抑制", "加重", "缓解", "推高", "刺激", "拉动", "吸引", "保住", "意味着", "恶化", "伤害", "损害", "冲击", "带动",
		"有利于", "有助于", "使",
	}},
	{nounMeaning, []string{"effect", "impact", "consequence", "implication", "repercussion", "side effect"}},
	{
		causeMeaning,
		[]string{
			"if",
			"when",
			"suppose",
			"assume",
			"imagine",
			"what if",
			"after",
			"following",
			"because of",
			"as a result of",
			"due to",
			"under",
			"once",
			"how does",
			"如果",
			"假如",
			"假设",
			"若",
			"一旦",
			"倘若",
			"要是",
		},
	},
	{
		backMeaning,
		[]string{
			"respond to",
			"react to",
			"response to",
			"reaction to",
			"cope with",
			"adjust to",
			"depend on",
			"change with",
			"recover from",
			"suffer from",
			"benefit from",
			"profit from",
		},
	},
	{modalMeaning, []string{"会", "能", "能否", "会不会", "能不能", "可否", "是否会", "是否能", "能够", "可以", "可能", "是否", "有没有可能", "会否", "将会"}},
	{
		joinMeaning,
		[]string{
			"and",
			"or",
			"plus",
			"as well as",
			"combine with",
			"together with",
			"versus",
			"vs",
			"compare with",
			"和",
			"与",
			"及",
			"以及",
			"并",
			"并且",
			"同时",
			"还是",
			"或",
			"或者",
			"加上",
			"且",
			"还",
			"/",
			",",
		},
	},
	{
		breakMeaning,
		[]string{
			"but",
			"while",
			"whereas",
			"then",
			"so that",
			"such that",
			"in order to",
			"但",
			"但是",
			"而",
			"从而",
			"以便",
			"却",
			"情况下",
			"前提下",
			"条件下",
			";",
		},
	},
	{
		gradualMeaning,
		[]string{
			"gradually",
			"step by step",
			"slowly",
			"phase in",
			"phased in",
			"little by little",
			"in steps",
			"in equal steps",
			"over time",
			"逐步",
			"逐渐",
			"分步",
			"渐进",
			"渐进式",
			"分阶段",
			"慢慢",
			"逐年",
			"分期",
		},
	},
	{
		brieflyMeaning,
		[]string{"temporarily", "temporary", "for a while", "for a limited time", "transitory", "暂时", "临时", "短期内", "一时", "阶段性"},
	},
	{
		smallMeaning,
		[]string{
			"slightly",
			"a little",
			"modestly",
			"modest",
			"a bit",
			"marginally",
			"small",
			"moderate",
			"moderately",
			"slight",
			"小幅",
			"略微",
			"稍微",
			"轻微",
			"适度",
			"略",
			"微调",
		},
	},
	{
		largeMeaning,
		[]string{
			"sharply",
			"massively",
			"massive",
			"drastically",
			"drastic",
			"dramatically",
			"strongly",
			"a lot",
			"huge",
			"radically",
			"steeply",
			"sharp",
			"severe",
			"severely",
			"大幅",
			"大幅度",
			"大规模",
			"急剧",
			"剧烈",
			"猛烈",
			"显著",
			"严重",
			"深度",
		},
	},
	{groupMeaning, []string{
		"richest", "top", "wealthiest", "the young", "women", "men", "single parent", "homeowner", "student", "rural household", "farmer",
		"family with child", "large family", "child", "middle class", "the old", "the rich", "the wealthy", "rich household", "disabled",
		"veteran", "region", "city", "landlord", "tenant",
		"最富", "富人", "最富有", "收入最高", "年轻人", "女性", "男性", "单亲家庭", "学生", "农民", "农村家庭", "有孩子的家庭", "儿童", "中产阶级", "残疾人", "退伍军人", "地区", "城市", "房东", "租户",
		"中产",
	}},
	{noMeaning, []string{
		"会怎样", "会如何", "会发生什么", "不平等", "不同", "不断", "不足", "差不多", "不久", "不仅", "不但", "不过", "是不是", "要不要", "该不该", "应不应该", "机会", "社会", "协会", "会议",
		"工会会员", "能力", "功能", "能源", "智能", "性能", "可能性", "多大", "多少", "多久", "发展", "发生", "发现", "发达", "下降空间", "减税空间",
		"开发", "降价", "涨价", "能源转型期", "使用", "即使", "大使", "老年人口", "增速", "进一步", "一定", "一样", "一般", "统一", "唯一", "一起", "一直", "第一", "in more detail",
		"no one", "more or less", "more than", "less than", "no more than", "at least", "low paid worker", "up to", "not only", "end up",
		"in the end", "at the end", "as well",
		"the more", "the less", "high school", "better off", "worse off", "is it better", "which is better", "set of", "number of", "why not",
		"whether or not", "add up", "so high", "too high", "too low", "so low", "how high", "how low", "make sense", "pay for itself", "pay off",
		"worth their cost", "at what cost",
		"从而", "收益", "发电", "减速", "并不", "而言", "不再是", "几乎不", "还会", "还能", "零售", "零部件", "降温", "提高警惕",
	}},
}
