package question

import (
	"slices"
	"strings"
	"unicode"

	"econ-mcp/sim"
)

// hanWord is what a phrase may mean. The clause decides which of its meanings counts: 利率 is a
// lever before 会 and an outcome after it.
type hanWord struct {
	role     hanRole
	change   change          // of a verb, or of a lever whose words say it themselves: 加息
	levers   []string        // that it names; several = ambiguous
	inverse  bool            // its rise is the lever's fall: 专利保护
	weak     bool            // it names the lever only where its sentence names no other
	outcomes []sim.Indicator // that it names, the likeliest first
	name     string          // of a group, an industry, a preset; the kind of what is foreign
	month    int             // 明年: the month in which it begins
	of       measure
	general  bool // a word of everyday language
}

// hanRole is what a word does in a sentence, beside what it names.
type hanRole int

const (
	noRole hanRole = iota
	fillerRole
	verbRole
	payRole     // 发, 补: a verb that gives money
	toRole      // 到, 为
	fromRole    // 从, 由
	moreRole    // 多, before a verb
	lessRole    // 少
	notRole     // 不
	andRole     // 和
	orRole      // 还是
	insteadRole // 而不是
	versusRole  // 比较, 相比
	whichRole   // 哪个
	secondRole  // 第二个办法
	nothingRole // 什么都不做
	ifRole      // 如果
	wheneverRole
	untilRole
	momentRole // 时, 的时候
	effectRole // 会, 能
	askRole    // 吗, 如何
	lookRole   // 看看
	impactRole // 影响
	onRole     // 对
	aboveRole
	belowRole
	onceRole
	monthlyRole
	yearlyRole
	graduallyRole
	overRole    // 用 … 年, 分 … 年
	lastingRole // 为期
	afterRole   // 后
	startRole   // 起
	endRole     // 为止
	withinRole  // 内
	aheadRole   // 未来, 往后
	backRole    // 恢复: it ends
	dateRole    // 明年
	payerRole   // 资金来自
	heldRole    // 不变
	otherRole   // 其他
	askMarkRole // 我想问
	stateRole   // 不够, 太高
	exceptRole  // 除了
	periodRole  // 每周: a period that nothing here has
	slightRole
	greatRole
	groupRole
	industryRole
	placeRole
	foreignRole
	topicRole  // economic, but no lever: 政策, 改革
	stopRole   // punctuation
	ofRole     // GDP的
	ofWhatRole // 的
)

// hanToken is a stretch of a question that is one word, one number or one unknown.
type hanToken struct {
	span  Span
	text  string
	word  hanWord
	q     *quantity // of a number with its unit
	count bool      // a number with a measure word: 两种
	month int       // of 第七个月: the first month of that time
	until int       // its last month
	known bool

	gap   Span // of a phrase in several parts: all of it
	part  bool // a later part of such a phrase
	kind  markKind
	as    string
	taken bool
}

func (t *hanToken) is(roles ...hanRole) bool { return slices.Contains(roles, t.word.role) }

func (t *hanToken) names() bool { return len(t.word.levers) > 0 && !t.part }

// take says what became of a token; the first word on it stands.
func (t *hanToken) take(kind markKind, as string) {
	if !t.taken {
		t.kind, t.as, t.taken = kind, as, true
	}
}

// normalHan writes a question in one way, code point by code point: half-width, small letters,
// simplified characters.
func normalHan(text string) []rune {
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case r >= '！' && r <= '～':
			r -= '！' - '!'
		case r == '　' || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			r = ' '
		}
		if s, ok := simplified[r]; ok {
			r = s
		}
		runes[i] = unicode.ToLower(r)
	}
	return runes
}

// hanNode is a node of the trie of all phrases.
type hanNode struct {
	next    map[rune]*hanNode
	word    *hanWord
	general bool // a word of everyday language: any other reading comes first
}

