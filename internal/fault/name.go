package fault

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// LongestName is how many characters a name may have.
const LongestName = 100

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

// device is what Windows takes for a device, whatever follows the first dot.
var device = regexp.MustCompile(`^(?i:con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)`)

// CheckNewName is [CheckName] and [CheckFileName]: people copy data folders and exports to
// other systems. What is there already keeps its name.
func CheckNewName(field, s string) error {
	if err := CheckName(field, s); err != nil {
		return err
	}
	return CheckFileName(field, s)
}

// CheckFileName refuses a name that no file or folder can have on some system.
func CheckFileName(field, s string) error {
	why, other := "", ""
	switch {
	case device.MatchString(s):
		why, other = "is a device on Windows, and no file there can have this name", ("my_" + s)[:min(len(s)+3, LongestName)]
	case strings.HasSuffix(s, "."):
		why, other = "ends with a dot, which no name of a file can on Windows", s
	default:
		return nil
	}
	other = strings.TrimRight(other, ".")
	e := New(WrongType, field, "%q %s", abbreviate(s), why).WithHint("choose another name, such as " + strconv.Quote(other))
	e.Allowed = []string{other}
	return e
}

// In says which argument an error is about, where it is an [*Error].
func In(field string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Field = field
	}
	return err
}
