package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// stated is a number of an inquiry.
type stated struct {
	at   string   // key under which it stands
	x    float64  // as it is written there
	now  *float64 // what the parameter is in the economy that is asked about; nil = no parameter
	time bool     // a month or a number of months
}

// digits are numbers in a text; words that hold digits, as names of outcomes do, are passed over.
var digits = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|([0-9][0-9,]*(?:\.[0-9]+)?)([%％]|pp)?`)

// timeKeys are those of months.
var timeKeys = []string{"from", "for", "ramp", "window", "months"}

// numeral is a number in a text.
type numeral struct {
	Span
	text string
	x    float64
}

// numerals are the numbers of a text that are written in digits.
func numerals(text string) (list []numeral) {
	for _, m := range digits.FindAllStringSubmatchIndex(text, -1) {
		if m[2] < 0 {
			continue
		}
		x, err := strconv.ParseFloat(strings.ReplaceAll(text[m[2]:m[3]], ",", ""), 64)
		if err != nil {
			continue
		}
		from := utf8.RuneCountInString(text[:m[0]])
		list = append(list, numeral{Span{from, from + utf8.RuneCountInString(text[m[0]:m[1]])}, text[m[0]:m[1]], x})
	}
	return list
}

// says tells whether a number of a question can be this one: itself, a percentage of it, the change that
// it is, years for months, "after n months" for the month that follows.
func (s stated) says(n float64) bool {
	same := func(x float64) bool { return math.Abs(x-n) <= 1e-6*math.Max(1, math.Abs(n)) }
	x := math.Abs(s.x)
	if s.time {
		return same(x) || same(x/12) || same(x-1) || same((x-1)/12)
	}
	forms := []float64{x, 100 * x, 100 * math.Abs(1-x), 1000 * x, x / 1e3, x / 1e6}
	if s.now != nil {
		change := math.Abs(s.x - *s.now)
		forms = append(forms, change, 100*change, 3000*x) // a share of the mean wage may be asked for as money
		if *s.now != 0 {
			forms = append(forms, 100*math.Abs(s.x / *s.now - 1), s.x / *s.now, 100*s.x / *s.now)
		}
	}
	return slices.ContainsFunc(forms, same)
}

// replaces tells whether a number of a question can be what the parameter is before it changes.
func (s stated) replaces(n float64) bool {
	return s.now != nil && (math.Abs(*s.now-n) <= 1e-6*math.Max(1, n) || math.Abs(100**s.now-n) <= 1e-6*math.Max(1, n))
}

// numbers are those of an inquiry that come from its question: names, defaults and design apart.
func (w writer) numbers(q inquiry.Inquiry) (list []stated) {
	q.Question, q.Compare, q.Control = "", nil, ""
	months := q.Design.Months
	q.Design = inquiry.Design{}
	q.Arms = slices.Clone(q.Arms)
	for i := range q.Arms {
		q.Arms[i].Name = "arm"
	}
	q.Background.Set = slices.DeleteFunc(slices.Clone(q.Background.Set), func(s inquiry.Setting) bool {
		return slices.Contains(w.o.Set, s)
	})
	decoder := json.NewDecoder(bytes.NewReader(q.JSON()))
	var keys []string // of the objects and lists that are open; "" = the key comes next
	var object []bool
	key, parameter := "", ""
	inDesign := 0
	for {
		token, err := decoder.Token()
		if err != nil { // the end: what Inquiry writes is JSON
			return append(list, stated{at: "months", x: float64(months), time: true})
		}
		top := len(object) - 1
		if d, ok := token.(json.Delim); ok {
			if d == '{' || d == '[' {
				keys, object = append(keys, key), append(object, d == '{')
				if key == "design" {
					inDesign = len(object)
				}
				if d == '{' {
					key = ""
				}
				continue
			}
			if inDesign == len(object) {
				inDesign = 0
			}
			keys, object = keys[:top], object[:top]
			if top > 0 && object[top-1] {
				key = ""
			} else if top > 0 {
				key = keys[top-1]
			}
			continue
		}
		if top >= 0 && object[top] && key == "" {
			key, _ = token.(string)
			continue
		}
		name := key
		switch value := token.(type) {
		case string:
			if key == "parameter" {
				parameter = value
			}
			for _, n := range numerals(value) {
				list = append(list, stated{at: name, x: n.x})
			}
		case float64:
			if (name == "values" || name == "within") && parameter != "" {
				name = parameter
			}
			if inDesign == 0 {
				list = append(list, w.stated(name, value))
			}
		}
		if top >= 0 && object[top] {
			key = ""
		}
	}
}

func (w writer) stated(name string, x float64) stated {
	s := stated{at: name, x: x, time: slices.Contains(timeKeys, name)}
	if v, err := w.base.Get(name); err == nil {
		switch now := v.(type) {
		case float64:
			s.now = &now
		case int:
			f := float64(now)
			s.now = &f
		}
	}
	return s
}

// held holds an inquiry against its question: numbers that it lacks, and levers that the reader of rules
// finds in the question and not in the inquiry, are left over. Numbers written in words are not held.
func (w writer) held(q inquiry.Inquiry, language string) (left []LeftOver, used []Used) {
	has := w.numbers(q)
	for _, n := range numerals(w.text) {
		k := slices.IndexFunc(has, func(s stated) bool { return s.says(n.x) || s.replaces(n.x) })
		if k < 0 {
			why := either(language, "the model's inquiry has no such number", "模型写出的实验中没有这个数")
			left = append(left, LeftOver{n.text, n.Span, why})
			continue
		}
		used = append(used, Used{n.text, n.Span, has[k].at})
	}
	q.Question = ""
	whole := string(q.JSON())
	for _, u := range Read(w.text, w.o).Used {
		if !slices.ContainsFunc(levers, func(l lever) bool { return l.name() == u.As }) {
			continue
		}
		if strings.Contains(whole, `"`+u.As+`"`) {
			used = append(used, u)
			continue
		}
		why := either(language, "it may mean "+u.As+", which the model's inquiry does not have", "可能指 "+u.As+"，而模型写出的实验中没有")
		left = append(left, LeftOver{u.Text, u.Span, why})
	}
	slices.SortStableFunc(left, func(a, b LeftOver) int { return a.From - b.From })
	slices.SortStableFunc(used, func(a, b Used) int { return a.From - b.From })
	return left, used
}

// added are the sizes that an inquiry has and its question does not, in words.
func (w writer) added(q inquiry.Inquiry, language string) (list []string) {
	said := numerals(w.text)
	for _, s := range w.numbers(q) {
		_, err := sim.Lookup(s.at)
		if err != nil && !slices.Contains([]string{"level", "size", "persistence", "amount"}, s.at) {
			continue
		}
		if slices.ContainsFunc(said, func(n numeral) bool { return s.says(n.x) }) {
			continue
		}
		list = append(list, fmt.Sprintf(either(language, "%s = %v is not a number of the question", "%s = %v 不是问题中的数"), s.at, s.x))
	}
	return list
}
