package main

import (
	"log/slog"
	"path/filepath"

	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
)

// clusterFlags are those of the broker beside the server.
type clusterFlags struct {
	on                     bool
	addr, token, cert, key string
}

func (c *clusterFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&c.on, "cluster", false,
		"be the broker of sweeps too, for econ-mcp worker and econ-mcp sweep --on (programs built with -tags cluster)")
	f.StringVar(&c.addr, "cluster-addr", "127.0.0.1:4222", "address of the broker")
	f.StringVar(&c.token, "cluster-token-file", "", "`file` with the token that workers and submitters show")
	f.StringVar(&c.cert, "cluster-tls-cert", "", "`file` with the certificate of the broker (PEM)")
	f.StringVar(&c.key, "cluster-tls-key", "", "`file` with its key")
}

// check refuses flags of a broker where there is none, and a broker that cannot be.
func (c *clusterFlags) check(flags *pflag.FlagSet) error {
	names := []string{"cluster-addr", "cluster-token-file", "cluster-tls-cert", "cluster-tls-key"}
	if !c.on {
		for _, name := range names {
			if flags.Changed(name) {
				return fault.New(fault.WrongType, "--"+name, "--%s is for the broker", name).WithHint("add --cluster")
			}
		}
		return nil
	}
	if err := refuseEmpty(flags, names...); err != nil {
		return err
	}
	return c.checkBroker()
}

// start starts the broker, if there is to be one, and returns how to end it.
func (c *clusterFlags) start(data string, log *slog.Logger) (end func(), err error) {
	if !c.on {
		return func() {}, nil
	}
	return c.startBroker(filepath.Join(data, "cluster"), log)
}