// grow is the node of a text, new where there was none.
func (n *hanNode) grow(text []rune) *hanNode {
	for _, r := range text {
		if n.next == nil {
			n.next = map[rune]*hanNode{}
		}
		if n.next[r] == nil {
			n.next[r] = &hanNode{}
		}
		n = n.next[r]
	}
	return n
}

// hanPattern is a phrase in several parts with room between them: 让…银行…倒.
type hanPattern struct {
	parts [][][]rune // of each part, its alternatives, the longest first
	word  hanWord

	commas bool // there may be one between the parts
	gap    int  // how many code points may stand between two of them
}

// longestGap is how many code points may stand between two parts of a phrase.
const (
	longestGap  = 10
	composedGap = 18
)

type hanLexicon struct {
	root     hanNode
	patterns map[rune][]hanPattern // by their first character
	composed map[rune][]hanPattern // so are levers that concepts name, where no word does
}

// add adds phrases, parted by blanks. (a|b) is one of several, … is room for other words
// of the same clause; of the same sentence where the phrase has a comma.
func (l *hanLexicon) add(phrases string, w hanWord) {
	for _, phrase := range strings.Fields(phrases) {
		if strings.Contains(phrase, "…") {
			l.addParted(phrase, w)
			continue
		}
		for _, text := range alternatives(phrase) {
			l.addOne(text, w)
		}
	}
}

// addParted adds a phrase in several parts.
func (l *hanLexicon) addParted(phrase string, w hanWord) { l.addTo(l.patterns, phrase, w, longestGap) }

func (l *hanLexicon) addTo(patterns map[rune][]hanPattern, phrase string, w hanWord, gap int) {
	p := hanPattern{word: w, commas: strings.Contains(phrase, "，"), gap: gap}
	phrase = strings.ReplaceAll(phrase, "，", "")
	for _, part := range strings.Split(phrase, "…") {
		var list [][]rune
		for _, text := range alternatives(part) {
			if text != "" {
				list = append(list, normalHan(text))
			}
		}
		slices.SortStableFunc(list, func(a, b []rune) int { return len(b) - len(a) })
		p.parts = append(p.parts, list)
	}
	first := map[rune]bool{}
	for _, text := range p.parts[0] {
		if !first[text[0]] {
			first[text[0]] = true
			patterns[text[0]] = append(patterns[text[0]], p)
		}
	}
}

func (l *hanLexicon) addOne(text string, w hanWord) {
	node := l.root.grow(normalHan(text))
	if node.word == nil {
		node.word = &hanWord{}
	}
	have := node.word
	if w.role != noRole {
		have.role, have.name, have.month, have.of = w.role, w.name, w.month, w.of
	}
	if w.name != "" {
		have.name = w.name
	}
	if w.change != noChange {
		have.change = w.change
	}
	for _, id := range w.levers {
		if !slices.Contains(have.levers, id) {
			have.levers = append(have.levers, id)
			have.inverse, have.weak = w.inverse, w.weak
		}
	}
	if len(have.outcomes) == 0 {
		have.outcomes = w.outcomes
	}
}

// alternatives writes out each (a|b) of a phrase.
func alternatives(phrase string) []string {
	open := strings.IndexByte(phrase, '(')
	if open < 0 {
		return []string{phrase}
	}
	shut := open + strings.IndexByte(phrase[open:], ')')
	var list []string
	for _, choice := range strings.Split(phrase[open+1:shut], "|") {
		list = append(list, alternatives(phrase[:open]+choice+phrase[shut+1:])...)
	}
	return list
}

// Prices of a way to split a question: the cheapest is taken, of several the one with the longest
// words first.
const (
	priceWord    = 10
	priceSingle  = 10
	priceUnknown = 30
	priceGeneral = 8 // more for a word of everyday language
	priceNumber  = 9
	priceBare    = 23 // 一 without a unit
)

