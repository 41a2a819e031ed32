package question

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
)

// Name is what an experiment of a reading that is ready is called: its type, what its first arm changes
// first, and what tells the question from others.
func (r Reading) Name() string {
	parts := []string{string(r.Type)}
	if r.Inquiry == nil {
		return parts[0]
	}
	what := changed(r.Inquiry.Arms)
	if r.Inquiry.Find != nil {
		what = r.Inquiry.Find.Parameter
	}
	if what != "" {
		parts = append(parts, what)
	}
	words := strings.Join(strings.Fields(strings.ToLower(r.Question)), " ")
	if base := r.Inquiry.Background.Base; base != "" {
		words += "\non " + base
	}
	if words == "" { // of an inquiry without a question
		words = string(r.Inquiry.Encode())
	}
	sum := sha256.Sum256([]byte(words))
	return strings.Join(append(parts, hex.EncodeToString(sum[:4])), "-")
}

// changed is the name of what arms change first; "" where they change nothing.
func changed(arms []inquiry.Arm) string {
	for _, a := range arms {
		if a.Base != "" {
			return a.Base
		}
		if a.Doses != nil {
			return a.Doses.Parameter
		}
		if len(a.Set) > 0 {
			return a.Set[0].Name
		}
		for _, v := range slices.Concat(a.Events, a.Rules) {
			for _, name := range []string{v.Policy.Policy, v.Shock.Shock, v.Injection.Group} {
				if name != "" {
					return name
				}
			}
			if len(v.Parameters) > 0 {
				return v.Parameters[0].Name
			}
		}
	}
	return ""
}

// Of is the reading of an inquiry that somebody wrote: it is ready.
func Of(q inquiry.Inquiry) Reading {
	r := Reading{Question: q.Question, Language: Language(q.Question), Status: Ready, Inquiry: &q}
	r.Type = Other
	if r.Candidates = classify(q.Question, typesOf(q)); len(r.Candidates) > 0 {
		r.Type, r.Confidence = r.Candidates[0].Type, r.Candidates[0].Confidence
	}
	return r
}

// Language is that of a text, en or zh.
func Language(text string) string { return languageOf(clean(text)) }

// TextOf is the part of the question that became something, "" where none did.
func (r Reading) TextOf(name string) string {
	for _, u := range r.Used {
		if u.As == name {
			return u.Text
		}
	}
	return ""
}
