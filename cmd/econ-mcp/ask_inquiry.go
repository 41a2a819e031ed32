package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"econ-mcp/internal/app"
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/term"
)

// inquiryFile is the file of an inquiry, if that is what ask was given; a question never ends so.
func inquiryFile(args []string) (path string, ok bool) {
	if len(args) != 1 || !slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(args[0]))) {
		return "", false
	}
	return args[0], true
}

// saidByInquiry are the flags of ask that an inquiry has members for.
var saidByInquiry = []string{"households", "months", "replications", "half-width", "max-replications", "seed", "base", "robust"}

// inquiryDocument is the JSON form of an inquiry that is not carried out, and of one that was.
type inquiryDocument struct {
	Status           string          `json:"status"`
	Inquiry          json.RawMessage `json:"inquiry"` // canonical
	ReadBack         string          `json:"read_back"`
	InquiryHash      string          `json:"inquiry_hash"`
	PlanHash         string          `json:"plan_hash"`
	EstimatedSeconds float64         `json:"estimated_seconds"` // on an idle machine without burnt-in states

	ExperimentName string                `json:"experiment_name,omitempty"`
	Conclusion     []string              `json:"conclusion,omitempty"` // paragraphs, in the language of the question
	Comparison     *inference.Comparison `json:"comparison,omitempty"`
	Files          []string              `json:"files,omitempty"`
}

// inquire carries the inquiry of a file out, or says what it means.
func (o *askOptions) inquire(cmd *cobra.Command, path string) error {
	for _, flag := range saidByInquiry {
		if cmd.Flags().Changed(flag) {
			return fault.New(fault.Conflict, "--"+flag, "%s says itself what --%s would", path, flag).
				WithHint("edit the file, or leave the flag out")
		}
	}
	if err := o.check(cmd.Flags().Changed); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fault.New(fault.NotFound, "question", "%s cannot be read: %v", path, err).WithHint("name a file with an inquiry, or ask in words")
	}
	q, err := inquiry.Decode(text)
	if err != nil {
		return err
	}
	language := o.inquiry.Language
	if language == "" {
		language = report.English
		if design.IsChinese(q.Question) {
			language = report.Chinese
		}
	}
	return withApp(cmd, app.Options{Runs: run.Settings{Threads: o.threads}}, func(a *app.App) error {
		inquired, err := a.Lab.Inquire(q, "", owner)
		if err != nil {
			return err
		}
		return o.carryOutInquiry(cmd, a, inquired, language)
	})
}

func (o *askOptions) carryOutInquiry(cmd *cobra.Command, a *app.App, q lab.Inquired, language string) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	if o.yaml {
		_, err := out.Write(q.Inquiry.Encode())
		return err
	}
	canonical, err := canonicalJSON(q.Inquiry)
	if err != nil {
		return err
	}
	doc := inquiryDocument{
		Status: "ready", Inquiry: canonical, ReadBack: q.Inquiry.ReadBack(language), InquiryHash: q.Hash, PlanHash: q.PlanHash,
		EstimatedSeconds: q.EstimatedSeconds,
	}
	if !wantsJSON(cmd) {
		fmt.Fprintln(out, term.Indented(doc.ReadBack, ""))
		fmt.Fprintf(out, "%s %s\n%s %s\n\n", term.Say(language, "inquiry", "提问"), doc.InquiryHash, term.Say(language, "plan hash", "计划哈希"),
			doc.PlanHash)
	}
	if o.dry {
		return printed(cmd, doc, func(io.Writer) {})
	}
	if o.out != "" {
		if err := prepareFolder("--out", o.out); err != nil {
			return err
		}
	}
	started, err := a.Lab.Start(ctx, q.Order)
	if err != nil {
		return err
	}
	doc.ExperimentName = started.Name
	if _, err := follow(ctx, a.Runs, started.Name, cmd.ErrOrStderr()); err != nil {
		return err
	}
	if len(q.Inquiry.Compare) > 0 {
		comparison, err := a.Lab.Compare(ctx, []string{started.Name}, inference.Choice{}, language, owner)
		if err != nil {
			return err
		}
		doc.Comparison = &comparison
		if doc.Conclusion, err = a.Lab.Findings(ctx, started.Name, language, owner); err != nil {
			return err
		}
	}
	if o.out != "" {
		if doc.Files, err = writePackage(ctx, a.Lab, started.Name, language, o.out); err != nil {
			return err
		}
	}
	return printed(cmd, doc, func(out io.Writer) {
		if doc.Comparison != nil {
			term.Findings(out, doc.Conclusion, language)
			term.Comparison(out, *doc.Comparison)
		}
		fmt.Fprintf(out, "%s: econ-mcp show %s, econ-mcp report %[2]s\n", term.Say(language, "more", "更多"), started.Name)
	})
}

// canonicalJSON is the canonical form as JSON, with its members in their order, which is that of the arms.
func canonicalJSON(q inquiry.Inquiry) (json.RawMessage, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(q.Encode(), &document); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := putJSON(&b, document.Content[0])
	return b.Bytes(), err
}

func putJSON(b *bytes.Buffer, n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		var v any
		if err := n.Decode(&v); err != nil {
			return err
		}
		text, err := json.Marshal(v)
		b.Write(text)
		return err
	}
	brackets := map[yaml.Kind]string{yaml.MappingNode: "{}", yaml.SequenceNode: "[]"}[n.Kind]
	b.WriteByte(brackets[0])
	for i, child := range n.Content {
		if i > 0 {
			separator := byte(',')
			if n.Kind == yaml.MappingNode && i%2 == 1 {
				separator = ':'
			}
			b.WriteByte(separator)
		}
		if err := putJSON(b, child); err != nil {
			return err
		}
	}
	b.WriteByte(brackets[1])
	return nil
}
