package stats

import (
	"encoding/json"
	"math"
)

// Absent is the number that is not there.
var Absent = Number(math.NaN())

// Number is a float64 whose JSON form is null where it is NaN or infinite, so
// that an absent number does not lose the whole document.
type Number float64

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); finite(f) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

// UnmarshalJSON implements [json.Unmarshaler]: null is NaN.
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// Numbers converts a series for JSON. An empty one becomes [], not null.
func Numbers(x []float64) []Number {
	numbers := make([]Number, len(x))
	for i, v := range x {
		numbers[i] = Number(v)
	}
	return numbers
}