// segment splits a question into the words of the lexicon, numbers, and what is unknown. Where words name
// no lever, concepts may.
func (l *hanLexicon) segment(runes []rune) []hanToken {
	fixed := parted(runes, l.patterns)
	list := l.split(runes, fixed)
	if composed := composedIn(list, parted(runes, l.composed)); composed != nil {
		fixed = slices.DeleteFunc(fixed, func(t hanToken) bool {
			return slices.ContainsFunc(composed, func(c hanToken) bool { return t.gap.From < c.gap.To && c.gap.From < t.gap.To })
		})
		fixed = append(fixed, composed...)
		slices.SortFunc(fixed, func(a, b hanToken) int { return a.span.From - b.span.From })
		list = l.split(runes, fixed)
	}
	return list
}

// composedIn are those of the levers that concepts name that stand where words name none but those that
// they take in; a measure is none of them: 平均工资的20%.
func composedIn(list, composed []hanToken) []hanToken {
	var kept []hanToken
	for at := 0; at < len(composed); {
		next := at + 1
		for next < len(composed) && composed[next].gap == composed[at].gap {
			next++
		}
		parts := composed[at:next]
		at = next
		gap := parts[0].gap
		from, to := 0, gap.To
		for _, o := range list { // the clauses that it stands in
			if o.is(stopRole) && o.text != "、" && !isQuote(o.text) {
				if o.span.To <= gap.From {
					from = o.span.To
				} else if o.span.From >= gap.To {
					break
				}
			}
			to = o.span.To
		}
		within := func(o hanToken) bool {
			return slices.ContainsFunc(parts, func(p hanToken) bool { return p.span.From <= o.span.From && o.span.To <= p.span.To })
		}
		lever := parts[slices.IndexFunc(parts, func(p hanToken) bool { return !p.part })].word.levers[0]
		if !slices.ContainsFunc(list, func(o hanToken) bool {
			switch {
			case o.span.From < from || o.span.From >= to:
				return false
			case len(o.word.outcomes) > 0 && slices.ContainsFunc(parts, func(p hanToken) bool { // the 失业 of 失业率
				return o.span != p.span && o.span.From <= p.span.From && p.span.To <= o.span.To && strings.HasSuffix(o.text, "率")
			}):
				return true
			case o.is(fillerRole) && !o.word.general && slices.ContainsFunc(parts, func(p hanToken) bool { // the 收入 of 营业收入的
				return o.span.From < p.span.From && p.span.To <= o.span.To && strings.HasSuffix(o.text, "的")
			}):
				return true
			case gap.From < o.span.From && o.span.To < gap.To && o.is(effectRole, lookRole, askMarkRole) && len([]rune(o.text)) > 2:
				return !within(o) // 会不会少招人: an effect
			case o.q != nil && o.q.unit == money && o.q.x > 1:
				return slices.Contains([]string{"unemployment_benefit_rate", "pension_replacement_rate"}, lever) // money that is handed out
			case o.part, len(o.word.levers) == 1 && !o.word.weak:
				return !within(o)
			}
			return o.word.of != ofNothing && slices.ContainsFunc(parts, func(p hanToken) bool {
				return p.span.From < o.span.To && o.span.From < p.span.To
			})
		}) {
			if slices.ContainsFunc(list, func(o hanToken) bool { // what is done to it stands behind the comma
				return o.text == "," && gap.From < o.span.From && o.span.To < gap.To
			}) {
				last := len(parts) - 1
				parts[0].word, parts[last].word, parts[0].part, parts[last].part = parts[last].word, parts[0].word, true, false
			}
			kept = append(kept, parts...)
		}
	}
	return kept
}

