package fault

import (
	"errors"
	"regexp"
	"strconv"
)

// NamePattern is what names of presets, configs and experiments match.
const NamePattern = `^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`

var name = regexp.MustCompile(NamePattern)

// CheckName refuses what is no name of a preset, config or experiment: letters, digits,
// dots, dashes and underscores, at most 100, the first a letter or digit. Paths are none.
func CheckName(field, s string) error {
	if name.MatchString(s) {
		return nil
	}
	e := Type(field, strconv.Quote(abbreviate(s)), "name")
	e.Hint = "must match " + NamePattern
	e.Allowed = []string{NamePattern}
	return e
}

// In says which argument an error is about, where it is an [*Error].
func In(field string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Field = field
	}
	return err
}
