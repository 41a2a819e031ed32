package quarterly

import (
	"fmt"
	"regexp"
	"strconv"
)

// Quarter is a quarter of a year: four times the year, and 0 to 3.
type Quarter int

// String writes a quarter as 1959Q1.
func (q Quarter) String() string { return fmt.Sprintf("%dQ%d", int(q)/4, int(q)%4+1) }

// MarshalText implements [encoding.TextMarshaler].
func (q Quarter) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

var (
	quarterForm = regexp.MustCompile(`^(\d{4})[-: ]?[Qq]([1-4])$`)
	dateForm    = regexp.MustCompile(`^(\d{4})-(\d{2})(-\d{2})?$`)
)

// ParseQuarter reads 1959Q1, 1959-Q1, or a date such as 1959-01-01 of the quarter's first month, as FRED and
// Eurostat write them.
func ParseQuarter(text string) (q Quarter, ok bool) {
	if m := quarterForm.FindStringSubmatch(text); m != nil {
		return Quarter(4*number(m[1]) + number(m[2]) - 1), true
	}
	m := dateForm.FindStringSubmatch(text)
	if m == nil || number(m[2])%3 != 1 || number(m[2]) > 12 {
		return 0, false
	}
	return Quarter(4*number(m[1]) + number(m[2])/3), true
}

// number is one of digits alone.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
