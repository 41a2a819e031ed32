package design

import (
	"fmt"
	"strings"
)

// LeverInfo is what is known of a lever before any question: how it is named, and which
// change a question without a number means.
type LeverInfo struct {
	Lever     string   `json:"lever"` // as [Lever.Parameter] names it
	Kind      Kind     `json:"kind"`
	Type      Type     `json:"question_type"`
	Typical   *float64 `json:"typical"` // change, in the unit of the lever; nil of what has no size
	Small     *float64 `json:"small"`   // where the question says "slightly"
	Setting   string   `json:"setting"` // of a switch or a choice
	Why       string   `json:"why"`
	English   string   `json:"english"` // the first of the phrases that name it
	Chinese   string   `json:"chinese"`
	Reference *float64 `json:"reference"` // value that the control gets where the lever is off and the question lowers it
}

// LeverTable lists all levers, with the documented default of their size.
func LeverTable() []LeverInfo {
	var list []LeverInfo
	for _, r := range levers {
		info := LeverInfo{Lever: r.nameOr(), Kind: r.kind, Type: r.of, Why: r.why}
		switch r.unit {
		case switchUnit, choiceUnit:
			info.Setting = fmt.Sprint(r.set)
		case wholeUnit:
		default:
			info.Typical, info.Small = &r.typical, &r.small
		}
		if r.reference != 0 {
			info.Reference = &r.reference
		}
		if len(r.en) > 0 {
			info.English, info.Chinese = trimMarks(r.en[0]), trimMarks(r.zh[0])
		}
		list = append(list, info)
	}
	return list
}

func trimMarks(phrase string) string {
	return strings.TrimLeft(phrase, "?!+-")
}
