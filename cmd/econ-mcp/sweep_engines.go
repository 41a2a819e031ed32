package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/engines/kubernetes"
	"econ-mcp/internal/sweep/engines/slurm"
	"econ-mcp/sim"
)

// elsewhereFlags say where a sweep is simulated, if not here.
type elsewhereFlags struct {
	on             string
	tasks, memory  int
	program        string
	image, volume  string
	options        []string // after --, of sbatch
	tasksAreChosen bool
}

// The engines.
const (
	onSlurm      = "slurm"
	onKubernetes = "kubernetes"
	onBroker     = "nats://HOST:4222"
)

var brokerSchemes = []string{"nats", "tls"}

// engineFlags are the flags that mean something on some engines only.
var engineFlags = map[string][]string{
	"tasks": {onSlurm, onKubernetes}, "memory": {onSlurm, onKubernetes}, "program": {onSlurm},
	"image": {onKubernetes}, "volume": {onKubernetes},
	"token-file": {onBroker}, "tls-ca": {onBroker},
}

// idleFlags are those that mean nothing on some engines.
var idleFlags = map[string][]string{
	"cache": {onKubernetes, onBroker}, "no-cache": {onKubernetes, onBroker}, "runs": {onKubernetes}, "threads": {onBroker},
}

func (e *elsewhereFlags) add(f *pflag.FlagSet) {
	f.StringVar(&e.on, "on", "", "simulate elsewhere: slurm submits an array job, kubernetes prints an Indexed Job, `nats://HOST:4222` is "+
		"a broker with workers")
	f.IntVar(&e.tasks, "tasks", 0, "with --on: how many tasks, each a shard (default: as many as take a quarter of an hour)")
	f.IntVar(&e.memory, "memory", 0, "with --on: memory of a task in `MiB` (default: estimated)")
	f.StringVar(&e.program, "program", "", "with --on slurm: `path` of econ-mcp on the nodes (default: of this program)")
	f.StringVar(&e.image, "image", "", "with --on kubernetes: the container `image` (default "+defaultImage()+")")
	f.StringVar(&e.volume, "volume", "", "with --on kubernetes: the persistent volume `claim` for the runs")
}

// What a worker needs to start at all, and more than any machine has, in MiB.
const (
	leastMemory = 64
	mostMemory  = 64 << 20
)

// countFromOne checks the shard of a worker, which may be counted from 0.
func (o *sweepOptions) countFromOne(f *pflag.FlagSet) error {
	if o.index == "" && !f.Changed("index") {
		_, err := sweep.ParseShard(o.shard)
		return err
	}
	if f.Changed("shard") {
		return fault.New(fault.Conflict, "--index", "--shard and --index both name the part").WithHint("use one of them")
	}
	var i, n int
	if _, err := fmt.Sscanf(o.index, "%d/%d", &i, &n); err != nil || i < 0 || i >= n || o.index != fmt.Sprintf("%d/%d", i, n) {
		return fault.Range("--index", fmt.Sprintf("%.40q", o.index), "i/n with 0 ≤ i < n, such as 0/8")
	}
	o.shard = sweep.Shard{I: i + 1, N: n}.String()
	return nil
}

// oneDesign is the design, and after -- options of sbatch.
func oneDesign(cmd *cobra.Command, args []string) error {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args = args[:dash]
	}
	return cobra.ExactArgs(1)(cmd, args)
}

