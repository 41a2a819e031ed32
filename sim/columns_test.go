package sim

import (
	"reflect"
	"testing"
)

// The table of columns has every slice of households and firms, under its name, once.
func TestColumnsAreComplete(t *testing.T) {
	p := thousand()
	p.EnableDemography = true
	e := mustNew(t, p, 1)
	places := map[uintptr]string{}
	for _, c := range e.columns() {
		place := reflect.ValueOf(c.at).Pointer()
		if other, ok := places[place]; ok {
			t.Errorf("%s and %s are one column", other, c.name)
		}
		places[place] = c.name
		if made := reflect.ValueOf(c.at).Elem().Len(); c.kind != laterColumn && c.name != "launched" && made != c.rows {
			t.Errorf("%s has %d rows, the table says %d", c.name, made, c.rows)
		}
	}
	for group, columns := range map[string]reflect.Value{"households": reflect.ValueOf(&e.h).Elem(), "firms": reflect.ValueOf(&e.f).Elem()} {
		for k := range columns.NumField() {
			want := group + "." + columns.Type().Field(k).Name
			if name := places[columns.Field(k).Addr().Pointer()]; name != want {
				t.Errorf("the table has %s as %q", want, name)
			}
		}
	}
}
