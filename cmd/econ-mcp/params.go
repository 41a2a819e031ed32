package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// paramsOptions are the flags of econ-mcp params.
type paramsOptions struct {
	category string
	lang     string
	json     bool
}

func newParams() *cobra.Command {
	o := &paramsOptions{}
	cmd := &cobra.Command{
		Use:   "params",
		Short: "List the parameters of the economy",
		Long: `Lists every parameter with its default, range, unit and meaning, by category.
Those marked live may change while a simulation runs; technical ones change how
a simulation is carried out but none of its results.`,
		Example: "  econ-mcp params --category tax_policy\n  econ-mcp params --lang zh\n  econ-mcp params --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := o.rows()
			if err != nil {
				return err
			}
			if o.json {
				return writeParamsJSON(cmd.OutOrStdout(), rows)
			}
			writeParams(cmd.OutOrStdout(), rows, o.lang == "zh")
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.category, "category", "", "only this category")
	f.StringVar(&o.lang, "lang", "en", "language of the meanings: en or zh")
	f.BoolVar(&o.json, "json", false, "print JSON with all fields")
	return cmd
}

// rows are the parameters that the flags ask for.
func (o *paramsOptions) rows() ([]sim.Parameter, error) {
	if languages := []string{"en", "zh"}; !slices.Contains(languages, o.lang) {
		return nil, fault.Range("--lang", o.lang, languages...)
	}
	all := sim.Catalogue()
	if o.category == "" {
		return all, nil
	}
	var rows []sim.Parameter
	var categories []string
	for _, row := range all {
		if row.Category == o.category {
			rows = append(rows, row)
		}
		if !slices.Contains(categories, row.Category) {
			categories = append(categories, row.Category)
		}
	}
	if len(rows) == 0 {
		return nil, fault.Unknown(fault.NotFound, o.category, categories)
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
		mark := ""
		switch {
		case row.Live:
			mark = "live"
		case row.Technical:
			mark = "technical"
		}
		line := fmt.Sprintf("  %s %s  %s  %s", left(row.Name, 41), right(fmt.Sprint(row.Default), 9), left(row.Range(), 22), mark)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
		meaning := row.Meaning
		if chinese {
			meaning = row.MeaningZH
		}
		if row.Unit != "" {
			meaning += " [" + row.Unit + "]"
		}
		fmt.Fprintln(w, wrap(meaning, tableWidth, "      "))
	}
}

// paramDocument is the JSON form of one parameter.
type paramDocument struct {
	Name      string          `json:"name"`
	Category  string          `json:"category"`
	Type      sim.ParamType   `json:"type"`
	Default   json.RawMessage `json:"default"`
	Min       *float64        `json:"min"` // null for booleans and choices
	Max       *float64        `json:"max"`
	Choices   []string        `json:"choices"`
	Unit      string          `json:"unit"`
	Live      bool            `json:"live"`
	Technical bool            `json:"technical"`
	Meaning   string          `json:"meaning"`
	MeaningZH string          `json:"meaning_zh"`
	Effect    string          `json:"effect"`
	Source    string          `json:"source"`
}

// paramsDocument is the JSON form of econ-mcp params.
type paramsDocument struct {
	Count      int             `json:"count"`
	Parameters []paramDocument `json:"parameters"`
}

func newParamDocument(row sim.Parameter) (paramDocument, error) {
	value, err := json.Marshal(row.Default)
	doc := paramDocument{
		Name: row.Name, Category: row.Category, Type: row.Type, Default: value, Choices: row.Choices, Unit: row.Unit,
		Live: row.Live, Technical: row.Technical, Meaning: row.Meaning, MeaningZH: row.MeaningZH, Effect: row.Effect, Source: row.Source,
	}
	if doc.Choices == nil {
		doc.Choices = []string{}
	}
	if row.Type == sim.TypeNumber || row.Type == sim.TypeInteger {
		doc.Min, doc.Max = &row.Min, &row.Max
	}
	return doc, err
}

func writeParamsJSON(w io.Writer, rows []sim.Parameter) error {
	doc := paramsDocument{Count: len(rows)}
	for _, row := range rows {
		p, err := newParamDocument(row)
		if err != nil {
			return err
		}
		doc.Parameters = append(doc.Parameters, p)
	}
	return encodeJSON(w, doc, "  ")
}