// check refuses an unknown engine, and flags that mean nothing on the chosen one.
func (e *elsewhereFlags) check(cmd *cobra.Command, idle map[string][]string) error {
	f := cmd.Flags()
	engine, _, isURL := strings.Cut(e.on, "://")
	if isURL && slices.Contains(brokerSchemes, engine) {
		engine = onBroker
	}
	if engines := []string{onSlurm, onKubernetes, onBroker}; f.Changed("on") && !slices.Contains(engines, engine) {
		return fault.Unknown(fault.NotFound, "engine", e.on, engines)
	}
	for name, engines := range engineFlags {
		if f.Changed(name) && !slices.Contains(engines, engine) {
			return fault.New(fault.Conflict, "--"+name, "--%s says how a sweep is simulated elsewhere", name).
				WithHint("add --on " + strings.Join(engines, " or --on ") + ", or leave it out")
		}
	}
	for name, engines := range idle {
		if f.Changed(name) && slices.Contains(engines, engine) {
			return fault.New(fault.Conflict, "--"+name, "--%s is for who simulates, and with --on %s that is another process", name, engine).
				WithHint("leave it out")
		}
	}
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		if e.options = f.Args()[dash:]; len(e.options) > 0 && e.on != onSlurm {
			return fault.New(fault.Conflict, "--", "what follows -- is for sbatch").WithHint("add --on slurm, or leave it out")
		}
	}
	e.tasksAreChosen = f.Changed("tasks")
	if f.Changed("memory") && (e.memory < leastMemory || e.memory > mostMemory) {
		return fault.Range("--memory", fmt.Sprint(e.memory), fmt.Sprintf("%d to %d MiB", leastMemory, mostMemory))
	}
	return refuseEmpty(f, "program", "image", "volume")
}

// elsewhere has a sweep simulated by another engine.
func (o *sweepOptions) elsewhere(cmd *cobra.Command, p *sweep.Plan, path string) error {
	switch o.on {
	case onKubernetes:
		return o.onKubernetes(cmd, p, path)
	default: // check lets no other one through
		return o.onSlurm(cmd, p, path)
	}
}

// sweepDivision is a sweep divided among tasks.
type sweepDivision struct {
	sweepSize         // seconds of one core such as this machine's
	Tasks     int     `json:"tasks"`
	CPUs      int     `json:"cpus_per_task"`
	Memory    int64   `json:"memory_per_task_bytes"`
	Each      float64 `json:"estimated_seconds_per_task"`
}

// taskSeconds is how long a task should take: long against its start, short against what a kill or the end of a partition's time costs.
const taskSeconds = 15 * 60

// divide says how many tasks a sweep is given, at most so many; limit says whose limit that is.
func (o *sweepOptions) divide(p *sweep.Plan, most int, limit string) (d sweepDivision, err error) {
	parts := p.Pieces()
	if p.Design == nil { // one number of tasks for waves of any size
		o.tasks = min(o.tasks, parts)
	}
	switch {
	case o.tasksAreChosen && (o.tasks < 1 || o.tasks > parts):
		e := fault.Range("--tasks", fmt.Sprint(o.tasks), fmt.Sprintf("1 to %d", parts))
		e.Message += fmt.Sprintf(", of a sweep with %s, those of one burn-in together", economies(len(p.Runs)))
		return d, e
	case o.tasks > most:
		return d, fault.Range("--tasks", fmt.Sprint(o.tasks), fmt.Sprintf("1 to %d: %s", most, limit))
	}
	known, err := sweep.Load(o.runs)
	if err != nil {
		return d, err
	}
	if d.sweepSize, err = newSweepSize(p, known, 1); err != nil {
		return d, err
	}
	d.CPUs = max(1, o.threads)
	d.Tasks = o.tasks
	if !o.tasksAreChosen {
		d.Tasks = max(1, min(int(math.Ceil(d.Seconds/float64(d.CPUs)/taskSeconds)), parts, most))
	}
	d.Each = d.Seconds / float64(d.CPUs*d.Tasks)
	if d.Memory = int64(o.memory) << 20; o.memory == 0 {
		d.Memory = p.Memory(d.CPUs)
	}
	return d, nil
}

func writeSweepDivision(w io.Writer, d sweepDivision) {
	fmt.Fprintln(w, d.count())
	fmt.Fprintf(w, "%s of %s and %s of memory; about %s each on cores such as this machine's\n",
		report.Plural(d.Tasks, "task"), report.Plural(d.CPUs, "core"), run.Bytes(d.Memory), lasting(d.Each))
}