// split finds the cheapest words around those that are fixed.
func (l *hanLexicon) split(runes []rune, fixed []hanToken) []hanToken {
	n := len(runes)
	cost := make([]int, n+1)
	best := make([]hanToken, n)
	for i := n - 1; i >= 0; i-- {
		limit := n
		if k := slices.IndexFunc(fixed, func(t hanToken) bool { return t.span.From > i }); k >= 0 {
			limit = fixed[k].span.From
		}
		if k := slices.IndexFunc(fixed, func(t hanToken) bool { return t.span.From <= i && i < t.span.To }); k >= 0 {
			cost[i] = n * priceUnknown
			if t := fixed[k]; t.span.From == i {
				best[i], cost[i] = t, priceWord+cost[t.span.To]
			}
			continue
		}
		best[i] = hanToken{span: Span{i, i + 1}}
		cost[i] = priceUnknown + cost[i+1]
		if runes[i] == ' ' {
			cost[i] = cost[i+1]
		}
		if isLatin(runes[i]) {
			to := i
			for to < limit && isLatin(runes[to]) {
				to++
			}
			best[i], cost[i] = hanToken{span: Span{i, to}}, priceUnknown+cost[to]
		}
		offer := func(t hanToken, price int) {
			if c := price + cost[t.span.To]; t.span.To <= limit && c <= cost[i] {
				best[i], cost[i] = t, c
			}
		}
		for _, p := range hanNumbers(runes, i) {
			offer(p.token, p.price)
		}
		node := &l.root
		for to := i; to < limit; to++ {
			if node = node.next[runes[to]]; node == nil {
				break
			}
			if node.word == nil || to+1 < n && isLatin(runes[to]) && isLatin(runes[to+1]) {
				continue
			}
			price := priceWord
			if to == i {
				price = priceSingle
			}
			if node.general {
				price += priceGeneral
			}
			offer(hanToken{span: Span{i, to + 1}, word: *node.word, known: true}, price)
		}
	}
	var list []hanToken
	for i := 0; i < n; {
		t := best[i]
		t.text = string(runes[t.span.From:t.span.To])
		i = t.span.To
		if t.text == " " {
			continue
		}
		if k := len(list) - 1; !t.known && k >= 0 && !list[k].known && list[k].span.To == t.span.From {
			list[k].span.To, list[k].text = t.span.To, list[k].text+t.text
			continue
		}
		list = append(list, t)
	}
	return list
}

func isLatin(r rune) bool { return r >= 'a' && r <= 'z' || r == '&' || r == '_' }

// parted finds phrases in several parts, those with the most characters first.
func parted(runes []rune, patterns map[rune][]hanPattern) []hanToken {
	type found struct {
		at   []Span
		word hanWord
		size int
	}
	var all []found
	for i, r := range runes {
		for _, p := range patterns[r] {
			f := found{word: p.word}
			at := i
			for k, part := range p.parts {
				span, ok := indexRunes(runes, at, part, k > 0, p)
				if !ok {
					break
				}
				at = span.To
				f.at = append(f.at, span)
				f.size += span.To - span.From
			}
			if len(f.at) == len(p.parts) {
				all = append(all, f)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return b.size - a.size })
	var list []hanToken
	for _, f := range all {
		if slices.ContainsFunc(list, func(t hanToken) bool {
			return t.gap.From < f.at[len(f.at)-1].To && f.at[0].From < t.gap.To
		}) {
			continue
		}
		for k, span := range f.at {
			t := hanToken{span: span, known: true, gap: Span{f.at[0].From, f.at[len(f.at)-1].To}, part: k > 0}
			if k == 0 {
				t.word = f.word
			}
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b hanToken) int { return a.span.From - b.span.From })
	return list
}

// indexRunes finds one of some texts at a place, or, with room, up to the gap of the pattern behind it in the same
// clause, or the same sentence.
func indexRunes(runes []rune, at int, texts [][]rune, room bool, p hanPattern) (Span, bool) {
	for from := at; from < len(runes) && from <= at+p.gap; from++ {
		for _, text := range texts {
			if to := from + len(text); to <= len(runes) && slices.Equal(runes[from:to], text) {
				return Span{from, to}, true
			}
		}
		if !room || strings.ContainsRune("。;?!:\n", runes[from]) || runes[from] == ',' && !p.commas {
			break
		}
	}
	return Span{}, false
}
