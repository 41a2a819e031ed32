package question

import "econ-mcp/internal/inquiry"

// LeverInfo is what is known of a lever before any question: how it is called, and how far it is moved
// where a question gives no number.
type LeverInfo struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`    // parameter, policy, shock or payment
	Changes  string   `json:"changes"` // the parameter or package; "" of a payment
	Type     Type     `json:"question_type"`
	English  string   `json:"english"`
	Chinese  string   `json:"chinese"`
	Step     *float64 `json:"step"`     // usual change, in the unit of what it changes: offered with half and twice of it
	Standard *float64 `json:"standard"` // value that is taken where no size is said; null = it is asked for
}

// LeverTable lists all levers that a question can name.
func LeverTable() (list []LeverInfo) {
	for _, l := range levers {
		info := LeverInfo{
			ID: l.id, Kind: [...]string{"parameter", "policy", "shock", "payment"}[l.kind], Changes: l.name(), Type: l.is(), English: l.known(inquiry.English),
			Chinese: l.known(inquiry.Chinese), Standard: l.standard,
		}
		if l.kind == paymentLever {
			info.Changes = ""
		}
		if l.unit != switchUnit && l.unit != choiceUnit {
			info.Step = &l.step
		}
		list = append(list, info)
	}
	return list
}
