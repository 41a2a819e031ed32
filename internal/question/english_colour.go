package question

import (
	"slices"
	"strings"
	"sync"
)

// Words that say nothing of an experiment wherever they stand: how somebody judges, speaks and feels. Lists in
// base form; inflections match.
const (
	evaluations = `
		measly, paltry, meagre, meager, whopping, swingeing, punishing, painful, harmless, harmful, generous, lousy, stingy, brutal,
		savage, draconian, humane, moral, immoral, controversial, infamous, hated, beloved, dreaded, planned, proposed, mooted,
		announced, promised, touted, vaunted, long awaited, overdue, much discussed, hotly debated, contested, disputed, alleged,
		so called, proverbial, legendary, mythical, magic, magical, symbolic, cosmetic, token, surgical, hasty, rash, knee jerk,
		sweeping, headline, grabbing, eye watering, jaw dropping, mind boggling, staggering, astonishing, shocking, alarming,
		worrying, reassuring, comforting, encouraging, depressing, dismal, gloomy, rosy, grim, dire, bleak, harrowing, sorry,
		pathetic, ludicrous, absurd, preposterous, outrageous, scandalous, shameful, disgraceful, unjust, just, equitable,
		regressive, able, unable, keen, eager, reluctant, unwilling, willing, desperate, greedy, thrifty, hard nosed, level headed,
		pragmatic, dogmatic, ideological, populist, liberal, conservative, socialist, neoliberal, keynesian, monetarist, classical,
		orthodox, unorthodox, radical, centrist, progressive minded, thorny, tricky, vexed, burning, hot, pressing, perennial,
		eternal, age old, million dollar, simple minded, naive, sober, serious minded, honest, humble, modest proposal, crude,
		blunt, rough, ready, wild, tame, timid, bold, daring, audacious, ambitious, unambitious, halfhearted, wholesale, full blown,
		fully fledged, out and out, downright, sheer, utter, mere, meaningful, meaningless, tangible, intangible, visible,
		invisible, noticeable, palpable, measurable, negligible, trivial, crucial, vital, essential, paramount, unthinkable,
		plausible, implausible, credible, incredible, conceivable, inconceivable, unlikely, inevitable, unavoidable, bearable,
		unbearable, affordable, unaffordable, sustainable, unsustainable, viable, workable, unworkable, doable, manageable,
		tolerable, intolerable, acceptable, unacceptable, desirable, undesirable, preferable, politic, welcome, unwelcome, fond,
		foul, miserable, horrid, ghastly, nasty, beastly, rotten, lame, weak kneed, gutsy, spineless, shortsighted, far sighted,
		farsighted, prudent, imprudent, wise, unwise, foolish, foolhardy`
	stances = `
		radio, tv, television, newspaper, magazine, podcast, broadsheet, tabloid, talk show, website, online, internet, stage, blow,
		novel, dissertation, thesis, classroom, office, boardroom, pub, barbecue, living room, kitchen, breakfast table, commute,
		train ride, holiday, vacation, workmates, alas, admittedly, arguably, anyhow, anyway, anyways, regardless, nonetheless,
		nevertheless, meanwhile, ultimately, instead of talking, hopefully, thankfully, sadly, luckily, whatsoever, perchance,
		mayhap, ergo, ditto, asap, fyi, imho, imo, afaik, btw, tbh, lol, pls, plz, thx, cheers, ta, ciao, bye, regards, greetings,
		folks, lads, guys, ladies, gentlemen, gents, sir, madam, ma'am, mr, mrs, ms, dr, prof, esq, hence, thereby, therein,
		thereof, thereafter, thereupon, henceforth, hitherto, heretofore, notwithstanding, aforementioned, aforesaid, said,
		forthwith, duly, whilst, amongst, amid, albeit, lest, inasmuch, insofar, vis, viz, cf, etc, ps, nb, re, eg, ie, aka, aye,
		nay, yea, indeedy, hm, hmmm, umm, well well, please note, kinda, sorta, gimme, lemme, dunno, reckon, suppose that, cos, coz,
		cuz, innit, y'all, ya, ye, em, 'em, hey there, g'day, howdy, hiya, yo, mates, pals, thoughts, views, opinions, ideas,
		two cents, hunch, gut feeling, guess, bet, wager, gamble, curiosity, interest's sake, sake, argument, argument's sake,
		instance, theory's sake, exercise, thought experiment, blackboard, back of the envelope, napkin, question mark,
		short answer, quick one, quickie, headline number, ballpark, order of magnitude, rule of thumb, guesstimate`
	speeches = `
		say, argue, claim, swear, think, reckon, believe, insist, warn, moan, grumble, suggest, propose, want, demand, plan,
		announce, promise, advise, recommend, wonder, ask, debate, consider, discuss, hear, read, tell, write, report, complain,
		shout, whisper, mutter, hint, note, remark, observe, point out, explain, maintain, assert, declare, proclaim, preach, teach,
		lecture, urge, plead, beg, lobby, campaign, push for, call for, press for, fight for, vote, favor, support, oppose, doubt,
		fear, worry, hope, expect, predict, forecast, guess, suspect, imagine, dream, figure, conclude, estimate, calculate,
		publish, testify, tweet, post, blog, editorialize, muse, ponder, contend, allege, boast, brag, joke, quip, scoff, sneer,
		retort, reply, respond that, answer that, repeat, reiterate, keep saying, would have it, have it that, like, love, hate,
		prefer, dislike, agree, disagree, intend, mean, threaten, pledge, vow, order, instruct, request, require us, require me,
		wish`
	purposes = `
		help, save, protect, support, encourage, stop, prevent, fight, curb, cool, calm, boost, revive, balance, plug, fill, close,
		meet, please, ease, tackle, stimulate, spur, avoid, attract, win, ensure, cushion, soften, appease, reward, punish, restore,
		rebuild, repair, rescue, prop, shield, spare, sweeten, steady, stabilize, jump start, jumpstart, kick start, kickstart,
		kick, jolt, nudge, discourage, deter, combat, counter, offset, keep, get, make, bring, give, teach, show, prove, signal,
		send a signal, buy time, catch up, cope, deal with, react, respond, prepare, guard, hedge, hold off, stave off, ward off,
		head off, free up, unlock, speed, lure, entice, tempt, shore up, strengthen, relieve, lighten, alleviate, mitigate, dampen,
		contain, tame, fix, solve, improve, reduce, raise, lower, cut, increase`
)

