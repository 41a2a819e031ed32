package inference

import (
	"cmp"
	"fmt"
	"slices"
)

// Note is a caution about a result: its kind, and what it is about. Its words are those of
// [report.NoteText].
type Note struct {
	Kind NoteKind
	Args []any // as the constants say
}

// NoteKind is what a [Note] cautions about.
type NoteKind int

// The kinds, with their arguments.
const (
	OneReplication           NoteKind = iota
	FewReplications                   // replications a side
	BurntInApart                      // arm, parameters
	GroupsBurntInApart                // arm
	LastArmCompared                   // experiment, arm
	UnlikeModel                       // two experiments, what each has
	UnlikeHouseholds                  // the same
	UnlikeMonths                      // the same
	NotPaired                         // arm, control
	WithoutPartner                    // replications
	SharedSeeds                       // replications, arm, control
	PlannedWindowAhead                // first and last month
	PlanUnfinished                    // none
	UnequalReplications               // none
	TooFewToRearrange                 // replications
	DynamicsLeftOut                   // rows
	InnovationNotKept                 // none
	InnovationPartlyObserved          // months observed, months
	GroupsNotFollowed                 // none
	HeirsFollow                       // none
	NotAllSimulated                   // months simulated, months planned
	SteadyUnclear                     // none
	StillDrifting                     // none
	StillWarmingUp                    // []sim.Indicator
	Wanders                           // []sim.Indicator
	NumNotes
)

// sorted orders notes by kind and leaves out repetitions.
func sorted(notes []Note) []Note {
	order := func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(fmt.Sprint(a.Args...), fmt.Sprint(b.Args...)))
	}
	slices.SortFunc(notes, order)
	return slices.CompactFunc(notes, func(a, b Note) bool { return order(a, b) == 0 })
}
