package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/sim"
)

// The blob of a record is a version, a bit for each field (set = the field is
// not zero) and the fields that are not zero as 64-bit words, little-endian. The
// fields and their order are a layout, which stands once in the database:
// records of a program whose sim.Record had other fields can be read by their
// names.
const recordVersion = 1

// fields are the names of the numbers in a sim.Record, in its order, such as
// "Month", "Values.nominal_gdp" or "Households.Income.Deciles.9".
var fields = fieldNames(reflect.TypeFor[sim.Record](), "")

func fieldNames(t reflect.Type, path string) []string {
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return []string{path}
	case reflect.Struct:
		var names []string
		for i := range t.NumField() {
			names = append(names, fieldNames(t.Field(i).Type, join(path, t.Field(i).Name))...)
		}
		return names
	case reflect.Array:
		var names []string
		for i := range t.Len() {
			name := strconv.Itoa(i)
			if path == "Values" {
				name = sim.Indicator(i).String()
			}
			names = append(names, fieldNames(t.Elem(), join(path, name))...)
		}
		return names
	}
	panic(fmt.Sprintf("store: a record holds a %s at %s, for which there is no encoding", t, path))
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// eachField calls f with the numbers of a record in the order of fields.
func eachField(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachField(v.Field(i), f)
		}
	case reflect.Array:
		for i := range v.Len() {
			eachField(v.Index(i), f)
		}
	default:
		f(v)
	}
}

// encodeRecord appends the blob of r to b.
func encodeRecord(b []byte, r *sim.Record) []byte {
	b = append(b, recordVersion)
	present := len(b)
	b = append(b, make([]byte, (len(fields)+7)/8)...)
	i := 0
	eachField(reflect.ValueOf(r).Elem(), func(v reflect.Value) {
		if word := wordOf(v); word != 0 {
			b[present+i/8] |= 1 << (i % 8)
			b = binary.LittleEndian.AppendUint64(b, word)
		}
		i++
	})
	return b
}

func wordOf(v reflect.Value) uint64 {
	if v.Kind() == reflect.Int {
		return uint64(v.Int())
	}
	return math.Float64bits(v.Float())
}

// decodeWords gives the n words of a blob.
func decodeWords(blob []byte, n int) ([]uint64, error) {
	if len(blob) == 0 || blob[0] != recordVersion {
		return nil, fmt.Errorf("a month is stored in an encoding that this program does not know; it reads version %d", recordVersion)
	}
	width := (n + 7) / 8
	if len(blob) < 1+width {
		return nil, fmt.Errorf("a stored month is %d bytes long, too few for %d fields", len(blob), n)
	}
	present, data := blob[1:1+width], blob[1+width:]
	count := 0
	for _, b := range present {
		count += bits.OnesCount8(b)
	}
	if len(data) != 8*count {
		return nil, fmt.Errorf("a stored month holds %d bytes where %d fields are marked", len(data), count)
	}
	words := make([]uint64, n)
	for i := range words {
		if present[i/8]&(1<<(i%8)) != 0 {
			words[i] = binary.LittleEndian.Uint64(data)
			data = data[8:]
		}
	}
	return words, nil
}

// layout says where the fields of a stored record go.
type layout struct {
	size  int   // fields of a stored record
	place []int // index in it of each of fields, -1 = it did not have that
}

func newLayout(stored string) layout {
	names := strings.Split(stored, "\n")
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
	}
	l := layout{size: len(names), place: make([]int, len(fields))}
	for i, name := range fields {
		if j, ok := at[name]; ok {
			l.place[i] = j
		} else {
			l.place[i] = -1
		}
	}
	return l
}

// has says whether a stored record has one of fields.
func (l layout) has(field string) bool { return l.place[slices.Index(fields, field)] >= 0 }

// decode gives the record of a blob. What the program that wrote it did not
// know is NaN, or 0 where it is a count.
func (l layout) decode(blob []byte) (sim.Record, error) {
	var r sim.Record
	words, err := decodeWords(blob, l.size)
	if err != nil {
		return r, err
	}
	i := 0
	eachField(reflect.ValueOf(&r).Elem(), func(v reflect.Value) {
		from := l.place[i]
		i++
		switch {
		case v.Kind() == reflect.Int && from >= 0:
			v.SetInt(int64(words[from]))
		case v.Kind() == reflect.Float64 && from >= 0:
			v.SetFloat(math.Float64frombits(words[from]))
		case v.Kind() == reflect.Float64:
			v.SetFloat(math.NaN())
		}
	})
	return r, nil
}

// difference names the first number in which a record differs from a blob of this layout,
// "" where they are equal. A number that only one of both programs knows is no difference.
func (l layout) difference(blob []byte, r *sim.Record) (field string, err error) {
	words, err := decodeWords(blob, l.size)
	if err != nil {
		return "", err
	}
	i := 0
	eachField(reflect.ValueOf(r).Elem(), func(v reflect.Value) {
		if from := l.place[i]; field == "" && from >= 0 && words[from] != wordOf(v) {
			field = fields[i]
		}
		i++
	})
	return field, nil
}
