// Package analysis says what simulations mean: the effect of one arm against
// another, and the stylised facts that an economy is held against (docs/MODEL.md,
// docs/VALIDATION.md). Formulas are pure functions of series; only
// [FactsCollector] looks at an economy.
//
// What a comparison may be said to show is decided in one place, verdict.go, from
// p-values after adjustment for everything that was asked: see [Compare], [Planned] and
// [Verdict].
package analysis
