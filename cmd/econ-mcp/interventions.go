package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/sim"
)

// packageRow is the JSON form of a policy or a shock.
type packageRow struct {
	ID         string   `json:"id"`
	Unit       string   `json:"unit"`
	Min        float64  `json:"min"`
	Max        float64  `json:"max"`
	Parameters []string `json:"parameters"`
	Industry   bool     `json:"industry"` // a shock to one industry, which must be named
	Meaning    string   `json:"meaning"`
	MeaningZH  string   `json:"meaning_zh"`
}

// interventionsDocument is the JSON form of econ-mcp interventions.
type interventionsDocument struct {
	Types      []sim.InterventionType `json:"types"`
	Policies   []packageRow           `json:"policies"`
	Shocks     []packageRow           `json:"shocks"`
	Groups     []string               `json:"groups"`     // of injections, beside industries
	Industries []string               `json:"industries"` // codes
	Variables  []string               `json:"variables"`  // of conditions
}

func newInterventionsDocument() interventionsDocument {
	doc := interventionsDocument{
		Types: sim.InterventionTypes, Policies: packageRows(sim.Policies()), Shocks: packageRows(sim.Shocks()),
		Groups: sim.InjectionGroups, Variables: append([]string{"month"}, sim.IndicatorNames()...),
	}
	for _, industry := range sim.Industries(sim.MaxIndustries) {
		doc.Industries = append(doc.Industries, industry.Code)
	}
	return doc
}

func packageRows(list []sim.Package) (rows []packageRow) {
	for _, p := range list {
		rows = append(rows, packageRow{p.ID, p.Unit, p.Min, p.Max, p.Parameters, p.Industry, p.Meaning, p.MeaningZH})
	}
	return rows
}

func newInterventions() *cobra.Command {
	lang := ""
	cmd := &cobra.Command{
		Use:   "interventions",
		Short: "List the policies, shocks and groups that a plan may name",
		Long: `Lists what the interventions of a scenario file may name: policies with the
parameters that they change, shocks, groups that may be given money, and the
variables of conditions (econ-mcp run --config FILE).`,
		Example: "  econ-mcp interventions\n  econ-mcp interventions --lang zh\n  econ-mcp interventions --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkChoice("--lang", lang, report.Languages...); err != nil {
				return err
			}
			doc := newInterventionsDocument()
			return printed(cmd, doc, func(out io.Writer) { writeInterventions(out, doc, lang == "zh") })
		},
	}
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().StringVar(&lang, "lang", "en", "language of the meanings: en or zh")
	return cmd
}

func writeInterventions(w io.Writer, doc interventionsDocument, chinese bool) {
	for _, list := range []struct {
		title string
		rows  []packageRow
	}{
		{"type: policy, parameters: {policy: NAME, level: NUMBER}", doc.Policies},
		{"type: shock, parameters: {shock: NAME, size: NUMBER, persistence: 0 to 1}", doc.Shocks},
	} {
		fmt.Fprintln(w, list.title)
		for _, row := range list.rows {
			fmt.Fprintf(w, "  %s%g to %g, %s\n", term.Left(row.ID, 24), row.Min, row.Max, row.Unit)
			meaning := row.Meaning
			if chinese {
				meaning = row.MeaningZH
			}
			if row.Industry {
				meaning += ` With industry: "CODE".`
			}
			fmt.Fprintln(w, term.Indented(meaning, "      "))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "type: injection, parameters: {group: NAME, amount: units a head and month}")
	fmt.Fprintf(w, "  groups: %s, industry:CODE\n\n", strings.Join(doc.Groups, ", "))
	fmt.Fprintln(w, "type: parameter_change, parameters: {NAME: VALUE, ...}")
	fmt.Fprint(w, "  any parameter that econ-mcp params marks live\n\n")
	fmt.Fprintln(w, "when: a condition such as unemployment_rate > 10% and inflation < 2%")
	fmt.Fprintln(w, "until: a condition that switches a rule off again, such as unemployment_rate < 6.5%")
	fmt.Fprintln(w, term.Indented(strings.Join(doc.Variables, ", "), "  "))
	fmt.Fprintf(w, "\nindustry codes: %s\n", strings.Join(doc.Industries, ", "))
}
