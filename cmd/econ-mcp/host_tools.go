package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/host"
	"econ-mcp/internal/term"
)

// hostToolsDocument is the JSON form of econ-mcp host tools and refresh.
type hostToolsDocument struct {
	Count    int           `json:"count"`
	Tools    []host.Tool   `json:"tools"`
	Failures []*host.Error `json:"failures"`
	Changes  []host.Change `json:"changes"`
}

func newHostToolsDocument(found host.Found) hostToolsDocument {
	return hostToolsDocument{len(found.Tools), found.Tools, found.Failures, found.Changes}
}

func newHostTools() *cobra.Command {
	var o hostOptions
	refresh := false
	cmd := &cobra.Command{
		Use:   "tools [TOOL]",
		Short: "List the tools of all servers, or show one with its schemas",
		Long: `Lists the tools of all servers. What they list is kept for as long as they say, or an
hour, and comes from there without connecting; --refresh asks again. With a name, or
SERVER.TOOL, prints that tool as JSON: description, hints, and schemas.`,
		Args: atMostOne("TOOL", "tool"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.with(cmd, nil, func(ctx context.Context, d *hostSession) error {
				found, err := d.discover(ctx, refresh, cmd.ErrOrStderr())
				if err != nil {
					return err
				}
				if len(args) == 1 {
					tool, err := d.router.Find(args[0], "")
					if err != nil {
						return err
					}
					return encodeJSON(cmd.OutOrStdout(), tool, "  ")
				}
				return printed(cmd, newHostToolsDocument(found), func(out io.Writer) { writeHostTools(out, found.Tools) })
			})
		},
	}
	o.define(cmd)
	cmd.Flags().BoolVar(&refresh, "refresh", false, "ask all servers again")
	return cmd
}

func writeHostTools(out io.Writer, tools []host.Tool) {
	server := ""
	for _, t := range tools {
		if t.Server != server {
			server = t.Server
			fmt.Fprintf(out, "%s\n", term.Printable(server))
		}
		about, _, _ := strings.Cut(cmp.Or(t.Title, t.Description), "\n")
		fmt.Fprintf(out, "  %-32s %s\n", term.Printable(t.Name), term.Printable(shortened(about, 80)))
		if t.Problem != "" {
			fmt.Fprintf(out, "  %-32s ! %s\n", "", term.Printable(t.Problem))
		}
	}
}

// shortened cuts a text to at most so many characters.
func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
