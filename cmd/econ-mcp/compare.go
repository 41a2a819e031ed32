package main

import (
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/term"
)

// compareOptions are the flags of econ-mcp compare.
type compareOptions struct {
	window, metrics, test, adjustment, lang string
	confidence                              float64
}

func newCompare() *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare EXPERIMENT...",
		Short: "Compare the arms of an experiment, or several experiments with the first",
		Long: `Compare the treatment of an experiment with its control, or two to eight experiments with
the first of them, by the means of a window of months. Replications that share seeds are
paired, others are compared as independent samples. Without flags one experiment is judged
by its plan. What is asked beyond the plan is counted and marked as exploratory, and its
p-values are corrected for all that was ever asked beyond it.

Refused, with the reason: an experiment of one arm alone; experiments of different versions of
the model; experiments of different numbers of households where an indicator grows with them
(compare shares, rates and prices then); a window that one of them has not reached. Said in
a note: different lengths, arms that were burnt in apart, few replications.`,
		Example: `  econ-mcp compare vat_up --window 13:60
  econ-mcp compare baseline_run vat_up tariff_up --metrics real_gdp,cpi`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return oneExperiment(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.metrics, "metrics", "", "indicators to compare, as `a,b,c` (default: the plan's, else the main ones)")
	f.StringVar(&o.window, "window", "", "months to compare, as `FROM:TO` (default: the plan's, else the second half)")
	f.StringVar(&o.test, "test", "", "`family` of tests: t, rank or permutation (default: the plan's, else t)")
	f.StringVar(&o.adjustment, "adjustment", "",
		"of p-values for how many they are, by a `method`: romano_wolf (the default) or holm; benjamini_hochberg makes all rows exploratory")
	f.Float64Var(&o.confidence, "confidence", 0,
		"of the intervals and verdicts (default: the plan's, else 0.95); below the plan's all rows are exploratory")
	f.StringVar(&o.lang, "lang", "auto", "language of the table: en, zh, or auto, that of the question")
	storeFlags(cmd, "print JSON, that of the tool compare_experiments")
	return cmd
}

func (o *compareOptions) run(cmd *cobra.Command, names []string) error {
	months, err := fromTo(o.window, "13:24")
	if err != nil {
		return err
	}
	language, err := languageOf(o.lang)
	if err != nil {
		return err
	}
	if o.confidence == 0 && cmd.Flags().Changed("confidence") {
		return fault.Range("--confidence", "0", "above 0 and below 1")
	}
	var metrics []string
	if o.metrics != "" {
		metrics = strings.Split(strings.ReplaceAll(o.metrics, " ", ""), ",")
	}
	return withReader(cmd, app.Options{}, func(a *app.App) error {
		if wantsJSON(cmd) {
			arguments := map[string]any{"experiment_names": names, "test": o.test, "adjustment": o.adjustment}
			if language != "" {
				arguments["language"] = language
			}
			if o.confidence != 0 {
				arguments["confidence"] = o.confidence
			}
			if metrics != nil {
				arguments["metrics"] = metrics
			}
			if months != nil {
				arguments["window"] = months
			}
			return answerOf(cmd.Context(), a, "compare_experiments", arguments, cmd.OutOrStdout())
		}
		c := inference.Choice{Confidence: o.confidence, Test: inference.Test(o.test), Adjustment: inference.Adjustment(o.adjustment)}
		if c.Metrics, err = inference.ParseMetrics(metrics); err != nil {
			return err
		}
		if c, err = c.Over(months); err != nil {
			return err
		}
		comparison, err := a.Lab.Compare(cmd.Context(), names, c, language, owner)
		if err != nil {
			return err
		}
		term.Comparison(cmd.OutOrStdout(), comparison)
		return nil
	})
}
