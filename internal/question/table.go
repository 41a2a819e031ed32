package question

import "econ-mcp/internal/inquiry"

// LeverInfo is what is known of a lever before any question: how it is called, and how far it is moved
// where a question gives no number.
type LeverInfo struct {
	ID       string    `json:"id"`
	Kind     string    `json:"kind"`    // parameter, policy, shock or payment
	Changes  string    `json:"changes"` // the parameter or package; "" of a payment
	Type     Type      `json:"question_type"`
	English  string    `json:"english"`
	Chinese  string    `json:"chinese"`
	Step     *float64  `json:"step"`     // usual change, in the unit of what it changes: offered with half and twice of it
	Standard *Standard `json:"standard"` // what is taken where no size is said; null = it is asked for
}

// Standard is the one documented change of a lever that is taken where a question gives no number.
type Standard struct {
	By      float64 `json:"by"`        // change, in the unit of what the lever changes; 0 = see to
	To      float64 `json:"to"`        // value that it gets where there is none or less of it
	Only    string  `json:"only"`      // rise, fall or both: of which changes it is the size
	Source  string  `json:"source"`    // where the size comes from
	Chinese string  `json:"source_zh"` // the same in Chinese
}

// LeverTable lists all levers that a question can name.
func LeverTable() (list []LeverInfo) {
	for _, l := range levers {
		info := LeverInfo{
			ID: l.id, Kind: [...]string{"parameter", "policy", "shock", "payment"}[l.kind], Changes: l.name(),
			Type: l.is(), English: l.known(inquiry.English),
			Chinese: l.known(inquiry.Chinese),
		}
		if l.kind == paymentLever {
			info.Changes = ""
		}
		if l.unit != switchUnit && l.unit != choiceUnit {
			info.Step = &l.step
		}
		if s, ok := standards[l.id]; ok {
			info.Standard = &Standard{s.by, s.to, [...]string{"fall", "both", "rise"}[s.only+1], s.en, s.zh}
		}
		list = append(list, info)
	}
	return list
}
