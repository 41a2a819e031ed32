package inference

import (
	"cmp"
	"fmt"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
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
	ConditionNeverMet                 // arm, what its intervention does, condition
	ConditionMetInSome                // arm, what its intervention does, condition, replications in which it began, all
	ImplausibleEconomy                // arm, replications in which it was found, all, sim.Implausible
	LastArmCompared                   // experiment, arm
	UnlikeModel                       // two experiments, what each has
	UnlikeHouseholds                  // the same
	UnlikeMonths                      // the same
	NotPaired                         // arm, control
	WithoutPartner                    // replications
	SharedSeeds                       // replications, arm, control
	PlannedWindowAhead                // first and last month
	PlanUnfinished                    // none
	PlanAfterLook                     // Look
	PlanAmended                       // Amendment
	MarginsWide                       // []sim.Indicator
	FewAndSkewed                      // []sim.Indicator, replications that would do
	DifferencesRare                   // Rare, pairs that differ, all pairs, the share of economies that differ
	TwoGroupsFound                    // TwoGroups
	UnequalReplications               // none
	TooFewToRearrange                 // replications
	DynamicsLeftOut                   // rows
	InnovationNotKept                 // none
	InnovationPartlyObserved          // months observed, months
	GroupsNotFollowed                 // none
	HeirsFollow                       // none
	NotRecorded                       // identifier of an indicator
	NotAllSimulated                   // months simulated, months planned
	SteadyUnclear                     // none
	StillDrifting                     // none
	StillWarmingUp                    // []sim.Indicator
	Wanders                           // []sim.Indicator
	NumNotes
)

// Rare are outcomes of an arm over a window in which few replications differ.
type Rare struct {
	Arm string
	Window
	Indicators []sim.Indicator
}

// TwoGroups are the two groups of pairs of a row.
type TwoGroups struct {
	Row ComparisonRow
	stats.Groups
}

// conditionNotes say of an arm which of its rules and conditions never came into force, or not in all
// replications: the mean over all of them is then no effect of what was to be done.
func conditionNotes(arm *tables.StudyArm) (notes []Note) {
	for k, v := range arm.Interventions {
		if v.When == "" || v.Cancelled || len(arm.Began) == 0 {
			continue
		}
		on := 0
		for _, months := range arm.Began {
			if k < len(months) && months[k] > 0 {
				on++
			}
		}
		args := []any{arm.Name, v.What(), sim.ConditionInPercent(v.When)}
		switch {
		case on == 0:
			notes = append(notes, Note{ConditionNeverMet, args})
		case on < len(arm.Began):
			notes = append(notes, Note{ConditionMetInSome, append(args, on, len(arm.Began))})
		}
	}
	return notes
}

// ImplausibleNotes caution against an arm whose economies are implausible, by what was found in each of its
// replications: a note a kind, with the earliest month and the worst value.
func ImplausibleNotes(arm string, replications [][]sim.Implausible) (notes []Note) {
	for kind := range sim.NumImplausibleKinds {
		var worst sim.Implausible
		in := 0
		for _, found := range replications {
			for _, f := range found {
				if f.Kind != kind {
					continue
				}
				if in++; in == 1 {
					worst = f
				}
				worst = worst.Worse(f)
			}
		}
		if in > 0 {
			notes = append(notes, Note{ImplausibleEconomy, []any{arm, in, len(replications), worst}})
		}
	}
	return notes
}

// sorted orders notes by kind and leaves out repetitions.
func sorted(notes []Note) []Note {
	order := func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(fmt.Sprint(a.Args...), fmt.Sprint(b.Args...)))
	}
	slices.SortFunc(notes, order)
	return slices.CompactFunc(notes, func(a, b Note) bool { return order(a, b) == 0 })
}
