package lab

// Expected is which way an outcome is expected to move, in the words of plans.
type Expected string

// The ways.
const (
	Higher Expected = "higher"
	Lower  Expected = "lower"
	Either Expected = "either"
)

// Enum lists them.
func (Expected) Enum() []string { return []string{string(Higher), string(Lower), string(Either)} }

// Sign is 1 of what is to rise, -1 of what is to fall, 0 of what may do either.
func (e Expected) Sign() int {
	switch e {
	case Higher:
		return 1
	case Lower:
		return -1
	}
	return 0
}

// expectedOf is the word for a sign: 1, -1 or 0.
func expectedOf(sign int) Expected {
	return map[int]Expected{1: Higher, -1: Lower, 0: Either}[sign]
}
