package main

import (
	"os"
	"testing"

	"econ-mcp/internal/trials"
)

// The questions that serve the writing of rules are read as well as fresh ones must be.
func TestDevelopmentQuestions(t *testing.T) {
	file, err := os.Open("../../internal/question/testdata/asked/development.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, err := trials.ReadQuestions(file)
	if err != nil {
		t.Fatal(err)
	}
	s, all := trials.Judge(list, read)
	n := s.Questions
	switch {
	case n != 200:
		t.Errorf("%d questions", n)
	case 100*s.SilentlyWrong > 1*n, 100*s.AskedBack > 35*n, 100*s.AnswerableRight < 90*s.Answerable, 100*s.BeyondRefused < 95*s.Beyond,
		100*s.AnswerableRefused > 2*s.Answerable:
		t.Errorf("%+v", s)
		for _, j := range all {
			if !j.Right {
				t.Logf("%s %s: %s", j.ID, j.Status, j.Question)
			}
		}
	}
}
