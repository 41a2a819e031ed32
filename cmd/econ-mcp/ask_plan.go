package main

import (
	"encoding/json"

	"econ-mcp/internal/design"
	"econ-mcp/internal/lab"
)

// planDocument is the JSON form of a plan that is not carried out.
type planDocument struct {
	Status           string                `json:"status"`
	Inquiry          json.RawMessage       `json:"inquiry"` // canonical
	ReadBack         string                `json:"read_back"`
	Question         string                `json:"question"`
	Type             design.Type           `json:"question_type"`
	Confidence       float64               `json:"confidence"` // of the type, from 0 to 1
	RunnerUp         *typeDocument         `json:"runner_up"`  // the next likely type; null where there is none
	Levers           []lab.RegisteredLever `json:"levers"`
	Plan             lab.Registration      `json:"plan"`
	PlanHash         string                `json:"plan_hash"`
	EstimatedSeconds float64               `json:"estimated_seconds"` // on an idle machine without burnt-in states
}

type typeDocument struct {
	Type       design.Type `json:"question_type"`
	Confidence float64     `json:"confidence"`
}

func newPlanDocument(p lab.Proposal) (planDocument, error) {
	r, q := p.Registration, p.Inquiry()
	canonical, err := canonicalJSON(q)
	doc := planDocument{
		Status: "ready", Inquiry: canonical, ReadBack: q.ReadBack(r.Language),
		Question: r.Question, Type: r.Type, Confidence: p.Plan.Confidence, Levers: r.Levers, Plan: r, PlanHash: p.Hash,
		EstimatedSeconds: p.EstimatedSeconds,
	}
	if c := p.Plan.Candidates; len(c) > 1 {
		doc.RunnerUp = &typeDocument{c[1].Type, c[1].Confidence}
	}
	return doc, err
}
