package cluster

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
)

// ledger is what a submitter has to know of the one before it in the same folder of runs: under which name the sweep is with the broker,
// and how it was cut.
type ledger struct {
	Sweep       string  `json:"sweep"`
	AgentMonths float64 `json:"agent_months"` // of a part
}

func ledgerPath(folder, name string) string { return filepath.Join(folder, name+".json") }

// readLedger reads that of a file of runs; where there is none it is [fs.ErrNotExist].
func readLedger(folder, name string) (l ledger, err error) {
	path := ledgerPath(folder, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return l, err
	}
	if json.Unmarshal(text, &l) != nil || l.Sweep == "" || !(l.AgentMonths > 0) {
		return l, fault.New(fault.InvalidState, "--runs", "%s cannot be read", path).
			WithHint("remove it: what is with workers is simulated again")
	}
	return l, nil
}

// openLedger reads the ledger of a file of runs, or begins one with parts of the size that size says.
func openLedger(folder, name string, size func() (float64, error)) (l ledger, err error) {
	if l, err = readLedger(folder, name); !errors.Is(err, fs.ErrNotExist) {
		return l, err
	}
	var id [8]byte
	rand.Read(id[:]) // which never fails
	l.Sweep = hex.EncodeToString(id[:])
	if l.AgentMonths, err = size(); err != nil {
		return l, err
	}
	text, err := json.Marshal(l)
	if err != nil {
		return l, err
	}
	return l, atomicfile.WriteFile(ledgerPath(folder, name), append(text, '\n'), 0o644, true)
}
