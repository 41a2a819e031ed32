package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
)

// posteriorDraws are the flags of econ-mcp ask that try a verdict with draws of a posterior.
type posteriorDraws struct {
	file string
	n    int
	name string   // of the file, with the beginning of its hash
	sets []string // values of the parameters of each draw

	parameters []string // that they set
	scenario   string   // in which they were estimated
}

func (o *posteriorDraws) define(f *pflag.FlagSet) {
	f.StringVar(&o.file, "posterior", "", "`file` of draws (econ-mcp estimate posterior --draws): the effect over draws of their "+
		"parameters; with --robust in the place of five parameters one at a time")
	f.IntVar(&o.n, "draws", 20, "draws of --posterior, each an experiment of its own; without this flag all of a file that has fewer")
}

// mostDraws bounds the experiments of a question.
const mostDraws = 1000

// read takes the draws, before anything is opened.
func (o *posteriorDraws) read(given func(flag string) bool) error {
	switch {
	case o.file == "" && given("posterior"):
		return fault.Missing("--posterior", "name the file that econ-mcp estimate posterior --draws wrote")
	case o.file == "" && given("draws"):
		return fault.New(fault.Conflict, "--draws", "--draws says how many of --posterior are tried, and there is no posterior").
			WithHint("add --posterior")
	case o.file == "":
		return nil
	case given("draws") && (o.n < 2 || o.n > mostDraws):
		return fault.Range("--draws", fmt.Sprint(o.n), fmt.Sprintf("2 to %d", mostDraws))
	}
	text, err := os.ReadFile(o.file)
	if err != nil {
		return unusable("--posterior", o.file, err)
	}
	draws, err := estimation.ReadDraws("--posterior", text)
	if err != nil {
		return err
	}
	switch all := len(draws.Values); {
	case all < 2:
		return fault.New(fault.OutOfRange, "--posterior", "the file has one draw, of which there is no spread").
			WithHint("estimate the posterior again")
	case !given("draws"):
		o.n = min(o.n, all)
	case o.n > all:
		return fault.Range("--draws", fmt.Sprint(o.n), fmt.Sprintf("2 to %d, as many as the file has", len(draws.Values)))
	}
	sum := sha256.Sum256(text)
	o.name = fmt.Sprintf("%s (%x)", filepath.Base(o.file), sum[:4])
	o.sets, o.parameters, o.scenario = draws.Some(o.n), draws.Names, draws.Scenario
	return nil
}

// tries is the flag by which the verdict is tried; "" = it is not.
func (o *askOptions) tries() string {
	switch {
	case o.robust:
		return "--robust"
	case o.posterior.file != "":
		return "--posterior"
	}
	return ""
}

// perturbations are those under which the verdict is tried: draws of a posterior stand in the place of single parameters.
func (o *askOptions) perturbations(q inquiry.Inquiry) (list []lab.Perturbation) {
	estimated := lab.EstimatedElsewhere(q, o.posterior.scenario)
	for k, set := range o.posterior.sets {
		list = append(list, lab.Perturbation{
			Posterior: o.posterior.name, Draw: k + 1, Draws: len(o.posterior.sets), Set: set, Estimated: estimated,
		})
	}
	for _, p := range lab.Perturbations {
		if o.robust && (o.posterior.file == "" || p.Structural()) {
			list = append(list, p)
		}
	}
	return list
}
