package question

import (
	"regexp"
	"strings"
	"unicode"

	"econ-mcp/internal/inquiry"
)

// excuses are words by which a clause asks, is about whoever asks or how it is asked, or says in full that the rest
// stays as it is: it need not become anything.
var excuses = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(would|will|does|do|did|how|what|which|who|whether|can|could|is|are|or|i|my|we|our|me|us|please|you|your|let's|` +
		`question|run|simulate|compare|show|normal|normality|back|stays?|leave it|left|keep|kept|remains?|unchanged|the rest|else|` +
		`end|for good|otherwise|before|now|today|please|paper|one-pager|argument|say|says|said|saying|tells?|law|rule|not all|breath)\b`),
	"zh": regexp.MustCompile(`吗|呢|怎|多少|多大|哪|什么|是否|几|么|如何|啥|吧$|会|能|可不可|够不够|值不值|好不好|行不行|划算|` +
		`我|咱|你|您|请|想|问|帮|告诉|模拟|算|看|比|说|听|讲|规矩|机制|规则|规定|评估|报告|分析|研究|课|论文|` +
		`恢复|不变|不动|不碰|别动|照旧|照常|不再|而不?是|不是每|不够|太[多少高低重贵慢快]|清淡|紧日子|多了$|一觉|靠自己|别人|都收|预设$|一分|下去|为止|反复|到期|就停|原样|这样|那样|这么|不管|无论|不论|以下|下面|方案|情况`),
}

// unusedClause is a clause between signs, long enough to say something, of which nothing was used and nothing known excuses it.
func (r *resolver) unusedClause(marks []mark) (span Span, ok bool) {
	least, signs, longest := 4, "，。；！？,;!?:：\n—", longStory
	if r.s.lang == inquiry.English {
		signs, longest = ",;.!?:\n—", 3*longStory
	}
	if len(r.text) > longest {
		return Span{}, false
	}
	for from := 0; from < len(r.text); {
		to := from
		for to < len(r.text) && !(strings.ContainsRune(signs, r.text[to]) && !(to > 0 && to+1 < len(r.text) && unicode.IsDigit(r.text[to-1]) &&
			unicode.IsDigit(r.text[to+1]))) {
			to++
		}
		clause := Span{from, to}
		from = to + 1
		used, words := false, 0
		for _, m := range marks {
			if m.span.From < clause.To && clause.From < m.span.To {
				used = used || m.kind == usedMark || m.kind.stops() || m.as == "story"
			}
		}
		for at := clause.From; at < clause.To; at++ {
			if unicode.Is(unicode.Han, r.text[at]) || unicode.IsLetter(r.text[at]) && (at == clause.From || !unicode.IsLetter(r.text[at-1])) {
				words++
			}
		}
		if !used && words >= least && (to >= len(r.text) || !strings.ContainsRune("?？", r.text[to])) && !excuses[r.s.lang].MatchString(r.quote(clause)) {
			return clause, true
		}
	}
	return Span{}, false
}

// speakers are words of whoever asks.
var speakers = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(i|i'm|i've|we|we've|we're|my|our (shop|family|firm|office|club|union|paper|class))\b|\b(on|in) (tv|the (news|radio|paper|pub))\b`),
	"zh": regexp.MustCompile(`我|咱|俺|本人|电视|报纸|新闻|网上|专家`),
}

// told says whether a part stands in a sentence that tells of whoever asks, before the question: nothing of it was used.
func (r *resolver) told(marks []mark, part Span) bool {
	ends := func(c rune) bool { return strings.ContainsRune("。！？!?;；\n", c) }
	from, to := part.From, part.To
	stop := func(i int) bool {
		return ends(r.text[i]) || r.text[i] == '.' && (i+1 == len(r.text) || unicode.IsSpace(r.text[i+1]))
	}
	for from > 0 && !stop(from-1) {
		from--
	}
	for to < len(r.text) && !stop(to) {
		to++
	}
	if to >= len(r.text) || r.text[to] == '?' || r.text[to] == '？' || !speakers[r.s.lang].MatchString(r.quote(Span{from, to})) {
		return false
	}
	for _, m := range marks {
		if m.span.From < to && from < m.span.To && m.kind == usedMark && !strings.HasPrefix(m.as, "outcome") {
			return false
		}
	}
	return true
}