// denials are verbs that turn what happens round or part of it away: they stop where nothing takes them.
var denials = []string{"block", "reject", "veto", "halt", "delay", "postpone", "thwart", "foil", "refuse", "torpedo", "scupper",
	"sabotage", "skip", "miss", "forget",
	"ignore", "exempt", "exclude", "spare", "reverse", "undo", "revoke", "dodge", "evade", "resist", "withhold", "omit", "restrict",
	"limit", "confine", "target", "except", "split",
	"divide", "alternate", "index", "earmark", "exchange", "swap", "replace", "substitute", "merge", "cap", "match", "cost", "tax",
	"subsidize", "ration", "nationalize", "privatize", "exclude"}

// wordTree is a tree of plain words.
func wordTree(words string) func() *branch {
	return sync.OnceValue(func() *branch {
		root := &branch{}
		root.addAll(strings.Join(strings.Fields(words), " "), func(*phrase, string) {})
		return root
	})
}

var (
	judging  = wordTree(evaluations + "," + stances)
	speaking = wordTree(speeches)
	purpose  = wordTree(purposes)
)

// begins says whether a phrase of a tree begins at token i.
func (s tokens) begins(tree func() *branch, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	p, end := tree().match(s, i)
	return p != nil && end > i
}

// colours says whether an unknown word in a clause in which something happens says nothing of it.
func (r *english) colours(i int) bool {
	it := r.items[i]
	if slices.Contains(denials, r.s[it.from].text) || r.s[it.from].is(denials...) {
		return false
	}
	return links(r.s[it.from]) || r.manner(i) || r.s.begins(judging, it.from) || r.s.begins(speaking, it.from) || r.evaluates(i) ||
		r.spoken(i) ||
		r.ofSpeaker(i) ||
		r.because(it.chunk) || r.reason(i) || r.forPurpose(i) || r.beside(it.chunk) || r.sets(it.chunk) || r.acts(i)
}

// evaluates says whether a word has the form of an adjective of judgement, and something known follows that it judges.
func (r *english) evaluates(i int) bool {
	text := r.text(i)
	if len(text) < 6 || i+1 >= len(r.items) || !r.items[i+1].known && r.items[i+1].q == nil {
		return false
	}
	return slices.ContainsFunc([]string{"ous", "ful", "ish", "less", "some", "worthy"},
		func(end string) bool { return strings.HasSuffix(text, end) })
}

// spoken says whether a word is, or stands within, the subject of a verb of speech: "the Bundesbank argues that".
func (r *english) spoken(i int) bool {
	for k := i + 1; k < len(r.items) && r.items[k].chunk == r.items[i].chunk && k <= i+6; k++ {
		it := r.items[k]
		if it.q != nil || it.t != nil || it.levers != nil || it.sign != "" {
			return false
		}
		if r.s.begins(speaking, it.from) {
			before := r.s.text(it.from - 1)
			return !slices.Contains([]string{"to", "the", "a", "of", "for", "their", "our"}, before)
		}
	}
	return false
}

// ofSpeaker says whether a word belongs to whoever asks: "my barber".
func (r *english) ofSpeaker(i int) bool {
	at := r.items[i].from
	return r.s.text(at-1) == "my" || r.s.text(at-2) == "my" && r.s[at-1].word || r.s.text(at-1) == "dear"
}

