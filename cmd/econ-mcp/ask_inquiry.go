package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
)

// inquiryFile is the file of an inquiry, if that is what ask was given; a question never ends so.
func inquiryFile(args []string) (path string, ok bool) {
	if len(args) != 1 || !slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(args[0]))) {
		return "", false
	}
	return args[0], true
}

// saidByInquiry are the flags of ask that an inquiry has members for.
var saidByInquiry = []string{"households", "months", "replications", "half-width", "max-replications", "seed", "base", "assume", "outcome", "window"}

// ofModel are the flags of ask that say who writes the inquiry.
var ofModel = []string{"provider", "model", "base-url", "answer-timeout", "text-calls", "yes"}

// inquire carries the inquiry of a file out, or says what it means.
func (o *askOptions) inquire(cmd *cobra.Command, path string) error {
	begin := time.Now()
	for _, flag := range saidByInquiry {
		if cmd.Flags().Changed(flag) {
			return fault.New(fault.Conflict, "--"+flag, "%s says itself what --%s would", path, flag).
				WithHint("edit the file, or leave the flag out")
		}
	}
	for _, flag := range ofModel {
		if cmd.Flags().Changed(flag) {
			return fault.New(fault.Conflict, "--"+flag, "%s is an inquiry already: no model has to write one", path).
				WithHint("leave --" + flag + " out")
		}
	}
	if err := o.check(cmd.Flags().Changed); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fault.New(fault.NotFound, "question", "%s cannot be read: %v", path, err).WithHint("name a file with an inquiry, or ask in words")
	}
	q, err := inquiry.DecodeFiles(text, func(name string) (scenario.Scenario, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return scenarioFile("file", name)
	})
	if err != nil {
		return err
	}
	o.question.Text, o.question.Principal = q.Question, owner
	return o.with(cmd, func(a *app.App) error {
		proposal, err := a.Lab.Written(o.question, q)
		if err != nil {
			return inquiry.InText(text, err)
		}
		return o.answer(cmd, a, proposal, begin)
	})
}
