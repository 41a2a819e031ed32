package sim

import "strconv"

// Append appends the parameter's value in p to a text, in its canonical form: of a number the shortest decimal that reads back as the same.
func (row *Parameter) Append(text []byte, p *Params) []byte {
	switch f := row.field(p).(type) {
	case *float64:
		return strconv.AppendFloat(text, *f, 'g', -1, 64)
	case *int:
		return strconv.AppendInt(text, int64(*f), 10)
	case *bool:
		return strconv.AppendBool(text, *f)
	case *string:
		return append(text, *f...)
	case *RateTable:
		return append(text, *f...)
	}
	panic("sim: field of " + row.Name + " has a type that the catalogue does not know")
}

// Same says whether the parameter has the same value in both. As with any number, one that is not a number is no other's same.
func (row *Parameter) Same(a, b *Params) bool {
	switch f := row.field(a).(type) {
	case *float64:
		return *f == *row.field(b).(*float64)
	case *int:
		return *f == *row.field(b).(*int)
	case *bool:
		return *f == *row.field(b).(*bool)
	case *string:
		return *f == *row.field(b).(*string)
	case *RateTable:
		return *f == *row.field(b).(*RateTable)
	}
	panic("sim: field of " + row.Name + " has a type that the catalogue does not know")
}

// Copy gives the parameter the value that it has in from.
func (row *Parameter) Copy(to, from *Params) {
	switch f := row.field(to).(type) {
	case *float64:
		*f = *row.field(from).(*float64)
	case *int:
		*f = *row.field(from).(*int)
	case *bool:
		*f = *row.field(from).(*bool)
	case *string:
		*f = *row.field(from).(*string)
	case *RateTable:
		*f = *row.field(from).(*RateTable)
	default:
		panic("sim: field of " + row.Name + " has a type that the catalogue does not know")
	}
}
