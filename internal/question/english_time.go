package question

import (
	"math"
	"slices"
	"strings"
)

// publicSpending stands for two levers: more of it is purchases, less of it is austerity.
const publicSpending = "public_spending"

// timing is what words say of time, in months.
type timing struct {
	begin  int // the month in which it starts
	until  int // the month before which it ends
	last   int // how long it lasts
	over   int // "over two years": phased in, or looked at
	ahead  int // "over the next two years"
	vague  bool
	point  bool // "in month 6"
	onward bool // "from month 13 on": 0 where only the month is named
}

var (
	lastingWords = phraseList("for, lasting, that last, which last, last, during, for a period of, for a total of, for up to, " +
		"for all of, for exactly, for only, for just, over a period of, for the duration of, for another, for about, for at least, " +
		"for roughly, for around, hold, hold for, hold it for, keep for, keep it for, keep this for, hold this for, leave it for, " +
		"for the space of, for all, for the whole of, for a term of, for a limited, limited to, limit to, throughout, run for, " +
		"valid for, and last, for some, for the same, over the same, during the same, within the same, " +
		"for those same, for these same, over those same, over these same, during those same, during these same, within those same")
	overWords = phraseList("over, within, in the course of, across, spread over, stretched over, over a period of, " +
		"over the course of, in, through, over the space of, in the space of, inside, spread across, over about, over some, " +
		"over a span of, over a horizon of, a horizon of, horizon of, in equal steps over, in equal monthly steps over, " +
		"in steps over, by the end of")
	nextWords  = phraseList("the next, next, the coming, coming, the following, following")
	firstWords = phraseList("the first, first, the initial, the opening")
	afterWords = phraseList("after, following, once, after a delay of, with a delay of, after a wait of, with a lag of, after a lag of")
	laterWords = phraseList("from now, from today, later, hence, from now on, into the run, down the road, afterwards, " +
		"from the start, into the experiment, after the start, into the simulation, after that, in, into it, from then")
	startWords = phraseList("from, starting, beginning, as of, as from, starting in, effective, in, with effect from, since, " +
		"start in, begin in, starting with, beginning with, beginning in, starting from, from the start of, from the beginning of, " +
		"starting at, effective from, at the start of, at the beginning of, on, as of the start of, in force from, " +
		"taking effect in, to start in, to begin in, at, come in, from about, not before, kick in in, take effect in, " +
		"starts in, begins in, commencing in, come into force in, effective in, launch in, with the start of")
	untilWords = phraseList("until, till, up to, through, ending in, end in, to, until the end of, till the end of, " +
		"up to the end of, through the end of, and ending in, and end in, up until, by the end of, and until, ends in, -, " +
		"expiring in, and ends in, to the end of, ending after, until after, ending with")
	aheadWords = phraseList("on, ahead, out, down the line, into the future, further on, further down the line, on from there, " +
		"later on, in the future")
	betweenWords = phraseList("between, from, in, during")
	onWords      = phraseList("on, onward, onwards, of the run, of the experiment, of the simulation, and after, forward, and on, " +
		"and onwards, on out, and beyond, and later, and all later month")
	onlyTimeWords = phraseList("only, long, and then, straight, running, in a row, in all, altogether, in total, at most, " +
		"and no longer, or so, long, 's time, on end, full, of it, at a time, then back, then end, exactly, but no longer")
	spanWords  = phraseList("period, span, stretch, spell, window, horizon, phase, term, stint")
	allTheTime = phraseList("a whole, one whole, a full, one full, an entire")
)

