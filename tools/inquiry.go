package tools

import (
	"encoding/json"
	"errors"
	"strings"

	"econ-mcp/internal/fault"
)

// Inquiry is an inquiry as an argument. What its parts hold is checked where it is read.
type Inquiry struct {
	Question   string            `json:"question,omitempty" max:"4000"`
	Background json.RawMessage   `json:"background,omitempty"`
	Arms       json.RawMessage   `json:"arms,omitempty"`
	Control    Name              `json:"control,omitempty"`
	Outcomes   []json.RawMessage `json:"outcomes,omitempty" max:"60"`
	Compare    []string          `json:"compare,omitempty" max:"500"`
	EqualCost  json.RawMessage   `json:"equal_cost,omitempty"`
	Find       json.RawMessage   `json:"find,omitempty"`
	Design     json.RawMessage   `json:"design,omitempty"`
}

// InInquiry says that an error is about the argument inquiry.
func InInquiry(err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		said := *e
		said.Field = strings.TrimSuffix("inquiry."+e.Field, ".")
		return &said
	}
	return err
}
