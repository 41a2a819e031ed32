package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	stdpath "path"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
)

// importDocument is the JSON form of an import.
type importDocument struct {
	ExperimentName string   `json:"experiment_name"` // here
	From           string   `json:"imported_from"`   // its name in the package
	Runs           int      `json:"runs"`
	Same           bool     `json:"same"` // the states of all runs are those of the package, to the bit
	Different      []string `json:"different"`
}

func newImport() *cobra.Command {
	threads := 0
	cmd := &cobra.Command{
		Use:   "import PATH",
		Short: "Repeat an experiment that somebody exported, and say whether the bits agree",
		Long: `Reads what econ-mcp export wrote, a folder or a zip file of it (an RO-Crate), simulates
the experiment again from its scenarios and seeds, keeps it with its question and plan
under its name, or that with a suffix where it is taken, and compares the final state of each run
with the one that was exported, bit for bit. The exit code is 1 where one differs. What another
version of the model simulated is refused with exit code 2, and says which program repeats it.`,
		Example: "  econ-mcp import vat/\n  econ-mcp import vat.zip --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return fault.New(fault.WrongType, "PATH", "econ-mcp import takes one folder or zip file, not %d", len(args)).
				WithHint("econ-mcp export writes one")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files, done, err := packageAt(args[0])
			if err != nil {
				return err
			}
			defer done()
			return withApp(cmd, app.Options{Runs: run.Settings{Threads: threads}}, func(a *app.App) error { return imported(cmd, a, files) })
		},
	}
	storeFlags(cmd, "print JSON")
	cmd.Flags().IntVar(&threads, "threads", 0, "threads, 0 = all cores; changes no result")
	return cmd
}

func imported(cmd *cobra.Command, a *app.App, files fs.FS) error {
	ctx := cmd.Context()
	record, started, err := a.Lab.Import(ctx, func(path string) ([]byte, error) { return readPart(files, path) }, owner)
	if err != nil {
		return err
	}
	end, err := follow(ctx, a.Runs, started.Name, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if end.State != run.StateCompleted {
		return fmt.Errorf("%s has %s", started.Name, end.State)
	}
	different, err := a.Lab.Differing(ctx, started.Name, record)
	if err != nil {
		return err
	}
	doc := importDocument{started.Name, record.Name, len(record.Runs), len(different) == 0, append([]string{}, different...)}
	err = printed(cmd, doc, func(out io.Writer) {
		if doc.Same {
			fmt.Fprintf(out, "%s: the same bits in all of %s as in the package\n", doc.ExperimentName, report.Plural(doc.Runs, "run"))
		}
	})
	if err == nil && !doc.Same {
		err = fmt.Errorf("%s: %d of %s differ from the package: %s", doc.ExperimentName, len(different), report.Plural(doc.Runs, "run"),
			strings.Join(different[:min(5, len(different))], ", "))
	}
	return err
}

// largestPart is the size of a file of a package, in bytes, that is read at most: scenarios and plans have some kB.
const largestPart = 16 << 20

// packageAt opens a folder or a zip file. A zip may hold the package in one folder of any name.
func packageAt(at string) (files fs.FS, done func() error, err error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, nil, unusable("PATH", at, err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(at) // of which links lead nowhere else
		if err != nil {
			return nil, nil, unusable("PATH", at, err)
		}
		return root.FS(), root.Close, nil
	}
	archive, err := zip.OpenReader(at)
	if err != nil {
		return nil, nil, fault.New(fault.WrongType, "PATH", "%s is neither a folder nor a zip file: %v", at, err).
			WithHint("name what econ-mcp export wrote")
	}
	files = archive
	for _, f := range archive.File {
		if folder, name := stdpath.Split(f.Name); name == lab.RecordFile && folder != "" && fs.ValidPath(stdpath.Clean(folder)) {
			if files, err = fs.Sub(archive, stdpath.Clean(folder)); err != nil {
				return nil, nil, errors.Join(err, archive.Close())
			}
			break
		}
	}
	return files, archive.Close, nil
}

// readPart reads a file of a package by its path, which the package itself may have named.
func readPart(files fs.FS, name string) ([]byte, error) {
	missing := func(why string) error {
		return fault.New(fault.InvalidState, "PATH", "the package has no %s that can be read: %s", fault.Shorten(name, 100), why).
			WithHint("name what econ-mcp export wrote")
	}
	if !fs.ValidPath(name) {
		return nil, missing("its path leads out of the package")
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, missing("it is not there")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestPart+1))
	switch {
	case err != nil:
		return nil, missing(err.Error())
	case len(data) > largestPart:
		return nil, missing(fmt.Sprintf("it has more than %d bytes", largestPart))
	}
	return data, nil
}
