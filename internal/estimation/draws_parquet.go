package estimation

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"econ-mcp/internal/fault"
)

// drawsKey is the metadata of a Parquet file that holds what the first line of a CSV file does.
const drawsKey = "econ-mcp"

// IsParquet says whether a file of that name is written as Parquet.
func IsParquet(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".parquet") }

// isParquet says whether a file is one.
func isParquet(data []byte) bool { return bytes.HasPrefix(data, []byte("PAR1")) }

// WriteParquet writes the draws, a column a parameter, with metadata that say what they are of.
func (r *Posterior) WriteParquet(w io.Writer) error {
	var fields []reflect.StructField // of a row: a group of columns by name would lose their order
	for k, p := range r.names {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("P%d", k), Type: reflect.TypeFor[float64](), Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", p.Name)),
		})
	}
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Elem().Interface())
	out := parquet.NewWriter(w, schema, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("econ-mcp", "", ""),
		parquet.KeyValueMetadata(drawsKey, r.drawsHead()))
	for _, draw := range r.Draws {
		row := make(parquet.Row, len(draw))
		for k, x := range draw {
			row[k] = parquet.DoubleValue(x).Level(0, 0, k)
		}
		if _, err := out.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return out.Close()
}

func readParquet(field string, data []byte) (*Draws, error) {
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fault.New(fault.WrongType, field, "the Parquet file cannot be read: it is incomplete or broken").WithDetail("%v", err).
			WithHint("take a file that econ-mcp estimate posterior --draws wrote")
	}
	head, _ := file.Lookup(drawsKey)
	d, err := newDraws(field, head)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Type().Kind() != parquet.Double || c.Optional() || c.Repeated() {
			return nil, fault.New(fault.WrongType, field, "column %s holds no plain numbers", c.Name()).
				WithHint("take a file that econ-mcp estimate posterior --draws wrote")
		}
		names = append(names, c.Name())
	}
	if err := d.columns(field, names); err != nil {
		return nil, err
	}
	for _, group := range file.RowGroups() {
		if err := d.read(field, group); err != nil {
			return nil, err
		}
	}
	return d, d.check(field)
}

// read adds the draws of a group of rows.
func (d *Draws) read(field string, group parquet.RowGroup) error {
	rows := group.Rows()
	defer rows.Close()
	batch := make([]parquet.Row, 64)
	for {
		n, err := rows.ReadRows(batch)
		for _, row := range batch[:n] {
			values := make([]float64, len(row))
			for k, x := range row {
				values[k] = x.Double()
			}
			if err := d.add(fmt.Sprintf("draw %d", len(d.Values)+1), values); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault.New(fault.WrongType, field, "the Parquet file cannot be read: it is incomplete or broken").WithDetail("%v", err)
		}
	}
}
