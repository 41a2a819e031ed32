package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/run"
)

// accountsDocument is the JSON form of econ-mcp accounts.
type accountsDocument struct {
	Accounts []accountDocument `json:"accounts"`
}

type accountDocument struct {
	Principal string            `json:"principal"` // "" = the operator
	Bytes     int64             `json:"bytes"`
	Holdings  []holdingDocument `json:"holdings"`
}

type holdingDocument struct {
	Kind  string `json:"kind"`
	Items int    `json:"items"`
	Bytes int64  `json:"bytes"`
}

func newAccounts() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accounts",
		Short: "List what each principal has stored",
		Long: `List what each principal has stored, in bytes of the disk: what the limits of econ-mcp serve
are about. An experiment that has not ended counts with what it may come to store at most.
econ-mcp delete makes room.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withReader(cmd, app.Options{}, func(a *app.App) error {
				list, err := a.Store.Accounts(cmd.Context())
				if err != nil {
					return err
				}
				doc := accountsDocument{[]accountDocument{}}
				for _, account := range list {
					one := accountDocument{Principal: account.Principal, Bytes: account.Bytes()}
					for _, h := range account.Holdings {
						one.Holdings = append(one.Holdings, holdingDocument(h))
					}
					doc.Accounts = append(doc.Accounts, one)
				}
				return printed(cmd, doc, doc.write)
			})
		},
	}
	storeFlags(cmd, "print JSON")
	return cmd
}

// write prints the accounts for people.
func (d accountsDocument) write(out io.Writer) {
	for _, account := range d.Accounts {
		fmt.Fprintf(out, "%s: %s\n", access.Name(account.Principal), run.Bytes(account.Bytes))
		for _, h := range account.Holdings {
			fmt.Fprintf(out, "  %6d %-12s %s\n", h.Items, h.Kind, run.Bytes(h.Bytes))
		}
	}
}
