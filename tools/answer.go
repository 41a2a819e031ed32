package tools

import (
	"encoding/json"
	"reflect"
)

// withoutNil replaces lists and maps that are nil by empty ones, in place: a schema that
// says array or object does not allow null. It says whether anything changed.
func withoutNil(v reflect.Value) (changed bool) {
	switch v.Kind() {
	case reflect.Slice:
		switch {
		case v.Type() == reflect.TypeFor[json.RawMessage]():
			if v.IsNil() {
				v.SetBytes([]byte("{}"))
				return true
			}
			return false
		case v.IsNil():
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			return true
		}
		if mayHoldNil(v.Type().Elem()) {
			for i := range v.Len() {
				changed = withoutNil(v.Index(i)) || changed
			}
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
			return true
		}
		if mayHoldNil(v.Type().Elem()) {
			for _, key := range v.MapKeys() { // elements of a map cannot be changed in place
				element := reflect.New(v.Type().Elem()).Elem()
				element.Set(v.MapIndex(key))
				if withoutNil(element) {
					v.SetMapIndex(key, element)
					changed = true
				}
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return withoutNil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() || v.Type().Field(i).Anonymous && field.Kind() == reflect.Struct {
				changed = withoutNil(field) || changed
			}
		}
	}
	return changed
}

// mayHoldNil spares long lists of numbers a walk.
func mayHoldNil(t reflect.Type) bool {
	return t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer || t.Kind() == reflect.Struct
}
