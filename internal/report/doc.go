// Package report says what an experiment shows, in English and Chinese: answers, conclusions,
// warnings, tables, figures and whole reports. It computes no effect and decides no verdict:
// those are values of internal/inference.
package report