// timing reads what words at i say of time.
func (s tokens) timing(i int) (t timing, next int, ok bool) {
	best := i
	take := func(to int, with timing) {
		if to > best {
			best, t, ok = to, with, true
		}
	}
	if at, is := s.skip(i, lastingWords...); is {
		if to, is := s.skip(at, firstWords...); is {
			at = to
		} else if to, is := s.skip(at, nextWords...); is {
			at = to
		} else if s.text(at) == "the" || s.text(at) == "a" && s.text(at+1) == "-" {
			at++
		}
		if n, to, is := s.duration(at); is {
			take(s.more(to, onlyTimeWords), timing{last: n})
		}
	}
	if n, to, is := s.duration(i); is && s.text(to) == "long" && (to+1 >= len(s) || !s[to+1].word) { // "…, five years long"
		take(to+1, timing{last: n})
	}
	if at, is := s.skip(i, overWords...); is {
		first, ahead := false, false
		if to, is := s.skip(at, firstWords...); is {
			at, first = to, true
		} else if to, is := s.skip(at, nextWords...); is {
			at, ahead = to, true
		} else if s.text(at) == "the" {
			at++
		}
		if n, to, is := s.duration(at); is {
			if s.text(to) == "'" {
				to++
			}
			time := s.text(to) == "time" || s.text(to-1) == "years'" || s.text(to-1) == "months'"
			switch {
			case first && s.text(i) == "in":
				take(to, timing{last: n})
			case s.text(i) == "in" && time:
				if s.text(to) == "time" {
					to++
				}
				take(to, timing{begin: n + 1})
			case s.text(i) == "in" && s.text(i+1) != "the" && s.text(i+1) != "equal" && s.text(i+1) != "steps" && !ahead:
				take(to, timing{over: n, vague: true})
			case ahead:
				take(to, timing{ahead: n, over: n})
			default:
				take(to, timing{over: n})
			}
		}
	}
	if at, is := s.skip(i, afterWords...); is {
		if to, is := s.skip(at, firstWords...); is {
			at = to
			if n, to := s.period(at); n > 0 {
				take(to, timing{begin: n + 1})
			}
		} else if s.text(at) == "the" {
			at++
		}
		if n, to, is := s.duration(at); is && !(s.text(i) == "once" || s.text(i) == "following" && s.text(to) != ",") {
			take(to, timing{begin: n + 1})
		} else if n, length, to, is := s.month(at); is {
			take(to, timing{begin: n + length})
		}
	}
	if n, to, is := s.duration(i); is {
		if end, is := s.skip(to, laterWords...); is && s.text(end-1) != "in" {
			take(end, timing{begin: n + 1})
		}
	}
	if n, to, is := s.duration(i); is && s.text(to) == "in" && s.text(to+1) == "," && (i == 0 || !s[i-1].word) { // "Three years in, …"
		take(to+1, timing{begin: n + 1})
	}
	if n, to, is := s.duration(i); is { // where would debt stand ten years on?
		if end, is := s.skip(to, aheadWords...); is && s.endsAfter(to, end) {
			take(end, timing{ahead: n, over: n})
		}
	}
	if n, to, is := s.duration(i); is && i > 0 && s.alone(i, to) { // "VAT 12 percent, ten years, debt"
		take(to, timing{ahead: n, over: n})
	}
	for words, begin := range map[string]int{"next year": 13, "next month": 2, "next quarter": 4, "the year after next": 25} {
		start := i
		if at, is := s.skip(i, startWords...); is && s.text(i) != "in" && s.text(i) != "on" {
			start = at
		}
		if end, is := s.skip(start, phraseList(words)...); is && (start > i || s.text(end) == "," || end == len(s) || !s[end].word) {
			if further, is := s.skip(end, onWords...); is {
				end = further
			}
			take(end, timing{begin: begin})
		}
	}
	if at, is := s.skip(i, overWords...); is && s.text(i) != "in" {
		if to, is := s.skip(at, nextWords...); is {
			if n, end := s.period(to); n > 1 {
				take(end, timing{ahead: n, over: n})
			}
		}
	}
	at, started := s.skip(i, startWords...)
	if n, length, to, is := s.month(at); is {
		end, onward := s.skip(to, onWords...)
		if _, _, after := s.duration(end); onward && after && s.text(end-1) == "after" { // "in month 6 and after 18 months"
			onward = false
		}
		if onward {
			to = end
		}
		var when timing
		when.begin, when.onward = n, started || onward
		when.point = length == 1 && !onward && (s.text(i) == "in" || s.text(i) == "at" || s.text(i) == "on")
		if k, _ := s.skip(at, []string{"the"}); length > 1 && s.text(k) == "months" || length > 12 && s.text(k) == "years" {
			when.until = n + length // "in months 4, 5 and 6"
		}
		if end, is := s.skip(to, untilWords...); is { // from month 4 to month 9
			if m, long, end, is := s.month(end); is {
				when.until = m + long
				to = end
			} else if q, isNumber := s.plainNumber(end); isNumber && length == 1 {
				when.until, to = q+1, end+1
			} else if n, after, is := s.ordinal(end); is && length > 0 { // from the third year until the end of the fifth
				when.until, to = n*length+1, after
			}
		} else if s.text(to) == "and" {
			m, long, end, is := s.month(to + 1)
			if is && (s.text(i) == "between" || s.text(i) == "from" || m == n+length) { // in year 2 and year 3
				when.until, to = m+long, end
			}
		}
		if when.onward || when.until > 0 || s.timeUnit(at) {
			take(to, when)
		}
	}
	if at, is := s.skip(i, betweenWords...); is && s.text(i) == "between" {
		if first, to, is := s.nth(at); is && s.text(to) == "and" { // "between the 2nd and the 4th year"
			if m, long, end, is := s.month(to + 1); is && long > 0 {
				take(end, timing{begin: (first-1)*long + 1, until: m + long, onward: true})
			}
		}
	}
	if at, is := s.skip(i, betweenWords...); is && s.text(i) != "in" {
		if n, _, to, is := s.month(at); is && s.text(to) == "and" {
			if m, long, end, is := s.month(to + 1); is {
				take(end, timing{begin: n, until: m + long, onward: true})
			} else if m, is := s.plainNumber(to + 1); is {
				take(to+2, timing{begin: n, until: m + 1, onward: true})
			}
		}
	}
	if at, is := s.skip(i, untilWords...); is && s.text(i) != "-" {
		if m, long, to, is := s.month(at); is {
			take(to, timing{until: m + long})
		} else if n, to, is := s.duration(at); is && s.text(at-1) == "after" { // "ending after five years"
			take(to, timing{last: n})
		}
	}
	return t, best, ok
}