var reasons = phraseList("according to, thanks to, due to, because of, despite, in spite of, on behalf of, as part of, ahead of, " +
	"in response to, in line with, " +
	"in view of, in light of, in the light of, at the request of, in the spirit of, in the name of, under pressure from, " +
	"for the sake of, on account of, " +
	"in memory of, in honor of, on the advice of, at the behest of, by way of, owing to, out of, in reaction to, in the hope of, " +
	"for fear of, inspired by, as a matter of, as a sign of, " +
	"as a gesture, as a token, as a result of, in a fit of, in an act of, with a view to, aim at, intend for, mean for, mean to, " +
	"design to, so as to, in a bid to, in an effort to, in an attempt to, in order to, so that")

// reason says whether a word stands after words that tell a reason or a purpose, and no number or lever between.
func (r *english) reason(i int) bool {
	for k := i - 1; k >= 0 && k >= i-8 && r.items[k].chunk == r.items[i].chunk; k-- {
		it := r.items[k]
		if it.q != nil || it.t != nil || it.levers != nil && r.isAnchor(k) {
			return false
		}
		for at := it.from; at < it.to; at++ {
			if end, ok := r.s.skip(at, reasons...); ok && end <= r.items[i].from {
				return true
			}
		}
	}
	return false
}

// forPurpose says whether a word stands after "to help", "to stop": what is hoped for, and nothing that happens.
func (r *english) forPurpose(i int) bool {
	for k := i; k > 0 && k >= i-7 && r.items[k].chunk == r.items[i].chunk; k-- {
		it := r.items[k]
		if it.q != nil || it.t != nil || it.levers != nil && r.isAnchor(k) && k != i {
			return false
		}
		if r.s.begins(purpose, it.from) && r.s.text(it.from-1) == "to" {
			before := r.before(k-1, func(o item) bool {
				return o.sign == "" && !(o.taken && o.kind == usedMark) && o.is(frameWord) && k-1 > 0 && linking[r.s.text(o.from)]
			})
			return before >= 0 && r.items[before].taken && !r.chunkTakes(i)
		}
	}
	return false
}

// chunkTakes says whether a number or lever that was taken follows item i in its chunk.
func (r *english) chunkTakes(i int) bool {
	for k := i + 1; k < len(r.items) && r.items[k].chunk == r.items[i].chunk; k++ {
		if r.items[k].q != nil || r.isAnchor(k) && r.items[k].levers != nil {
			return true
		}
	}
	return false
}

// beside says whether a chunk is a relative clause about people who were named, set apart by a comma.
func (r *english) beside(chunk int) bool {
	l := r.leads[chunk]
	return l.comma && (l.text == "who" || l.text == "whose" || l.text == "where" || l.text == "which") &&
		!r.chunkHas(chunk, func(o item) bool { return o.q != nil || o.levers != nil && !o.soft })
}

// told says whether a chunk is a clause about whoever asks or about people who were named, rather than about what happens.
func (r *english) told(chunk int) bool {
	switch r.leads[chunk].text {
	case "who", "whose":
		return !r.chunkHas(chunk, func(o item) bool { return o.group || o.q != nil && o.q.unit != months }) &&
			r.chunkHas(chunk, func(o item) bool {
				return r.s[o.from].is("run", "have", "be", "work", "live", "meet", "study", "teach")
			})
	case "as", "because", "since", "although", "though":
		return r.chunkHas(chunk, func(o item) bool { return r.s[o.from].is("i", "we", "my", "someone", "somebody", "our") }) &&
			!r.chunkHas(chunk, func(o item) bool { return o.levers != nil && !o.soft })
	}
	return false
}

// sets says whether a chunk says the setting alone: "with the AI wave rolling through the economy".
func (r *english) sets(chunk int) bool {
	return len(r.happening(-1)) > 0 && r.chunkHas(chunk, func(o item) bool { return strings.HasPrefix(o.as, "preset ") }) &&
		!r.chunkHappens(chunk) &&
		!r.chunkHas(chunk, func(o item) bool { return o.q != nil || o.is(notWord) })
}

// acts says whether an unknown word is the verb of a change that is said in full beside it: "they nail it at 5 percent".
func (r *english) acts(i int) bool {
	it := r.items[i]
	switch r.s.text(it.from - 1) {
	case "be", "is", "are", "was", "were", "been", "being", "get", "gets", "got":
		n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() })
		if n < 0 || r.far(i, n) > 6 || len(r.text(i)) < 5 || !strings.HasSuffix(r.text(i), "ed") {
			return false
		}
		h := r.anchors[n].h
		return h.to != nil && h.by == nil && h.change != abolish
	case "to", "would", "will", "could", "can", "should", "might", "may", "must", "we", "they", "it", "he", "she", "i", "you",
		"let's", "state", "parliament", "bank", "banks",
		"firms", "firm", "employers", "minister", "ministers", "who", "that", "which", "not":
	default:
		if it.from > 0 && r.s[it.from-1].word || r.s.text(it.from-1) == "-" {
			return false
		}
	}
	n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() })
	if n < 0 || r.far(i, n) > 8 || r.s.text(it.from-1) == "not" {
		return false
	}
	h := r.anchors[n].h
	return h.to != nil && h.by == nil && r.anchors[n].item > i || h.change == raise && h.by != nil || h.change == lower && h.by != nil
}
