// Package inference judges experiments: the effect of one arm against another, families of
// hypotheses, windows, settling and verdicts. It returns values; internal/report says them.
//
// What a comparison may be said to show is decided in one place, [ComparisonRow.Judge], from
// p-values after adjustment for everything that was asked: see [Compare], [Planned] and
// [Verdict].
package inference