// ordinal reads "the fifth", "the end of the fifth".
func (s tokens) ordinal(i int) (n, next int, ok bool) {
	i, _ = s.skip(i, endOf...)
	n, next, ok = s.nth(i)
	return n, next, ok && (next >= len(s) || !s[next].word || s[next].is("and", "or"))
}

// nth reads "the second", "the 4th".
func (s tokens) nth(i int) (n, next int, ok bool) {
	if s.text(i) == "the" {
		i++
	}
	if x, is := englishOrdinals[s.text(i)]; is {
		return int(x), i + 1, true
	}
	if i+1 < len(s) && s[i].digits && s[i+1].is("st", "nd", "rd", "th") && s[i+1].glued {
		return int(s[i].number), i + 2, true
	}
	return 0, i, false
}

// alone says whether the words from i to end are all that stands between two commas or ends.
func (s tokens) alone(i, end int) bool {
	stop := func(k int) bool { return k < 0 || k >= len(s) || strings.Contains(",;.", s[k].text) }
	return stop(i-1) && stop(end)
}

// endsAfter says whether "on" or "out" at i, before end, is the last word of its part of the sentence.
func (s tokens) endsAfter(i, end int) bool {
	if s.text(i) != "on" && s.text(i) != "out" || end >= len(s) {
		return true
	}
	return !s[end].word && !s[end].digits || s[end].is("if", "when", "after", "under", "with", "from")
}

// more takes what may follow.
func (s tokens) more(i int, words [][]string) int {
	next, _ := s.skip(i, words...)
	return next
}

func (s tokens) plainNumber(i int) (n int, ok bool) {
	x, next, ok := s.number(i)
	return int(x), ok && x == math.Trunc(x) && x > 0 && x < 1000 && next == i+1
}

// duration reads "two years", "a year", "half a year", "18 months", "a year and a half".
func (s tokens) duration(i int) (n, next int, ok bool) {
	if to, is := s.skip(i, allTheTime...); is {
		if n, next := s.period(to); n > 0 {
			return n, next, true
		}
	}
	if to, is := s.skip(i, phraseHalfA...); is {
		if n, next := s.period(to); n > 0 {
			return n / 2, next, n > 1
		}
	}
	if s.text(i) == "the" {
		i++
	}
	if s.text(i) == "a" || s.text(i) == "an" { // "a two-year period"
		if n, to, is := s.number(i + 1); is && s.text(to) == "-" {
			if length, end := s.period(to + 1); length > 0 {
				return int(math.Round(n * float64(length))), s.more(end, spanWords), true
			}
		}
	}
	x, at, isNumber := s.number(i)
	if !isNumber && (s.text(i) == "a" || s.text(i) == "an" || s.text(i) == "another") {
		x, at, isNumber = 1, i+1, true
		if s.text(at) == "further" || s.text(at) == "single" {
			at++
		}
	}
	if !isNumber {
		if n, next := s.period(i); n > 0 && i > 0 && s[i-1].is("for", "after") && s[i].text == "years" {
			return 0, next, false
		}
		return 0, i, false
	}
	if s.text(at) == "-" || s.text(at) == "full" || s.text(at) == "whole" || s.text(at) == "more" || s.text(at) == "straight" ||
		s.text(at) == "consecutive" {
		at++
	}
	if s.text(at) == "calendar" {
		at++
	}
	unit, next := s.period(at)
	if unit == 0 || x <= 0 || x > 600 {
		return 0, i, false
	}
	if to, is := s.skip(next, halves...); is {
		x, next = x+.5, to
	}
	if unit > 1 && s.text(next) == "and" {
		if n, to, is := s.duration(next + 1); is && n < unit {
			return int(math.Round(x*float64(unit))) + n, to, true
		}
	}
	return int(math.Round(x * float64(unit))), next, true
}

