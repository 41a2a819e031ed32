package sim

// nextConfidence is the common mood of households and firms: an autoregressive
// process that unemployment above its natural rate may depress.
func nextConfidence(x, persistence, innovation, feedback, unemployment, natural float64) float64 {
	return float64(persistence*x) + innovation - float64(feedback*(unemployment-natural))
}

// mood is the confidence that spending and investment follow.
func (e *Economy) mood() float64 { return e.m.Confidence + e.p.ConfidenceShift }

// moveConfidence draws the month's confidence; a confidence_shock falls in month 1.
func (e *Economy) moveConfidence() {
	p, m := &e.p, &e.m
	innovation := float64(p.ConfidenceVolatility * e.draws(forConfidence).normal(0, 0))
	if e.experimentMonth() == 1 {
		innovation += p.ConfidenceShock
	}
	m.Confidence = nextConfidence(m.Confidence, p.ConfidencePersistence, innovation, p.ConfidenceUnemploymentFeedback, m.Slack,
		p.NaturalUnemploymentRate)
}
