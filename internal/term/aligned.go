package term

import "strings"

// Aligned are the lines of a table without a frame, two blanks between its columns: the first to the left, the others as rest has them,
// which is [Left] or [Right]. Rows may end early.
func Aligned(rows [][]string, rest func(s string, width int) string) []string {
	var widths []int
	for _, row := range rows {
		for k, cell := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], Width(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for k, cell := range row {
			if k == 0 {
				lines[i] = Left(cell, widths[k])
			} else {
				lines[i] += "  " + rest(cell, widths[k])
			}
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
