//go:build unix

package slurm_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep/engines/slurm"
)

var update = flag.Bool("update", false, "write the golden files anew")

func job() slurm.Job {
	return slurm.Job{
		Name: "sweep-what-matters", Folder: `/data/it's "what" $matters #1`, Runs: `/data/it's "what" $matters #1/runs`,
		Program: "/opt/econ-mcp/bin/econ-mcp", Tasks: 40, CPUs: 4, Memory: 500<<20 + 1, Time: 95 * time.Minute,
		Options: []string{"--partition=short", "-A", "my account"},
	}
}

func TestScript(t *testing.T) {
	j := job()
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	got, golden := []byte(j.Script()), filepath.Join("testdata", "sweep.sbatch")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the script is not testdata/sweep.sbatch (-update writes it):\n%s", got)
	}
}

// What the user says for sbatch counts instead of what the script would say.
func TestOptionsOfTheUser(t *testing.T) {
	j := job()
	j.Cache = []string{"--cache", "/scratch/my states"}
	j.Options = []string{"--time", "2:00:00", "-c8", "--mem-per-cpu=1G", "--job-name=mine"}
	text := j.Script()
	for _, line := range []string{
		"#SBATCH --time 2:00:00 -c8 --mem-per-cpu=1G --job-name=mine\n", "cache=(--cache '/scratch/my states')\n", "#SBATCH --array=1-40\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("there is no line %q in\n%s", line, text)
		}
	}
	for _, ours := range []string{"--time=", "--cpus-per-task=", "--mem=", "sweep-what-matters"} {
		if strings.Contains(text, ours) {
			t.Errorf("%q stands beside what the user says:\n%s", ours, text)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		change func(*slurm.Job)
		want   string
	}{
		{func(j *slurm.Job) { j.Folder = "/data/a\nb" }, "line break"},
		{func(j *slurm.Job) { j.Program = "/opt/a\nb" }, "line break"},
		{func(j *slurm.Job) { j.Folder = "/data/%a" }, "choose another folder"},
		{func(j *slurm.Job) { j.Folder = `/data/a\b` }, "choose another folder"},
		{func(j *slurm.Job) { j.Options = []string{"--comment=a\n#SBATCH"} }, "line break"},
		{func(j *slurm.Job) { j.Options = []string{"--array=1-9"} }, "--tasks says how many"},
		{func(j *slurm.Job) { j.Options = []string{"-a", "1-9"} }, "--tasks says how many"},
		{func(j *slurm.Job) { j.Options = []string{"-D/tmp"} }, "--out names the folder"},
		{func(j *slurm.Job) { j.Options = []string{"--no-requeue"} }, "requeued"},
		{func(j *slurm.Job) { j.Options = []string{"--arr=1-9"} }, "--tasks says how many"},
		{func(j *slurm.Job) { j.Options = []string{"--sig", "INT@60"} }, "a minute before the limit"},
	} {
		j := job()
		tt.change(&j)
		if err := j.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q, not %q", err, tt.want)
		}
	}
}

// A shell reads a quoted word as it was.
func TestQuoted(t *testing.T) {
	for _, word := range []string{"plain-1.0/x", "", "a b", `it's`, `"$HOME" $(id) \ #`, "税\t!*?[a]{b,c}~", "'", "-n"} {
		got, err := exec.Command("bash", "-c", "printf '%s|' "+slurm.Quoted(word)).Output()
		if err != nil || string(got) != word+"|" {
			t.Errorf("%q became %q: %v", word, got, err)
		}
	}
}

func TestJobName(t *testing.T) {
	for folder, want := range map[string]string{
		"/data/what-matters": "sweep-what-matters", `/data/it's "what"`: "sweep-it-s-what", "/data/税": "sweep-",
	} {
		if got := slurm.JobName(folder); got != want {
			t.Errorf("JobName(%q) = %q", folder, got)
		}
	}
}

