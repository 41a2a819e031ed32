package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"econ-mcp/internal/fault"
)

// Limits are those of a cluster for a job.
type Limits struct {
	Tasks     int           // of an array, from 1
	Jobs      int           // that the controller keeps; each task is one
	Time      time.Duration // of a task in the partition; 0 = none
	Partition string        // that Time is of
}

// Available says whether the commands of Slurm are there.
func Available() bool {
	_, err := exec.LookPath("sbatch")
	return err == nil
}

// Missing is the error where they are not.
func Missing() error {
	return fault.New(fault.NotFound, "--on", "there is no sbatch here, which submits jobs to Slurm").
		WithHint("log in to a node of the cluster that has it; --dry-run prints the script; by hand, econ-mcp sweep plan and " +
			"econ-mcp sweep work FOLDER --shard i/n do the same")
}

// Ask asks the cluster for its limits in a partition, which are several names with commas between them, or "" for the default one.
func Ask(ctx context.Context, partition string) (Limits, error) {
	config, err := output(ctx, "scontrol", "show", "config")
	if err != nil {
		return Limits{}, err
	}
	partitions, err := output(ctx, "scontrol", "--oneliner", "show", "partition")
	if err != nil {
		return Limits{}, err
	}
	return limits(config, partitions, partition)
}

// limits reads what scontrol prints.
func limits(config, partitions, wanted string) (l Limits, err error) {
	for name, to := range map[string]*int{"MaxArraySize": &l.Tasks, "MaxJobCount": &l.Jobs} {
		m := regexp.MustCompile(`(?m)^` + name + `\s*= (\d+)\s*$`).FindStringSubmatch(config)
		if m == nil {
			return l, fault.New(fault.Internal, "--on", "scontrol show config tells no %s", name).
				WithHint("--dry-run prints the script, which sbatch takes")
		}
		*to, _ = strconv.Atoi(m[1])
	}
	l.Tasks-- // indices begin with 0 there, and with 1 here
	type part struct {
		time      time.Duration
		isDefault bool
	}
	found, names := map[string]part{}, []string(nil)
	for line := range strings.Lines(partitions) {
		fields := map[string]string{}
		for _, f := range strings.Fields(line) {
			key, value, _ := strings.Cut(f, "=")
			fields[key] = value
		}
		if name := fields["PartitionName"]; name != "" {
			most, err := parseTime(fields["MaxTime"])
			if err != nil {
				return l, err
			}
			found[name], names = part{most, fields["Default"] == "YES"}, append(names, name)
		}
	}
	for name := range strings.SplitSeq(wanted, ",") {
		if name == "" {
			for _, n := range names {
				if found[n].isDefault {
					name = n
				}
			}
			if name == "" {
				return l, fault.Missing("--partition", "the cluster has no default: name one, such as -- --partition="+strings.Join(names, " or "))
			}
		}
		p, ok := found[name]
		if !ok {
			return l, fault.Unknown(fault.NotFound, "partition", name, names)
		}
		if p.time > 0 && (l.Time == 0 || p.time < l.Time) {
			l.Time, l.Partition = p.time, name
		}
	}
	return l, nil
}

var timeLimit = regexp.MustCompile(`^(?:(\d+)-)?(\d+):(\d+):(\d+)$`)

// parseTime reads a limit as scontrol prints it: [days-]hours:minutes:seconds, or UNLIMITED, which is 0.
func parseTime(text string) (time.Duration, error) {
	if text == "UNLIMITED" || text == "NONE" {
		return 0, nil
	}
	m := timeLimit.FindStringSubmatch(text)
	if m == nil {
		return 0, fault.New(fault.Internal, "--on", "scontrol shows the time limit %q, which is none", text)
	}
	var n [4]int
	for k := range n {
		n[k], _ = strconv.Atoi(m[k+1]) // digits, or nothing for the days
	}
	return time.Duration(((n[0]*24+n[1])*60+n[2])*60+n[3]) * time.Second, nil
}

// Submit submits a script with the options that it holds too, which would otherwise count less than the user's environment (SBATCH_…).
// It returns the number of the job.
func Submit(ctx context.Context, script string, options []string) (string, error) {
	out, err := output(ctx, "sbatch", append(append([]string{"--parsable"}, options...), script)...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // then the name of a cluster
	if _, err := strconv.Atoi(id); err != nil {
		return "", fault.New(fault.Internal, "sbatch", "sbatch printed %.80q instead of the number of a job", out).
			WithHint("squeue --me lists jobs")
	}
	return id, nil
}

// Working are the jobs of this user that simulate the sweep in a folder, or wait to.
func Working(ctx context.Context, folder string) ([]string, error) {
	out, err := output(ctx, "squeue", "--noheader", "--user="+strconv.Itoa(os.Getuid()), "--format=%F|%Z")
	if err != nil {
		return nil, err
	}
	var ids []string
	for line := range strings.Lines(out) {
		id, in, _ := strings.Cut(strings.TrimRight(line, "\n"), "|")
		if in == folder && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// output runs a command of Slurm. Where it fails, the error has what it said.
func output(ctx context.Context, name string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", Missing()
	}
	said := strings.TrimSpace(stderr.String())
	if said == "" {
		said = fmt.Sprintf("%s: %v", name, err)
	}
	return "", fault.New(fault.InvalidState, name, "Slurm refuses: %s", strings.ReplaceAll(said, "\n", "; ")).
		WithHint("nothing was submitted; --dry-run prints the script")
}
