package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// completeNames offers the names of stored experiments to a shell, to commands that take
// at most so many. It makes no data folder.
func completeNames(data *string, most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const names = 200
		dir, err := dataFolder(*data)
		if err != nil || len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if _, err := os.Stat(filepath.Join(dir, "econ-mcp.db")); err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		s, err := store.Open(dir)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer s.Close()
		list, _, _, err := s.List(store.Filter{Limit: names})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var found []cobra.Completion
		for _, x := range list {
			if strings.HasPrefix(x.Name, begin) && !slices.Contains(args, x.Name) {
				found = append(found, cobra.CompletionWithDesc(x.Name, printable(x.Question)))
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// withWorkshop opens the data folder for one piece of work.
func withWorkshop(data string, work func(w *workshop) error) error {
	w, err := openWorkshop(data, workshopOptions{})
	if err != nil {
		return err
	}
	err = work(w)
	if e := w.close(); err == nil {
		err = e
	}
	return err
}

// argument is one of a tool.
type argument struct {
	name  string
	value any
}

// invoke prints what a tool answers, so that a command's JSON is the tool's. Arguments
// that are zero are left out.
func (w *workshop) invoke(ctx context.Context, out io.Writer, tool string, arguments ...argument) error {
	t, err := toolNamed(w.tools, tool)
	if err != nil {
		return err
	}
	arguments = slices.DeleteFunc(arguments, func(a argument) bool { return a.value == "" || a.value == 0 || a.value == 0.0 })
	in, err := orderedObject(len(arguments), func(i int) (string, any) { return arguments[i].name, arguments[i].value })
	if err != nil {
		return err
	}
	result, err := t.Invoke(ctx, &tools.Call{Workspace: "default", Progress: func(float64, float64, string) {}}, in)
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, result.JSON, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, pretty.String())
	return err
}

func newList() *cobra.Command {
	data, asJSON, f := "", false, store.Filter{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List stored experiments, the newest first",
		Long: `List the experiments of the data folder, the newest first: name, when it was made, the
state of its runs, its size, and the question where one was asked. econ-mcp show, compare,
report, export, rerun and delete take a name of this list.`,
		Example: `  econ-mcp list
  econ-mcp list --search "minimum wage" --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Limit < 1 || f.Limit > 200 {
				return fault.Range("--limit", strconv.Itoa(f.Limit), "1 to 200")
			}
			return withWorkshop(data, func(w *workshop) error {
				if asJSON {
					return w.invoke(cmd.Context(), cmd.OutOrStdout(), "list_history_experiments",
						argument{"limit", f.Limit}, argument{"cursor", f.Cursor}, argument{"search", f.Search}, argument{"status", f.State})
				}
				list, total, next, err := w.lab.List(f)
				if err != nil {
					return err
				}
				writeList(cmd.OutOrStdout(), list, total, next)
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&f.Limit, "limit", 20, "at most so many, up to 200")
	cmd.Flags().StringVar(&f.Cursor, "cursor", "", "go on after the `place` where the list before ended")
	cmd.Flags().StringVar(&f.Search, "search", "", "only those with these `words` in name, question, hypothesis or notes")
	cmd.Flags().StringVar(&f.State, "status", "", "only those in this `state` of their runs, such as completed or interrupted")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, that of the tool list_history_experiments")
	dataFlag(cmd, &data)
	return cmd
}

func writeList(w io.Writer, list []store.Experiment, total int, next string) {
	if len(list) == 0 {
		fmt.Fprintln(w, `No experiment yet. Begin with econ-mcp ask "How will AI agents reshape the labour market?"`)
		return
	}
	width := 0
	for _, x := range list {
		width = max(width, textWidth(x.Name))
	}
	for _, x := range list {
		writeRow(w, x, width)
	}
	fmt.Fprintf(w, "%d of %s", len(list), plural(total, "experiment"))
	if next != "" {
		fmt.Fprintf(w, "; the next ones: --cursor %s", next)
	}
	fmt.Fprintln(w)
}

// writeRow prints one experiment, its name in at least so many places.
func writeRow(w io.Writer, x store.Experiment, width int) {
	months := fmt.Sprintf("month %d of %d", x.Month, x.Months)
	if x.Month == x.Months {
		months = plural(x.Months, "month")
	}
	fmt.Fprintf(w, "%s  %s  %s %s, %d x %d runs of %s\n", leftWide(x.Name, width), x.CreatedAt.UTC().Format("2006-01-02 15:04"), leftWide(x.State, 11), months, len(x.Arms), x.Replications, plural(x.Households, "household"))
	question := x.Question
	if x.Captured != nil && x.Captured.Question != "" {
		question = x.Captured.Question
	}
	if question != "" {
		fmt.Fprintln(w, wrapWide(question, tableWidth, "    ", "    "))
	}
}

// showDocument is the JSON form of econ-mcp show.
type showDocument struct {
	Summary  analysis.Summary `json:"summary"`
	PlanHash string           `json:"plan_hash"`
	Plan     json.RawMessage  `json:"plan"`
	Answer   *answerDocument  `json:"answer"` // null of an experiment that was not made from a question
}

func newShow() *cobra.Command {
	data, lang, asJSON := "", "auto", false
	cmd := &cobra.Command{
		Use:   "show EXPERIMENT",
		Short: "Show what an experiment answers, or where it stands",
		Long: `Show the answer of an experiment that was made from a question, as econ-mcp ask printed it;
of another, its arms and how they differ.`,
		Example: "  econ-mcp show vat_up",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			language, err := languageOf(lang)
			if err != nil {
				return err
			}
			return withWorkshop(data, func(w *workshop) error { return w.show(cmd.OutOrStdout(), args[0], language, asJSON) })
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "auto", "language of the answer: en, zh, or auto, that of the question")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the summary, the plan, and the answer")
	dataFlag(cmd, &data)
	cmd.ValidArgsFunction = completeNames(&data, 1)
	return cmd
}

func (w *workshop) show(out io.Writer, name, language string, asJSON bool) error {
	x, err := w.store.Experiment(name)
	if err != nil {
		return err
	}
	r, planned := lab.RegistrationOf(x)
	asked := r.FromQuestion()
	if x.Month == 0 {
		e := fault.New(fault.InvalidState, "experiment_name", "%s is %s and has no month yet", name, x.State)
		e.Hint = "econ-mcp call resume_simulation experiment_name=" + name + " goes on with one that was interrupted"
		return e
	}
	if asJSON {
		return w.showJSON(out, x, asked, language)
	}
	if asked {
		a, err := w.lab.Answer(name, language, owner)
		if err != nil {
			return err
		}
		page{out, a.Language}.paragraph(a.Registration.Question)
		fmt.Fprintln(out)
		writeAnswer(out, a, nil)
		writeRobustness(out, a)
		return nil
	}
	writeRow(out, x, 0)
	if language == "" {
		language = analysis.English
	}
	if planned {
		p := page{out, language}
		p.registered(r)
		p.line(p.say("plan hash", "计划哈希"), lab.PlanHash(x.Plan))
	}
	if len(x.Arms) == 1 {
		s, err := w.lab.Summary(name)
		if err != nil {
			return err
		}
		writeFinals(out, s)
		return nil
	}
	c, err := w.lab.Compare([]string{name}, analysis.Choice{}, owner)
	if err != nil {
		return err
	}
	writeComparison(out, c, language)
	return nil
}

func (w *workshop) showJSON(out io.Writer, x store.Experiment, asked bool, language string) (err error) {
	doc := showDocument{PlanHash: lab.PlanHash(x.Plan), Plan: x.Plan}
	if doc.Summary, err = w.lab.Summary(x.Name); err != nil {
		return err
	}
	if asked {
		a, err := w.lab.Answer(x.Name, language, owner)
		if err != nil {
			return err
		}
		answer := newAnswerDocument(a, []string{}, 0)
		doc.Answer = &answer
	}
	return encodeJSON(out, doc, "  ")
}

// writeFinals prints the end of an experiment with one arm.
func writeFinals(w io.Writer, s analysis.Summary) {
	fmt.Fprintf(w, "\nAt the end of month %d, mean of %s:\n", s.Months, plural(s.Replications, "replication"))
	for _, row := range []struct {
		label, text string
	}{
		{"real GDP", large(float64(s.RealGDP))}, {"unemployment", percent(float64(s.UnemploymentRate), 2)}, {"inflation", percent(float64(s.Inflation), 2)},
		{"income Gini", signed(float64(s.Gini), 4)}, {"wealth Gini", signed(float64(s.WealthGini), 4)}, {"poverty", percent(float64(s.PovertyRate), 2)},
		{"saving rate", percent(float64(s.SavingsRate), 2)}, {"debt to GDP", percent(float64(s.DebtToGDP), 2)}, {"firms", signed(float64(s.Firms), 0)},
	} {
		fmt.Fprintf(w, "  %s%s\n", left(row.label, 16), right(row.text, 12))
	}
}

// writeComparison prints differences as econ-mcp ask does.
func writeComparison(w io.Writer, c analysis.Comparison, language string) {
	p := page{w, language}
	fmt.Fprintf(w, "\nMeans of months %d to %d over replications, compared with %s\n", c.From, c.To, c.Control)
	p.effects(c.Rows, c.Confidence, c.Method)
	for _, warning := range c.Warnings {
		p.line("note", warning)
	}
}

func newCompare() *cobra.Command {
	data, window, metrics, test, adjustment, confidence, asJSON := "", "", "", "", "", 0.0, false
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
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return oneExperiment(&cobra.Command{Use: "compare"}, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := comparisonChoice(metrics, window, confidence)
			if err != nil {
				return err
			}
			c.Test, c.Adjustment = analysis.Test(test), analysis.Adjustment(adjustment)
			return withWorkshop(data, func(w *workshop) error {
				comparison, err := w.lab.Compare(args, c, owner)
				if err != nil {
					return err
				}
				if asJSON {
					return encodeJSON(cmd.OutOrStdout(), comparison, "  ")
				}
				writeComparison(cmd.OutOrStdout(), comparison, analysis.English)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&metrics, "metrics", "", "indicators to compare, as `a,b,c` (default: the plan's, else the main ones)")
	cmd.Flags().StringVar(&window, "window", "", "months to compare, as `FROM:TO` (default: the plan's, else the second half)")
	cmd.Flags().StringVar(&test, "test", "", "`family` of tests: t, rank or permutation (default: the plan's, else t)")
	cmd.Flags().StringVar(&adjustment, "adjustment", "", "of planned p-values for their `number`: romano_wolf (the default), holm or benjamini_hochberg")
	cmd.Flags().Float64Var(&confidence, "confidence", lab.DefaultConfidence, "of the intervals")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as the tool compare_experiments answers")
	dataFlag(cmd, &data)
	cmd.ValidArgsFunction = completeNames(&data, 8)
	return cmd
}

func comparisonChoice(metrics, window string, confidence float64) (c analysis.Choice, err error) {
	c.Confidence = confidence
	if confidence == 0 {
		return c, fault.Range("--confidence", "0", "above 0 and below 1")
	}
	if metrics != "" {
		if c.Metrics, err = analysis.ParseMetrics(strings.Split(strings.ReplaceAll(metrics, " ", ""), ",")); err != nil {
			return c, err
		}
	}
	if window == "" {
		return c, nil
	}
	first, second, ok := strings.Cut(window, ":")
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(second)
	if !ok || err1 != nil || err2 != nil {
		return c, fault.Type("--window", window, "FROM:TO, such as 13:24")
	}
	return c.Over([]int{from, to})
}