var phraseHalfA = phraseList("half a, one half, half, a half, half of a")

// month reads "month 13", "year two", "the third year", "the 7th month", "the second quarter": the first
// month of it, and how many it has.
func (s tokens) month(i int) (first, length, next int, ok bool) {
	at := i
	if to, is := s.skip(at, endOf...); is {
		n, length, next, ok := s.month(to)
		return n + length, 0, next, ok // the month after
	}
	if s.text(at) == "the" {
		at++
	}
	if length, to := s.period(at); length > 0 && length < 120 {
		if s.text(to) == "number" || s.text(to) == "no" || s.text(to) == "#" {
			to++
		}
		if n, is := s.plainNumber(to); is && n < 600 {
			if _, end, _ := s.number(to); !s.unitWord(end) || s.text(end) == "month" {
				many := 1
				for k := end; s.text(k) == "," || s.text(k) == "and"; k = end { // "months 4, 5 and 6"
					if m, is := s.plainNumber(k + 1); !is || m != n+many || s.text(at) != "months" && s.text(at) != "years" {
						break
					}
					many, end = many+1, k+2
				}
				return (n-1)*length + 1, many * length, end, true
			}
		}
		return 0, 0, i, false
	}
	if n := slices.Index(monthNames, s.text(at)); n >= 0 { // "July of the second year"
		if to := at + 1; s.text(to) == "of" || s.text(to) == "in" {
			if first, length, next, ok := s.month(to + 1); ok && length == 12 {
				return first + n, 1, next, true
			}
		}
		return 0, 0, i, false
	}
	n, is := englishOrdinals[s.text(at)]
	to := at + 1
	if !is && at+1 < len(s) && s[at].digits && s[at+1].is("st", "nd", "rd", "th") && s[at+1].glued {
		n, to, is = s[at].number, at+2, true
	}
	if !is && (s.text(at) == "twenty" || s.text(at) == "thirty") {
		k := at + 1
		if s.text(k) == "-" {
			k++
		}
		if unit, found := englishOrdinals[s.text(k)]; found && unit < 10 {
			n, to, is = englishNumbers[s.text(at)]+unit, k+1, true
		}
	}
	if !is {
		return 0, 0, i, false
	}
	if length, next := s.period(to); length > 0 && length < 120 {
		first = int(n-1)*length + 1
		if s.text(next) == "of" && length < 12 { // "the first month of year three"
			if year, long, end, ok := s.month(next + 1); ok && long == 12 && int(n)*length <= long {
				return year + first - 1, length, end, true
			}
		}
		return first, length, next, true
	}
	return 0, 0, i, false
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december"}

var endOf = phraseList("the end of, end of, the close of")

// inverted reads "should unemployment go above 9 percent, …" as "if": nothing else has a bound and a comma
// after a "should" that begins its sentence.
func (r *english) inverted() {
	for i := range r.s {
		if r.s[i].text != "should" && r.s[i].text != "were" || i > 0 && !strings.Contains(".?!;:", r.s[i-1].text) {
			continue
		}
		bound := false
		for k := i + 1; k < len(r.s) && (!strings.Contains(".?!;", r.s[k].text) || r.glued(k)); k++ {
			p, _ := englishTree().match(r.s, k)
			bound = bound || p.is(aboveWord, belowWord)
			if r.s[k].text == "," && bound {
				r.s[i].text = "if"
				break
			}
		}
	}
}

// reachingWords begin a size that something grows or falls to.
var reachingWords = phraseList("until it holds, until it has, until it is, until it reaches, until it owns, until they are, until they reach, " +
	"until it stands at, until they stand at, till it is, till it reaches, till it holds, until it is at, until it gets to")
