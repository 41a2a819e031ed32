// Package question reads a question in plain English or Chinese: it becomes an inquiry, or a
// question back, or it is out of scope. It reads by rules and a vocabulary, without a model and
// without a network: the same question gives the same reading.
//
// Two grammars, one a language, turn the words into a [sense]: what is said, in terms of this
// economy. The resolver turns the sense into an inquiry. Every word is accounted for: used, known
// filler, or left over; what is left over and could matter stops the reading with a question back.
package question

import "econ-mcp/internal/inquiry"

// Status says what became of a question.
type Status string

// The ways in which a question is read.
const (
	Ready      Status = "ready"
	AskedBack  Status = "needs_clarification"
	OutOfScope Status = "out_of_scope"
)

// Enum lists them.
func (Status) Enum() []string {
	return []string{string(Ready), string(AskedBack), string(OutOfScope)}
}

// Reading is what became of a question.
type Reading struct {
	Question   string
	Language   string // en or zh
	Status     Status
	Inquiry    *inquiry.Inquiry // complete where Status is Ready; as far as it is understood, or nil, elsewhere
	Type       Type             // by what it would change
	Confidence float64          // 0 to 1, that Type is right
	Candidates []Candidate      // all types that something speaks for, the best first
	Missing    []string         // what the inquiry lacks, where it is not complete
	Used       []Used           // in the order of the question
	LeftOver   []LeftOver
	Questions  []Question // what is asked back: none where the reading is ready
	Assumed    []string   // what was not said and is taken, in the language of the question
	Nearest    []string   // what can be asked, where the question is out of scope
}

// Span is a part of the question, in Unicode code points: From is included, To is not.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Used is a part of the question that the reading rests on.
type Used struct {
	Text string `json:"text"`
	Span
	As string `json:"as"` // what it became: a parameter, a value, an outcome, a time
}

// LeftOver is a part of the question that the reading does not rest on.
type LeftOver struct {
	Text string `json:"text"`
	Span
	Why string `json:"why"`
}

// Question is what is asked back.
type Question struct {
	Ask     string
	Choices []Choice
}

// Choice is an answer to a question asked back: a complete inquiry, in which whatever else is open
// is as first proposed.
type Choice struct {
	Said    string
	Inquiry inquiry.Inquiry
	Assumed []string // what was not said and is taken with it
}