// sweepOnSlurm is what was submitted, or would be.
type sweepOnSlurm struct {
	sweepDivision
	Text   string   `json:"script,omitempty"`
	File   string   `json:"script_file,omitempty"`
	Job    string   `json:"job_id,omitempty"`
	Next   []string `json:"next,omitempty"`
	Limits string   `json:"limits,omitempty"`

	logs string
	slow string // the partition that allows less time than a task takes
}

func (s sweepOnSlurm) write(out io.Writer) {
	writeSweepDivision(out, s.sweepDivision)
	switch {
	case s.Text != "":
		if s.Limits == "" {
			fmt.Fprintln(out, "the limits of the cluster are not known: no Slurm answers here")
		}
		fmt.Fprintf(out, "\n%s", s.Text)
	case s.Job == "":
		fmt.Fprintf(out, "nothing is left to simulate: %s\n", s.Next[0])
	default:
		fmt.Fprintf(out, "submitted: job %s, %s; logs in %s\n", s.Job, s.File, s.logs)
		if s.slow != "" {
			fmt.Fprintf(out, "a task takes longer than partition %s allows, and is requeued until it has ended\n", s.slow)
		}
		fmt.Fprintf(out, "how it goes: %s\nwhen it has ended: %s\n", s.Next[0], s.Next[1])
	}
}

// onSlurm submits an array job, or prints its script.
func (o *sweepOptions) onSlurm(cmd *cobra.Command, p *sweep.Plan, path string) error {
	found, err := o.submit(cmd.Context(), p, path)
	if err != nil {
		return err
	}
	return printed(cmd, found, found.write)
}

// submit submits an array job; with --dry-run it only writes the script.
func (o *sweepOptions) submit(ctx context.Context, p *sweep.Plan, path string) (found sweepOnSlurm, err error) {
	there := slurm.Available()
	if !there && !o.dryRun {
		return found, slurm.Missing()
	}
	job, err := o.slurmJob()
	if err != nil {
		return found, err
	}
	limits, limit, most := slurm.Limits{}, "", math.MaxInt
	if there {
		partition, given := slurm.Option(o.options, "partition", "p")
		if !given {
			partition = os.Getenv("SBATCH_PARTITION")
		}
		if limits, err = slurm.Ask(ctx, partition); err != nil && !o.dryRun {
			return found, err
		}
		there = err == nil
	}
	if there {
		limit = fmt.Sprintf("the cluster takes %d tasks an array (MaxArraySize) and %d jobs (MaxJobCount)", limits.Tasks, limits.Jobs)
		most = min(limits.Tasks, limits.Jobs)
	}
	if !o.dryRun {
		working, err := slurm.Working(ctx, job.Folder)
		if err != nil {
			return found, err
		}
		if len(working) > 0 {
			return found, fault.New(fault.Conflict, "--out", "job %s simulates the sweep in %s already", strings.Join(working, ", "), o.out).
				WithHint("wait for it, or end it: scancel " + strings.Join(working, " "))
		}
	}
	d, err := o.divide(p, most, limit)
	if err != nil {
		return found, err
	}
	job.Tasks, job.CPUs, job.Memory, job.Time = d.Tasks, d.CPUs, d.Memory, timeLimit(d.Each)
	if limits.Time > 0 {
		job.Time = min(job.Time, max(time.Minute, limits.Time.Truncate(time.Minute)))
	}
	found = sweepOnSlurm{sweepDivision: d, Limits: limit}
	switch {
	case o.dryRun:
		found.Text = job.Script()
		return found, nil
	case d.Known == d.Runs:
		found.Next = []string{o.merge()}
		return found, nil
	}
	if err := o.write(p, path); err != nil {
		return found, err
	}
	p.Keep(o.runs)
	found.logs = filepath.Join(job.Folder, slurm.LogFolder)
	if err := os.MkdirAll(found.logs, 0o755); err != nil {
		return found, unusable("--out", o.out, err)
	}
	found.File = filepath.Join(job.Folder, slurm.ScriptFile)
	if err := atomicfile.WriteFile(found.File, []byte(job.Script()), 0o755, true); err != nil {
		return found, unusable("--out", found.File, err)
	}
	if most := limits.Time; most > 0 && d.Each > most.Seconds() {
		found.slow = limits.Partition
	}
	if found.Job, err = slurm.Submit(ctx, found.File, o.options); err != nil {
		return found, err
	}
	found.Next = []string{"squeue --job " + found.Job, o.merge()}
	return found, nil
}

