//go:build cluster

package main

import (
	"log/slog"

	"econ-mcp/internal/sweep/broker"
)

func (c *clusterFlags) config(folder string, log *slog.Logger) broker.Config {
	return broker.Config{Addr: c.addr, Folder: folder, TokenFile: c.token, CertFile: c.cert, KeyFile: c.key, Log: log}
}

func (c *clusterFlags) checkBroker() error { return c.config("", nil).Check() }

func (c *clusterFlags) startBroker(folder string, log *slog.Logger) (end func(), err error) {
	b, err := broker.Start(c.config(folder, log))
	if err != nil {
		return nil, err
	}
	return func() {
		if err := b.Close(); err != nil {
			log.Error("the broker did not end well", "error", err)
		}
	}, nil
}
