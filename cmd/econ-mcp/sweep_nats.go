package main

import (
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/cluster"
)

// brokerFlags say what to show a broker.
type brokerFlags struct{ token, ca string }

func (b *brokerFlags) add(f *pflag.FlagSet) {
	f.StringVar(&b.token, "token-file", "", "`file` with the token of the broker, which goes to other machines encrypted only")
	f.StringVar(&b.ca, "tls-ca", "", "`file` of certificates (PEM) that sign for the broker (default: those that the system trusts)")
}

// address is a broker's, checked; flag is what named it.
func (b *brokerFlags) address(flags *pflag.FlagSet, flag, url string) (cluster.Address, error) {
	if err := refuseEmpty(flags, "token-file", "tls-ca"); err != nil {
		return cluster.Address{}, err
	}
	a := cluster.Address{URL: url, TokenFile: b.token, CAFile: b.ca}.As(flag)
	return a, a.Check()
}

// checkBroker refuses an address that cannot be a broker's, where the sweep is given to one.
func (o *sweepOptions) checkBroker(f *pflag.FlagSet) error {
	if o.on == "" || o.on == onSlurm || o.on == onKubernetes {
		return nil
	}
	_, err := o.broker.address(f, "--on", o.on)
	return err
}

// onNATS has workers simulate what is not known.
func (o *sweepOptions) onNATS(cmd *cobra.Command, p *sweep.Plan, progress func(done, of int)) error {
	address, err := o.broker.address(cmd.Flags(), "--on", o.on)
	if err != nil {
		return err
	}
	recorded, err := cluster.Submit{
		Plan: p, Folder: o.runs, Broker: address, Log: slog.Default(), Progress: progress,
	}.Run(cmd.Context())
	if err != nil && cmd.Context().Err() != nil {
		return &fault.Error{
			Kind: codeInterrupted, Message: "interrupted, with " + report.FormatNumber(float64(recorded), 0) + " economies recorded",
			Hint: "workers go on with the tasks that they have: the same command records what they find",
		}
	}
	return err
}
