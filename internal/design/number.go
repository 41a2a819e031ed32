package design

import (
	"slices"
	"strings"
)

var englishNumbers = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var englishOrdinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}

// englishParts are the denominators of fractions.
var englishParts = map[string]float64{
	"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
}

var hanDigits = map[string]float64{
	"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}

var hanPowers = map[string]float64{"十": 10, "百": 100, "千": 1e3, "万": 1e4}

// scan is a run through tokens.
type scan []token

// word is the text of a token, empty beyond the ends.
func (s scan) word(i int) string {
	if i < 0 || i >= len(s) {
		return ""
	}
	return s[i].text
}

// follow says whether the given words stand at i, in any inflection, and where they end.
func (s scan) follow(i int, words ...string) (next int, ok bool) {
	for _, want := range words {
		if i >= len(s) || !s.is(i, want) {
			return i, false
		}
		i++
	}
	return i, true
}

func (s scan) is(i int, want string) bool {
	text := s.word(i)
	if text == want {
		return true
	}
	if i < 0 || i >= len(s) || s[i].kind != wordToken {
		return false
	}
	return slices.Contains(forms(text), want)
}

// skip returns the place after the first of the given phrases (words parted by blanks, or
// Chinese characters) that stands at i.
func (s scan) skip(i int, phrases ...string) (next int, ok bool) {
	first := s.word(i)
	if first == "" {
		return i, false
	}
	for _, phrase := range phrases {
		if phrase[0] != first[0] {
			continue // spares most of the work
		}
		if next, ok := s.follow(i, phraseTokens(phrase)...); ok {
			return next, true
		}
	}
	return i, false
}

// phraseTokens splits a phrase of the lexicon as a question is split.
func phraseTokens(phrase string) []string {
	var list []string
	for _, t := range tokenize(phrase) {
		list = append(list, t.text)
	}
	return list
}

// number reads a number in digits or in words at i.
func (s scan) number(i int) (x float64, next int, ok bool) {
	if i >= len(s) {
		return 0, i, false
	}
	switch s[i].kind {
	case numberToken:
		x, next = s[i].number, i+1
		if power, ok := hanPowers[s.word(next)]; ok && power > 10 {
			return x * power, next + 1, true
		}
		if next2, ok := s.skip(next, "thousand"); ok {
			return x * 1000, next2, true
		}
		return x, next, true
	case wordToken:
		return s.englishNumber(i)
	case hanToken:
		return s.hanNumber(i)
	}
	return 0, i, false
}

func (s scan) englishNumber(i int) (x float64, next int, ok bool) {
	x, ok = englishNumbers[s.word(i)]
	next = i + 1
	if !ok {
		if (s.word(i) == "a" || s.word(i) == "an") && (s.word(i+1) == "hundred" || s.word(i+1) == "thousand") {
			x = 1
		} else {
			return 0, i, false
		}
	}
	if x >= 20 {
		at := next
		if s.word(at) == "-" {
			at++
		}
		if unit, ok := englishNumbers[s.word(at)]; ok && unit > 0 && unit < 10 {
			x, next = x+unit, at+1
		}
	}
	for _, scale := range []struct {
		word string
		by   float64
	}{{"hundred", 100}, {"thousand", 1000}} {
		if s.word(next) == scale.word {
			x, next = x*scale.by, next+1
		}
	}
	return x, next, true
}

// hanNumber reads 十五, 一百二十, 两千 and the like.
func (s scan) hanNumber(i int) (x float64, next int, ok bool) {
	total, digit, seen := 0.0, -1.0, false
	for next = i; next < len(s); next++ {
		text := s.word(next)
		if d, isDigit := hanDigits[text]; isDigit {
			if digit >= 0 {
				digit = digit*10 + d // 二五 as in 百分之二五
			} else {
				digit = d
			}
			seen = true
			continue
		}
		power, isPower := hanPowers[text]
		if !isPower {
			break
		}
		if digit < 0 {
			if power > 10 {
				break
			}
			digit = 1
		}
		total += digit * power
		digit, seen = -1, true
	}
	return total + max(0, digit), next, seen
}

// fraction reads "a third", "two thirds", "half", 三分之一 and 一半.
func (s scan) fraction(i int) (x float64, next int, ok bool) {
	if next, ok := s.skip(i, "一半"); ok {
		return .5, next, true
	}
	if _, ok := s.skip(i, "半个百分点"); ok {
		return .5, i + 1, true
	}
	if lower, at, ok := s.hanNumber(i); ok && lower > 0 {
		if at, ok := s.skip(at, "分之"); ok {
			if upper, at, ok := s.number(at); ok {
				return upper / lower, at, true
			}
		}
	}
	upper, at := 1.0, i
	if n, next, ok := s.englishNumber(i); ok {
		upper, at = n, next
	} else if s.word(i) == "a" || s.word(i) == "an" {
		at = i + 1
	} else if s.word(i) != "half" {
		return 0, i, false
	}
	if s.word(at) == "-" {
		at++
	}
	lower, ok := englishParts[strings.TrimSuffix(s.word(at), "s")]
	if !ok {
		lower, ok = englishParts[s.word(at)]
	}
	if !ok {
		return 0, i, false
	}
	return upper / lower, at + 1, true
}
