package store

import (
	"regexp"
	"slices"
	"testing"
)

// A state is live, ended or interrupted.
func TestEveryStateHasItsKind(t *testing.T) {
	check := regexp.MustCompile(`(?s)CHECK \(state IN\s+\((.*?)\)`).FindStringSubmatch(migrations[0])
	if check == nil {
		t.Fatal("the schema names no states")
	}
	var states []string
	for _, m := range regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(check[1], -1) {
		states = append(states, m[1])
	}
	known := slices.Concat(liveStates, endedStates, []string{"interrupted"})
	slices.Sort(states)
	slices.Sort(known)
	if !slices.Equal(states, known) {
		t.Errorf("the schema has the states %v, and the kinds are of %v", states, known)
	}
}