// What scontrol of Slurm 22.05.8 prints, shortened.
const (
	config = `Configuration data as of 2026-11-26T16:38:47
AccountingStorageType   = accounting_storage/none
MaxArraySize            = 1001
MaxBatchRequeue         = 5
MaxJobCount             = 5000
MaxJobId                = 67043328
`
	partitions = `PartitionName=main AllowGroups=ALL Default=YES DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=1-00:00:00 State=UP
PartitionName=short AllowGroups=ALL Default=NO MaxTime=00:05:00 State=UP
PartitionName=open AllowGroups=ALL Default=NO MaxTime=UNLIMITED State=UP
`
)

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		partition string
		want      slurm.Limits
	}{
		{"", slurm.Limits{Tasks: 1000, Jobs: 5000, Time: 24 * time.Hour, Partition: "main"}},
		{"short", slurm.Limits{Tasks: 1000, Jobs: 5000, Time: 5 * time.Minute, Partition: "short"}},
		{"open", slurm.Limits{Tasks: 1000, Jobs: 5000}},
		{"open,main,short", slurm.Limits{Tasks: 1000, Jobs: 5000, Time: 5 * time.Minute, Partition: "short"}},
	} {
		if got, err := slurm.ReadLimits(config, partitions, tt.partition); err != nil || got != tt.want {
			t.Errorf("%q: %+v, %v", tt.partition, got, err)
		}
	}
	for partition, want := range map[string]string{"shrot": `did you mean "short"?`, "main,x": `unknown partition "x"`} {
		if _, err := slurm.ReadLimits(config, partitions, partition); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", partition, err)
		}
	}
	if _, err := slurm.ReadLimits(config, strings.Replace(partitions, "YES", "NO", 1), ""); fault.KindOf(err) != fault.Required {
		t.Errorf("no default: %v", err)
	}
	if _, err := slurm.ReadLimits("", partitions, ""); err == nil || !strings.Contains(err.Error(), "--dry-run") {
		t.Errorf("no limits: %v", err)
	}
	if _, err := slurm.ReadLimits(config, "PartitionName=x Default=YES MaxTime=soon", ""); err == nil {
		t.Error("a time that is none passes")
	}
}

// task runs the script of a job as Slurm does, for task 2 of three. Its worker is this test's program, which does as the mode says.
func task(t *testing.T, mode string, whenReady os.Signal) (code int, said, calls string) {
	t.Helper()
	folder := t.TempDir()
	bin := filepath.Join(folder, "bin")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	j := slurm.Job{Name: "x", Folder: folder, Runs: folder, Program: program, Tasks: 3, CPUs: 1}
	for name, text := range map[string]string{
		"bin/scontrol": "#!/bin/sh\necho \"scontrol $*\" >>'" + folder + "/calls'\n", "x.sbatch": j.Script(),
	} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", filepath.Join(folder, "x.sbatch"))
	cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=2", "SLURM_ARRAY_JOB_ID=17", "SLURM_MEM_PER_NODE=500",
		"PATH="+bin+":"+os.Getenv("PATH"),
		"WORKER="+mode, "WORKER_FOLDER="+folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for block := make([]byte, 4096); ; {
		n, err := out.Read(block)
		text.Write(block[:n])
		if whenReady != nil && strings.Contains(text.String(), "ready") {
			if err := cmd.Process.Signal(whenReady); err != nil {
				t.Fatal(err)
			}
			whenReady = nil
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(filepath.Join(folder, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	return code, text.String(), string(made)
}

// What a task makes of the end of its worker and of the signals that Slurm sends.
func TestTask(t *testing.T) {
	const call, requeued = "worker\n", "scontrol requeue 17_2\n"
	for _, tt := range []struct {
		name, mode string
		signal     os.Signal
		code       int
		calls      string
		said       string
	}{
		{"done", "done", nil, 0, call, ""},
		{"an error that stays", "fails", nil, 2, call, ""},
		{"killed once", "killed", nil, 0, call + call, "was killed (137): another one goes on"},
		{"killed before it recorded", "useless", nil, 137, call + call + call, "is the memory enough?"},
		{"the time limit", "recording", usr1, 0, call + requeued, "asks to be requeued"},
		{"the time limit, before anything was recorded", "waiting", usr1, 1, call, "allow more (--time)"},
		{"the time limit, and done", "finishing", usr1, 0, call, ""},
		{"cancelled", "recording", term, 130, call, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, said, calls := task(t, tt.mode, tt.signal)
			if code != tt.code || calls != tt.calls || !strings.Contains(said, tt.said) {
				t.Errorf("exit code %d, not %d; %q; it said:\n%s", code, tt.code, calls, said)
			}
		})
	}
}
