package mcpserver

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics shows.
type metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics(running, sessions func() int, connections func() (open, madeRoom, refused int)) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "econ_mcp_tool_calls_total", Help: "Calls of tools; code is ok, that of the error, interrupted, or unfinished (the client is " +
				"asked first).",
		}, []string{"tool", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "econ_mcp_tool_call_seconds", Help: "How long calls of tools took.",
			Buckets: []float64{.0001, .0005, .001, .005, .025, .1, .5, 2.5, 10, 60},
		}, []string{"tool"}),
	}
	gauge := func(name, help string, value func() int) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value()) }))
	}
	gauge("econ_mcp_sessions", "Clients with a session.", sessions)
	gauge("econ_mcp_connections", "Connections over HTTP.", func() int { open, _, _ := connections(); return open })
	closed := func(why string, value func() int) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "econ_mcp_connections_closed_total", ConstLabels: prometheus.Labels{"why": why},
			Help: "Connections that were closed because there were too many: made_room (one without a token, for another) or refused.",
		}, func() float64 { return float64(value()) }))
	}
	closed("made_room", func() int { _, madeRoom, _ := connections(); return madeRoom })
	closed("refused", func() int { _, _, refused := connections(); return refused })
	if running != nil {
		gauge("econ_mcp_running_simulations", "Simulations that run.", running)
	}
	m.registry.MustRegister(m.calls, m.seconds, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// storage shows what principals have stored, as it is when somebody looks.
type storage struct {
	stored func() map[string]int64
	limit  int64 // 0 = none
}

var (
	storedBytes = prometheus.NewDesc("econ_mcp_stored_bytes", "What a principal has stored and reserved; without a name it is the operator.",
		[]string{"principal"}, nil)
	storedBytesLimit = prometheus.NewDesc("econ_mcp_stored_bytes_limit", "What one principal may store; 0 is no limit.", nil, nil)
)

// Describe implements [prometheus.Collector].
func (s storage) Describe(all chan<- *prometheus.Desc) { all <- storedBytes; all <- storedBytesLimit }

// Collect implements [prometheus.Collector].
func (s storage) Collect(all chan<- prometheus.Metric) {
	all <- prometheus.MustNewConstMetric(storedBytesLimit, prometheus.GaugeValue, float64(s.limit))
	for principal, bytes := range s.stored() {
		all <- prometheus.MustNewConstMetric(storedBytes, prometheus.GaugeValue, float64(bytes), principal)
	}
}

// show has a tool be seen before its first call.
func (m *metrics) show(tool string) {
	m.calls.WithLabelValues(tool, "ok")
	m.seconds.WithLabelValues(tool)
}

// observe counts a call.
func (m *metrics) observe(tool, code string, took time.Duration) {
	m.calls.WithLabelValues(tool, code).Inc()
	m.seconds.WithLabelValues(tool).Observe(took.Seconds())
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
