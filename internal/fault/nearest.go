package fault

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A name is plausible when a third of its letters or fewer differ, or when it
// holds at least half of what the words of the given name say.
const (
	plausibleSpelling = 1.0 / 3
	plausibleWords    = 0.5
	wordBonus         = 0.5
	farBehind         = 0.25 // a name this much worse than the best is not offered
)

// Nearest lists at most n of names that a caller who wrote name may have
// meant, best first. It ranks by Damerau-Levenshtein distance relative to the
// longer name, less a bonus for shared words, in which a rare word ("vat")
// counts for more than a frequent one ("rate").
func Nearest(name string, names []string, n int) []string {
	given := []rune(strings.ToLower(name))
	if len(given) == 0 || len(given) > 200 || n <= 0 {
		return nil
	}
	givenWords := words(name)
	weight := wordWeights(givenWords, names)

	type candidate struct {
		name  string
		score float64
	}
	var found []candidate
	for _, other := range names {
		letters := []rune(strings.ToLower(other))
		spelling := float64(distance(given, letters)) / float64(max(len(given), len(letters)))
		shared := sharedWords(givenWords, words(other), weight)
		if spelling <= plausibleSpelling || shared >= plausibleWords {
			found = append(found, candidate{other, spelling - float64(wordBonus*shared)})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.score, b.score) })

	var nearest []string
	for _, c := range found[:min(n, len(found))] {
		if c.score > found[0].score+farBehind {
			break
		}
		nearest = append(nearest, c.name)
	}
	return nearest
}

func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// wordWeights weighs each word by its rarity among names; a word that occurs
// nowhere weighs as much as one that occurs once.
func wordWeights(given, names []string) []float64 {
	count := make([]int, len(given))
	for _, name := range names {
		others := words(name)
		for i, word := range given {
			if slices.ContainsFunc(others, func(o string) bool { return sameWord(word, o) }) {
				count[i]++
			}
		}
	}
	weight := make([]float64, len(given))
	for i, c := range count {
		weight[i] = 1 / (1 + math.Log2(float64(max(1, c))))
	}
	return weight
}

// sharedWords is the weighted share of the given words that other holds.
func sharedWords(given, other []string, weight []float64) float64 {
	var shared, all float64
	for i, word := range given {
		all += weight[i]
		if slices.ContainsFunc(other, func(o string) bool { return sameWord(word, o) }) {
			shared += weight[i]
		}
	}
	if all == 0 {
		return 0
	}
	return shared / all
}

// sameWord forgives one slip in a longer word: labour is labor, but tax is not
// vat.
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	return min(len(a), len(b)) >= 4 && distance([]rune(a), []rune(b)) <= 1
}

// distance is the Damerau-Levenshtein distance in its optimal-string-alignment
// form: insertions, deletions, substitutions and swaps of neighbours count one.
func distance(a, b []rune) int {
	before := make([]int, len(b)+1)
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitution := above[j-1]
			if a[i-1] != b[j-1] {
				substitution++
			}
			row[j] = min(above[j]+1, row[j-1]+1, substitution)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
