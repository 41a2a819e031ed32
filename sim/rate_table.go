package sim

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
)

// RateTable is a parameter that holds rates by key, as text: "1: 0.3, 2.5: 0.42" or
// "01: 0.05, 07: 0.2"; callers know its type as [TypeSchedule]. Text keeps [Params] a
// comparable value. The canonical form has its keys in order, and is NoRates where there
// are none.
type RateTable string

// NoRates is the schedule without an entry.
const NoRates = "none"

// Keys says what the keys of a schedule are.
type Keys string

const (
	KeysThreshold Keys = "threshold" // numbers from 0
	KeysIndustry  Keys = "industry"  // COICOP divisions, by code
)

// Rate is an entry of a schedule: a threshold, or the row of an industry of [Industries]
// (12), with its rate.
type Rate struct{ Key, Rate float64 }

// Rates reads a schedule in canonical form.
func (s RateTable) Rates() []Rate {
	var rates []Rate
	if s == NoRates {
		return nil
	}
	for _, pair := range strings.Split(string(s), ", ") {
		key, rate, _ := strings.Cut(pair, ": ")
		k, _ := strconv.ParseFloat(key, 64)
		r, _ := strconv.ParseFloat(rate, 64)
		rates = append(rates, Rate{k, r})
	}
	return rates
}

// scaled returns the schedule with the rate of an industry (from 0), or 1 where it has
// none, times a factor, within limits.
func (s RateTable) scaled(industry int, factor, low, high float64) RateTable {
	rates := s.Rates()
	at := slices.IndexFunc(rates, func(r Rate) bool { return int(r.Key) == industry+1 })
	if at < 0 {
		at = len(rates)
		rates = append(rates, Rate{float64(industry + 1), 1})
	}
	rates[at].Rate = clip(rates[at].Rate*factor, low, high)
	return canonical(rates, KeysIndustry)
}

// canonical writes rates in the order of their keys.
func canonical(rates []Rate, keys Keys) RateTable {
	if len(rates) == 0 {
		return NoRates
	}
	slices.SortStableFunc(rates, func(a, b Rate) int { return cmp.Compare(a.Key, b.Key) })
	var b strings.Builder
	for i, r := range rates {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(keyText(r.Key, keys) + ": " + strconv.FormatFloat(r.Rate, 'f', -1, 64))
	}
	return RateTable(b.String())
}

// parseRates reads text such as "1: 0.3, 2.5: 0.42", or a map from keys to rates,
// into the canonical form.
func (row Parameter) parseRates(value any) (any, error) {
	var pairs []string
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String:
		if s := strings.TrimSpace(v.String()); s != "" && s != NoRates {
			pairs = strings.Split(s, ",")
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			pairs = append(pairs, fmt.Sprint(key, ":", v.MapIndex(key)))
		}
		slices.Sort(pairs) // so that the first mistake is always the same
	default:
		return nil, row.wrongType(value)
	}
	rates := make([]Rate, 0, len(pairs))
	for _, pair := range pairs {
		key, text, ok := strings.Cut(pair, ":")
		rate, isNumber := parseNumber(text)
		if !ok || !isNumber {
			return nil, row.wrongType(value)
		}
		k, err := row.key(strings.TrimSpace(key))
		if err != nil {
			return nil, err
		}
		rates = append(rates, Rate{k, rate + 0})
	}
	text := canonical(rates, row.Keys) // which sorts them
	for i, r := range rates {
		if i > 0 && rates[i-1].Key == r.Key {
			return nil, fault.New(fault.Conflict, row.Name, "%s %s is given twice", row.Keys, keyText(r.Key, row.Keys))
		}
	}
	return string(text), nil
}

// key reads one key of a schedule.
func (row Parameter) key(text string) (float64, error) {
	if row.Keys == KeysIndustry {
		codes := industryCodes()
		i := slices.Index(codes, text)
		if len(text) == 1 {
			i = slices.Index(codes, "0"+text)
		}
		if i < 0 {
			return 0, fault.Range(row.Name, "industry "+strconv.Quote(text), codes...)
		}
		return float64(i + 1), nil
	}
	k, ok := parseNumber(text)
	if !ok || !(k >= 0 && k <= largestThreshold) {
		return 0, fault.Range(row.Name, "threshold "+strconv.Quote(text), "0 to "+strconv.Itoa(largestThreshold))
	}
	return k + 0, nil
}

// largestThreshold of a schedule, in the unit of its keys.
const largestThreshold = 1000

func keyText(k float64, keys Keys) string {
	if keys == KeysIndustry {
		return fmt.Sprintf("%02.0f", k)
	}
	return strconv.FormatFloat(k, 'f', -1, 64)
}

func industryCodes() []string {
	var codes []string
	for _, industry := range industryTable {
		codes = append(codes, industry.Code)
	}
	return codes
}

// maxRates is the largest number of entries of a schedule.
const maxRates = 100

// checkRates tests that a schedule is in canonical form, and its rates.
func (row Parameter) checkRates(s RateTable) error {
	if canonical, err := row.parseRates(string(s)); err != nil || canonical != string(s) {
		return row.wrongType(string(s))
	}
	rates := s.Rates()
	if len(rates) > maxRates {
		return fault.New(fault.LimitExceeded, row.Name, "%d entries; at most %d are allowed", len(rates), maxRates)
	}
	for _, r := range rates {
		if !(row.Min <= r.Rate && r.Rate <= row.Max) {
			return fault.Range(row.Name, fmt.Sprintf("rate %s at %s", formatNumber(r.Rate), keyText(r.Key, row.Keys)),
				formatNumber(row.Min)+" to "+formatNumber(row.Max))
		}
	}
	return nil
}
