package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Compare holds the months of a run that are on record against those of the same run
// simulated again, from month 1, and returns the first in which they differ and the name
// of the number that does: of the record, to the bit, or of the columns beside it, from
// which series are read. Month 0 means that all are equal. A month that only one of both
// has differs in "Month". What the program that wrote a record did not have, or this one
// does not, is not compared. The replication counts from 1. Months that are not written yet
// are not compared.
func (s *Store) Compare(ctx context.Context, name, arm string, replication int, records []sim.Record) (month int, field string, err error) {
	columns := sim.IndicatorNames()
	err = s.read(ctx, func(tx querier) error {
		id, replications, err := armID(tx, name, arm)
		if err != nil {
			return err
		}
		if replication < 1 || replication > replications {
			return fault.Range("replication", strconv.Itoa(replication), fmt.Sprintf("1 to %d", replications))
		}
		var number, written int64
		var blob sql.RawBytes
		values := make([]sql.NullFloat64, len(columns))
		row := []any{&number, &written, &blob}
		for i := range values {
			row = append(row, &values[i])
		}
		next := 0
		err = each(tx, "SELECT month, layout, record, "+strings.Join(columns, ", ")+
			" FROM monthly WHERE run = (SELECT id FROM run WHERE arm = ? AND replication = ?) ORDER BY month",
			[]any{id, replication}, func(scan func(...any) error) error {
				if err := scan(row...); err != nil || month > 0 {
					return err
				}
				if next == len(records) || number != int64(records[next].Month) {
					month, field = int(number), "Month"
					return nil
				}
				r := &records[next]
				next++
				l, err := s.layoutOf(tx, written)
				if err != nil {
					return err
				}
				if field, err = l.difference(blob, r); err != nil {
					return err
				}
				for i, v := range values {
					x := r.Values[i] // what is not defined is NaN here and NULL there
					if field == "" && (v.Valid && v.Float64 != x || v.Valid == math.IsNaN(x)) && l.has("Values."+columns[i]) {
						field = columns[i]
					}
				}
				if field != "" {
					month = r.Month
				}
				return nil
			})
		if err == nil && month == 0 && next < len(records) {
			month, field = records[next].Month, "Month"
		}
		return err
	})
	return month, field, err
}
