// Package access says who calls, and what of others a caller may change.
package access

import (
	"log/slog"

	"econ-mcp/internal/fault"
)

// Role is what a principal may do. The zero value may do nothing that changes anything.
type Role string

// The roles. Everybody reads everything.
const (
	ReadOnly Role = "read-only" // changes nothing
	Full     Role = "full"      // changes what is its own, and what others share
	Admin    Role = "admin"     // changes what is anybody's
)

// Roles are all of them.
var Roles = []Role{ReadOnly, Full, Admin}

// Caller is who calls.
type Caller struct {
	Principal string // "" = who runs the program
	Role      Role
}

// MayWrite says whether the caller may change anything at all.
func (c Caller) MayWrite() bool { return c.Role == Full || c.Role == Admin }

// Operator is who runs the program: at a shell, on stdin, or over HTTP without tokens.
func Operator() Caller { return Caller{Role: Admin} }

// Owner is whose something is.
type Owner struct {
	Principal string // "" = who runs the program
	Shared    bool   // others that may write may change it, too, but not delete it
}

// Thing is what belongs to a principal.
type Thing struct {
	Kind, Name string // such as experiment and vat_up
	Field      string // argument that names it
	Owner
}

// What is shared allows these acts to its owner alone.
const (
	Share  = "share"  // say whether others may change it
	Delete = "delete" // remove it for good
)

// Can says whether the caller may do an act, such as "stop", to what is an owner's.
func (c Caller) Can(act string, o Owner) bool {
	own, shared := c.Principal == o.Principal, o.Shared && act != Share && act != Delete
	return c.Role == Admin || c.Role == Full && (own || shared)
}

// May refuses an act, such as "stop", on a thing that is another's and not shared, unless the
// caller is an admin: the error is [fault.Forbidden] and says whose it is. What a principal
// does or tries is logged, and so is what the operator does to what is another's.
func (c Caller) May(act string, t Thing) error {
	own, allowed := c.Principal == t.Principal, c.Can(act, t.Owner)
	if c.Principal != "" || !own {
		log, message := slog.Info, "allowed"
		if !allowed {
			log, message = slog.Warn, "forbidden"
		}
		log(message, "act", act, t.Kind, t.Name, "owner", Name(t.Principal), "by", Name(c.Principal), "role", c.Role)
	}
	if allowed {
		return nil
	}
	e := fault.New(fault.Forbidden, t.Field, "%s %q belongs to %s, and %s may not %s it", t.Kind, t.Name, Name(t.Principal),
		Name(c.Principal), act)
	switch {
	case own:
		e.Hint = "use a token of the role full"
	case act == Share || act == Delete:
		e.Hint = "ask " + Name(t.Principal) + " to do it; a token of the role admin may, too"
	default:
		e.Hint = "ask " + Name(t.Principal) + " to share it (shared=true), or work on a copy of your own; a token of the role admin may, too"
	}
	return e
}

// Name is a principal for people.
func Name(principal string) string {
	if principal == "" {
		return "the operator"
	}
	return principal
}
