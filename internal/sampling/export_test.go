package sampling

// SobolSequence is the sequence before it is scrambled, which other programs print, too.
func SobolSequence(n, d int) ([][]float64, error) {
	return sobol(n, d, func(_ int, x uint32) float64 { return float64(x) / (1 << 32) })
}
