package term

import (
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"fmt"
	"io"
	"math"
	"strings"
)

// Groups prints the table of a grouping: means over the window and, against a control, the
// differences that the treatment makes.
func Groups(w io.Writer, table inference.GroupTable, result *lab.Result) {
	fmt.Fprintf(w, "\nBy %s, mean of months %d to %d", table.Grouping, result.From, result.To)
	compared := len(result.Arms) > 1
	if compared {
		fmt.Fprintf(w, ": control, and difference of the treatment (* = its %s interval excludes 0)", confidenceText(result))
	}
	fmt.Fprintln(w)
	grouping, _ := tables.GroupingByName(table.Grouping)
	for _, metric := range grouping.Metrics {
		fmt.Fprintf(w, "\n  %s [%s]\n", metric.Name, metric.Unit)
		for _, row := range table.Metrics[metric.Name] {
			line := "    " + Left(row.Group, 44) + Right(groupNumber(row.Control), 12)
			if compared {
				mark := " "
				if row.CILow > 0 || row.CIHigh < 0 {
					mark = "*"
				}
				line += Right(withSign(row.Difference), 14) + " " + mark
				if !math.IsNaN(float64(row.CILow)) {
					line += "  " + withSign(row.CILow) + " to " + withSign(row.CIHigh)
				}
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// groupNumber writes four significant digits.
func groupNumber(number stats.Number) string {
	x := float64(number)
	if math.IsNaN(x) {
		return report.Absent
	}
	if math.Abs(x) >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

func withSign(x stats.Number) string {
	s := groupNumber(x)
	if x > 0 {
		s = "+" + s
	}
	return strings.Replace(s, "-", "−", 1)
}
