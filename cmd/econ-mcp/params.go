package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
	"econ-mcp/sim"
)

// paramsOptions are the flags of econ-mcp params.
type paramsOptions struct {
	category string
	lang     string
}

func newParams() *cobra.Command {
	o := &paramsOptions{}
	cmd := &cobra.Command{
		Use:   "params [NAME]",
		Short: "List the parameters of the economy, or explain one",
		Long: `Lists every parameter with its default, range, unit and meaning, by category.
Those marked live may change while a simulation runs; technical ones change how
a simulation is carried out but none of its results. With a name it prints all
that is known of that parameter.`,
		Example: "  econ-mcp params vat_rate\n  econ-mcp params --category tax_policy\n  econ-mcp params --lang zh\n  econ-mcp params --json",
		Args:    atMostOne("NAME", "parameter"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rows, err := o.rows(args)
			if err != nil {
				return err
			}
			return printed(cmd, newParamsDocument(rows), func(out io.Writer) {
				if len(args) > 0 {
					writeParam(out, rows[0])
				} else {
					writeParams(out, rows, o.lang == "zh")
				}
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.category, "category", "", "only this category")
	f.StringVar(&o.lang, "lang", "en", "language of the meanings: en or zh")
	f.Bool("json", false, "print JSON with all fields")
	return cmd
}

// rows are the parameters that the command line asks for.
func (o *paramsOptions) rows(names []string) ([]sim.Parameter, error) {
	if err := checkChoice("--lang", o.lang, report.Languages...); err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if o.category != "" {
			return nil, fault.New(fault.Conflict, "--category", "a name and --category both choose parameters; use one of them")
		}
		row, err := sim.Lookup(names[0])
		return []sim.Parameter{row}, err
	}
	rows := slices.DeleteFunc(sim.Catalogue(), func(row sim.Parameter) bool { return o.category != "" && row.Category != o.category })
	if len(rows) == 0 {
		return nil, fault.Unknown(fault.NotFound, "category", o.category, sim.Categories())
	}
	return rows, nil
}

// writeParams prints the table for people: a line of values and a line of
// meaning a parameter.
func writeParams(w io.Writer, rows []sim.Parameter, chinese bool) {
	category := ""
	for _, row := range rows {
		if row.Category != category {
			if category != "" {
				fmt.Fprintln(w)
			}
			category = row.Category
			fmt.Fprintln(w, category)
		}
		values, choices := row.Range(), ""
		if len(values) > 40 {
			values, choices = "one of", values
		}
		line := fmt.Sprintf("  %s %s  %s  %s", term.Left(row.Name, 41), term.Right(fmt.Sprint(row.Default), 9), term.Left(values, 22),
			markOf(row))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
		if choices != "" {
			fmt.Fprintln(w, term.Indented(choices, "      "))
		}
		meaning := row.Meaning
		if chinese {
			meaning = row.MeaningZH
		}
		if row.Unit != "" {
			meaning += " [" + row.Unit + "]"
		}
		fmt.Fprintln(w, term.Indented(meaning, "      "))
	}
}

// markOf says when a parameter may change.
func markOf(row sim.Parameter) string {
	switch {
	case row.Live:
		return "live"
	case row.Technical:
		return "technical"
	}
	return ""
}

// writeParam prints all that is known of one parameter.
func writeParam(w io.Writer, row sim.Parameter) {
	const indent = "            "
	changes := map[string]string{
		"live":      "live: may change while a simulation runs",
		"technical": "technical: changes no result",
		"":          "not live: holds from the start of the burn-in",
	}
	estimated := ""
	if low, high, ok := sim.EstimatedWithin(row.Name); ok {
		estimated = fmt.Sprintf("within %g to %g: values beyond extrapolate", low, high)
	}
	fmt.Fprintln(w, row.Name)
	for _, field := range []struct{ name, text string }{
		{"category", row.Category},
		{"type", string(row.Type)},
		{"default", fmt.Sprint(row.Default)},
		{"range", row.Range()},
		{"estimated", estimated},
		{"unit", row.Unit},
		{"changes", changes[markOf(row)]},
		{"meaning", row.Meaning},
		{"", row.MeaningZH},
		{"effect", row.Effect},
		{"source", row.Source},
	} {
		if text := term.Indented(field.text, indent); text != "" {
			fmt.Fprintln(w, term.Left("  "+field.name, len(indent))+strings.TrimPrefix(text, indent))
		}
	}
}

// paramDocument is the JSON form of one parameter.
type paramDocument struct {
	Name      string        `json:"name"`
	Category  string        `json:"category"`
	Type      sim.ParamType `json:"type"`
	Default   any           `json:"default"`
	Min       *float64      `json:"min"` // of a schedule's rates; null for booleans and choices
	Max       *float64      `json:"max"`
	Choices   []string      `json:"choices"`
	Keys      sim.Keys      `json:"keys,omitempty"` // of a schedule: threshold or industry
	Unit      string        `json:"unit"`
	Live      bool          `json:"live"`
	Technical bool          `json:"technical"`
	Meaning   string        `json:"meaning"`
	MeaningZH string        `json:"meaning_zh"`
	Effect    string        `json:"effect"`
	Source    string        `json:"source"`
}

// paramsDocument is the JSON form of econ-mcp params.
type paramsDocument struct {
	Count      int             `json:"count"`
	Parameters []paramDocument `json:"parameters"`
}

func newParamsDocument(rows []sim.Parameter) paramsDocument {
	doc := paramsDocument{Count: len(rows)}
	for _, row := range rows {
		p := paramDocument{
			Name: row.Name, Category: row.Category, Type: row.Type, Default: row.Default, Choices: append([]string{}, row.Choices...),
			Keys: row.Keys, Unit: row.Unit, Live: row.Live, Technical: row.Technical, Meaning: row.Meaning, MeaningZH: row.MeaningZH,
			Effect: row.Effect, Source: row.Source,
		}
		if row.Type == sim.TypeNumber || row.Type == sim.TypeInteger || row.Type == sim.TypeSchedule {
			p.Min, p.Max = &row.Min, &row.Max
		}
		doc.Parameters = append(doc.Parameters, p)
	}
	return doc
}
