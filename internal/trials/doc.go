// Package trials is what we measure about ourselves: the stylised facts that an economy is held
// against (docs/MODEL.md, docs/VALIDATION.md), what each parameter does (docs/LEVERS.md), what
// comparisons find where there is nothing, and what innovations do to market shares.
package trials
