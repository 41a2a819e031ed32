package main

import (
	"encoding/json"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/question"
)

// readingDocument is the JSON form of what became of a question.
type readingDocument struct {
	Status           question.Status      `json:"status"`
	Question         string               `json:"question"`
	Type             question.Type        `json:"question_type"`
	Inquiry          json.RawMessage      `json:"inquiry"` // canonical; null or incomplete unless ready
	ReadBack         string               `json:"read_back"`
	Missing          []string             `json:"missing"`
	Used             []question.Used      `json:"used"`
	LeftOver         []question.LeftOver  `json:"left_over"`
	Questions        []questionDocument   `json:"questions"`
	Assumed          []string             `json:"assumed"`
	Nearest          []string             `json:"nearest"`
	Idle             []string             `json:"plan_warnings"` // what of the plan can do nothing
	Plan             *lab.Registration    `json:"plan"`
	InquiryHash      string               `json:"inquiry_hash"`
	PlanHash         string               `json:"plan_hash"`
	Power            []inference.Foreseen `json:"power"`             // what the plan can find
	EstimatedSeconds float64              `json:"estimated_seconds"` // on an idle machine without burnt-in states
}

// questionDocument is the JSON form of a question that is asked back.
type questionDocument struct {
	Ask     string           `json:"ask"`
	Choices []choiceDocument `json:"choices"`
}

type choiceDocument struct {
	Said    string          `json:"said"`
	Inquiry json.RawMessage `json:"inquiry"`
}

func newReadingDocument(p lab.Proposal) readingDocument {
	r := p.Reading
	doc := readingDocument{
		Status: r.Status, Question: r.Question, Type: r.Type, Missing: notNull(r.Missing), Used: notNull(r.Used), LeftOver: notNull(r.LeftOver),
		Questions: []questionDocument{}, Assumed: notNull(r.Assumed), Nearest: notNull(r.Nearest), Idle: notNull(p.Warnings),
		InquiryHash: p.Hash, PlanHash: p.PlanHash, Power: []inference.Foreseen{},
		EstimatedSeconds: p.EstimatedSeconds,
	}
	for _, q := range r.Questions {
		d := questionDocument{Ask: q.Ask, Choices: []choiceDocument{}}
		for _, c := range q.Choices {
			d.Choices = append(d.Choices, choiceDocument{c.Said, c.Inquiry.JSON()})
		}
		doc.Questions = append(doc.Questions, d)
	}
	if r.Inquiry != nil {
		doc.Inquiry, doc.ReadBack = r.Inquiry.JSON(), r.Inquiry.ReadBack(p.Language)
	}
	if r.Status == question.Ready {
		plan := p.Registration()
		doc.Plan, doc.Inquiry, doc.ReadBack = &plan, p.Inquiry.JSON(), p.Inquiry.ReadBack(p.Language)
		doc.Power = notNull(plan.Foreseen())
	}
	return doc
}

// notNull is a list that is never null.
func notNull[T any](list []T) []T { return append([]T{}, list...) }