// merge is the call that takes what was simulated elsewhere.
func (o *sweepOptions) merge() string {
	return cmp.Or(o.again, "econ-mcp sweep merge "+slurm.Quoted(o.out))
}

// slurmJob is the array job, as far as it does not depend on how long the sweep takes.
func (o *sweepOptions) slurmJob() (slurm.Job, error) {
	program, err := o.programOfTasks()
	if err != nil {
		return slurm.Job{}, err
	}
	folder := absolute(o.out)
	job := slurm.Job{Name: slurm.JobName(folder), Folder: folder, Runs: absolute(o.runs), Program: program, Options: o.options}
	switch {
	case o.none:
		job.Cache = []string{"--no-cache"}
	case o.dir != "":
		job.Cache = []string{"--cache", absolute(o.dir)}
	}
	return job, job.Check()
}

// timeLimit is twice what a task should take on cores such as this machine's, and ten minutes.
func timeLimit(seconds float64) time.Duration {
	return time.Duration(math.Ceil(2*seconds/60))*time.Minute + 10*time.Minute
}

// programOfTasks is the path of econ-mcp on the nodes.
func (o *sweepOptions) programOfTasks() (string, error) {
	if o.program != "" {
		return absolute(o.program), nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", fault.Missing("--program", "name the path of econ-mcp on the nodes")
	}
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return "", fault.New(fault.Conflict, "--program", "go run removes its program when it ends").
			WithHint("go build -o econ-mcp ./cmd/econ-mcp and use that, or name the program of the nodes with --program")
	}
	return program, nil
}

// defaultImage is what docker build -t of the Dockerfile makes, by its version.
func defaultImage() string { return "econ-mcp:" + sim.ModelVersion }

// sweepOnKubernetes is what a cluster is given.
type sweepOnKubernetes struct {
	sweepDivision
	Name string   `json:"job"`
	Text string   `json:"manifest"`
	Next []string `json:"next"`
}

// onKubernetes prints the manifest of an Indexed Job.
func (o *sweepOptions) onKubernetes(cmd *cobra.Command, p *sweep.Plan, path string) error {
	job := kubernetes.Job{
		Name: kubernetes.Name(absolute(o.out), p.Hash), Image: cmp.Or(o.image, defaultImage()), Claim: o.volume,
	}
	var err error
	if job.File, job.Design, err = p.Text(); err != nil {
		return err
	}
	if err := job.Check(); err != nil {
		return err
	}
	d, err := o.divide(p, kubernetes.MostTasks, "pods of a Job at the same time")
	if err != nil {
		return err
	}
	job.Tasks, job.CPUs, job.Memory = d.Tasks, d.CPUs, d.Memory
	manifest, err := job.Manifest()
	if err != nil {
		return err
	}
	if !o.dryRun {
		if err := o.write(p, path); err != nil {
			return err
		}
	}
	found := sweepOnKubernetes{d, job.Name, string(manifest), []string{
		"kubectl wait --for=condition=Complete --timeout=-1s job/" + job.Name,
		o.merge(),
	}}
	if jsonAsked, _ := cmd.Flags().GetBool("json"); !jsonAsked { // the manifest alone goes to kubectl
		w := cmd.ErrOrStderr()
		writeSweepDivision(w, d)
		fmt.Fprintf(w, "how it goes: %s\nwhen the files of %s/runs of claim %s are in %s: %s\n", found.Next[0], job.Name, o.volume,
			filepath.Join(o.out, sweep.RunsFolder), found.Next[1])
	}
	return printed(cmd, found, func(out io.Writer) { fmt.Fprint(out, found.Text) })
}
