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

func newMetrics(running, sessions func() int) *metrics {
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
	if running != nil {
		gauge("econ_mcp_running_simulations", "Simulations that run.", running)
	}
	m.registry.MustRegister(m.calls, m.seconds, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observer counts the calls of one tool.
func (m *metrics) observer(tool string) func(code string, took time.Duration) {
	ok, seconds := m.calls.WithLabelValues(tool, "ok"), m.seconds.WithLabelValues(tool)
	return func(code string, took time.Duration) {
		seconds.Observe(took.Seconds())
		if code == "ok" {
			ok.Inc()
			return
		}
		m.calls.WithLabelValues(tool, code).Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
