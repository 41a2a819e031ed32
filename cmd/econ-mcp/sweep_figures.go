package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/figures"
	"econ-mcp/internal/term"
)

// figuresFolder holds the figures of a sweep, in its folder.
const figuresFolder = "figures"

// sweepFigures are the figures that were drawn.
type sweepFigures struct {
	Names []string `json:"names"`              // of files in the folder figures, each as svg, png and pdf
	Left  []string `json:"left_out,omitempty"` // quantities without figures, and why
}

// addLang declares the flag of figures.
func (o *sweepOptions) addLang(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.lang, "lang", report.English, "language of the figures: en or zh")
}

// drawSweep draws the figures that the design gets, and captions.md with what stands under them.
func (o *sweepOptions) drawSweep(ctx context.Context, p *sweep.Plan, r *sweep.Results, found []sweep.Sensitivity) (sweepFigures, error) {
	list, left := figures.Of(p, r, found, filepath.Base(absolute(o.out)), o.lang)
	names, err := writeFigures(ctx, "--out", filepath.Join(o.out, figuresFolder), list)
	return sweepFigures{names, left}, err
}

// writeFigures writes figures into a folder that a flag names, each in three formats, and captions.md with what stands under them.
func writeFigures(ctx context.Context, flag, folder string, list []plot.Captioned) (names []string, err error) {
	names = []string{}
	if len(list) == 0 {
		return names, nil
	}
	if err := prepareFolder(flag, folder); err != nil {
		return names, err
	}
	captions := ""
	for _, f := range list {
		for _, as := range []struct {
			ext    string
			encode func(plot.Figure) ([]byte, error)
		}{{".svg", plot.SVG}, {".png", plot.PNG}, {".pdf", plot.PDF}} {
			if err := ctx.Err(); err != nil {
				return names, err
			}
			data, err := as.encode(f.Figure)
			if err != nil {
				return names, err
			}
			if err := atomicfile.WriteFile(filepath.Join(folder, f.Name+as.ext), data, 0o644, true); err != nil {
				return names, err
			}
		}
		names = append(names, f.Name)
		captions += fmt.Sprintf("## %s\n\n%s\n\n", f.Name, f.Caption)
	}
	return names, atomicfile.WriteFile(filepath.Join(folder, "captions.md"), []byte(strings.TrimSpace(captions)+"\n"), 0o644, true)
}

// write lists the figures.
func (f sweepFigures) write(w io.Writer, folder string) {
	if len(f.Names) > 0 {
		fmt.Fprintf(w, "\nFigures in %s, as svg, png and pdf:\n", filepath.Join(folder, figuresFolder))
		for _, name := range f.Names {
			fmt.Fprintln(w, "  "+name)
		}
	}
	for _, left := range f.Left {
		fmt.Fprintln(w, term.Indented("no figures of "+left, "  "))
	}
}

// aloneColumns are those of the table of a factor that varied alone: where the outcome is lowest and highest, how far apart these are, and
// the elasticity. value writes the outcome, size a difference of it.
func aloneColumns(f sweep.FactorIndex, value, size func(float64) string) (heads, cells []string) {
	heads = []string{"lowest", "highest", "swing"}
	low, high := f.Curve[0], f.Curve[0]
	for _, c := range f.Curve {
		if c.Value < low.Value {
			low = c
		}
		if c.Value > high.Value {
			high = c
		}
	}
	for _, c := range []sweep.CurvePoint{low, high} {
		cells = append(cells, fmt.Sprintf("%s at %.4g", value(float64(c.Value)), c.At))
	}
	swing := report.Absent
	if f.Swing != nil {
		swing = size(float64(f.Swing.Value))
		if l, h := size(float64(f.Swing.Low)), size(float64(f.Swing.High)); l != report.Absent {
			swing += " (" + l + " to " + h + ")"
		}
	}
	cells = append(cells, swing)
	heads, elasticity := append(heads, "elasticity"), report.Absent
	if f.Elasticity != nil {
		elasticity = report.FormatNumber(float64(*f.Elasticity), 3)
	}
	return heads, append(cells, elasticity)
}
