package main

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// writeCSV writes a row a month; with several runs, all rows of one run after
// those of another, with the arm's name and the number of the replication. An
// absent number is an empty cell.
func writeCSV(w io.Writer, result *lab.Result) error {
	several := len(result.Arms) > 1 || len(result.Arms[0].Replications) > 1
	out := csv.NewWriter(w)
	var row []string
	if several {
		row = append(row, "arm", "replication")
	}
	row = append(append(row, "month"), sim.IndicatorNames()...)
	out.Write(row) // an error is that of the end
	for _, arm := range result.Arms {
		for r := range arm.Replications {
			for m, month := range result.Months {
				row = row[:0]
				if several {
					row = append(row, arm.Name, strconv.Itoa(r+1))
				}
				row = append(row, strconv.Itoa(month))
				for i := range sim.NumIndicators {
					row = append(row, csvNumber(arm.Replications[r].Series[i][m]))
				}
				out.Write(row)
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
