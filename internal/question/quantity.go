package question

// quantity is a number as a question says it.
type quantity struct {
	unit unit
	x    float64 // 0.05 for 5 % and for five points; 1.0/3 for a third; 24 for two years; signed
	of   measure // what a share is one of
	per  int     // months of the period that a rate or an amount is for: "a year" is 12; 0 = not said
	text string  // as it is said
	span Span
}

// unit says what a number counts.
type unit int

const (
	plain    unit = iota // nothing is said: "by 10"
	percent              // "by 2 percent": of what there is, or of the whole, as the lever decides
	points               // percentage points, basis points
	money                // currency units
	fraction             // a third, 两成 of something, half
	factor               // three times
	months               // years, quarters and months, in months
	people               // ages: years of life
)

// measure is what a share is one of.
type measure int

const (
	ofNothing measure = iota
	ofGDP
	ofMedian // median wage
	ofMean   // mean wage
)
