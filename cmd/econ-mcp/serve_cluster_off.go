//go:build !cluster

package main

import (
	"log/slog"

	"econ-mcp/internal/fault"
)

// checkBroker says how to get a program that has a broker.
func (c *clusterFlags) checkBroker() error {
	return fault.New(fault.InvalidState, "--cluster", "this program was built without a broker").
		WithHint("build one that has it: go build -tags cluster -o econ-cluster ./cmd/econ-mcp; or start nats-server -js, which works the same")
}

func (c *clusterFlags) startBroker(string, *slog.Logger) (end func(), err error) {
	return nil, c.checkBroker()
}
