package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/host"
	"econ-mcp/internal/term"
)

// serversDocument is the JSON form of econ-mcp host servers.
type serversDocument struct {
	Config  string         `json:"config"` // "" = there is none
	Servers []serverStatus `json:"servers"`
}

type serverStatus struct {
	host.Status
	Active bool `json:"active"`
}

func newHostServers() *cobra.Command {
	var o hostOptions
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "Connect to all servers and say how they are",
		Long: `Connects to every active server of the configuration, side by side, and prints its
transport, the version of the protocol that was agreed on, and what it calls itself; or
why it cannot be reached. The exit code is 0 all the same: the list is the answer.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.with(cmd, nil, func(ctx context.Context, d *hostSession) error {
				var group errgroup.Group
				group.SetLimit(16)
				for _, id := range d.hub.IDs() {
					group.Go(func() error {
						_ = d.hub.Connect(ctx, id) // the status has the error
						return nil
					})
				}
				_ = group.Wait() // none returns an error
				doc := serversDocument{Config: d.path, Servers: statuses(d)}
				return printed(cmd, doc, doc.write)
			})
		},
	}
	o.define(cmd)
	return cmd
}

// statuses are those of all servers, those that are switched off among them.
func statuses(d *hostSession) (list []serverStatus) {
	active := map[string]host.Status{}
	for _, s := range d.hub.Servers() {
		active[s.Server] = s
	}
	for _, s := range d.config.Servers {
		status, ok := active[s.ID]
		if !ok {
			status = host.Status{Server: s.ID, Transport: s.Transport}
		}
		list = append(list, serverStatus{status, ok})
	}
	return list
}

func (doc serversDocument) write(out io.Writer) {
	if doc.Config == "" {
		fmt.Fprintln(out, "No configuration: only the built-in server. --config names a file of servers.")
	}
	for _, s := range doc.Servers {
		how := "switched off"
		switch {
		case s.Connected:
			how = fmt.Sprintf("connected, protocol %s, %s", s.Protocol, s.Name)
		case s.Error != nil:
			how = s.Error.Error()
		}
		fmt.Fprintf(out, "%-16s %-6s %s\n", term.Printable(s.Server), s.Transport, term.Printable(how))
	}
}
