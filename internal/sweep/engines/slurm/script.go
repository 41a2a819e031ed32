// Package slurm writes the batch script of a sweep whose shards are the tasks of an array job, asks a cluster for its limits,
// and submits. It knows shards, and no economics.
package slurm

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"econ-mcp/internal/fault"
)

// The files of a sweep's folder that are Slurm's.
const (
	ScriptFile = "sweep.sbatch"
	LogFolder  = "logs"
)

// Warning is how long before its time limit a task hears of it.
const Warning = 60 * time.Second

// Job is an array job: task i of Tasks simulates shard i.
type Job struct {
	Name    string
	Folder  string // of the sweep, absolute
	Runs    string // folder of runs, absolute
	Program string // econ-mcp, absolute
	Tasks   int
	CPUs    int           // of a task
	Memory  int64         // of a task, in bytes; 0 = what the cluster gives
	Time    time.Duration // limit of a task, in whole minutes; 0 = what the partition gives
	Cache   []string      // arguments that say where burnt-in states are kept; none = storage of the node, where the job has some
	Options []string      // more for sbatch: they count more than those above
}

// Check refuses what no script can say, and options that would make another job of it.
func (j Job) Check() error {
	for _, text := range slices.Concat([]string{j.Folder, j.Runs, j.Program}, j.Cache) {
		if strings.ContainsAny(text, "\n\r\x00") {
			return fault.New(fault.WrongType, "--out", "%q has a line break, which no batch script can name", text).WithHint("choose another path")
		}
	}
	if strings.ContainsAny(j.Folder, `%\`) {
		return fault.New(fault.WrongType, "--out", `%q has %% or \, which Slurm takes for something else in the names of logs`, j.Folder).
			WithHint("choose another folder")
	}
	for _, o := range j.Options {
		if strings.ContainsAny(o, "\n\r\x00") {
			return fault.New(fault.WrongType, "sbatch", "the option %q has a line break", o).WithHint("give options after -- as sbatch takes them")
		}
	}
	for _, refused := range []struct{ long, short, hint string }{
		{"array", "a", "the tasks are the shards: --tasks says how many"},
		{"wrap", "", "the script is the sweep's own"},
		{"chdir", "D", "--out names the folder"},
		{"output", "o", "the logs are in the folder of the sweep"},
		{"error", "e", "the logs are in the folder of the sweep"},
		{"signal", "", "the script relies on being told a minute before the limit"},
		{"no-requeue", "", "a task that the cluster ends goes on when it is requeued"},
	} {
		if _, given := Option(j.Options, refused.long, refused.short); given || abbreviated(j.Options, refused.long) {
			return fault.New(fault.Conflict, "--"+refused.long, "--%s cannot be given to sbatch here", refused.long).WithHint(refused.hint)
		}
	}
	return nil
}

// abbreviated says whether arguments name an option by its beginning, which sbatch takes where no other option begins so.
func abbreviated(args []string, long string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, isLong := strings.CutPrefix(arg, "--")
		name, _, _ = strings.Cut(name, "=")
		return isLong && name != "" && strings.HasPrefix(long, name)
	})
}

// Option is the value of an option of sbatch among arguments, the last where it is given more than once.
func Option(args []string, long, short string) (value string, given bool) {
	for k, arg := range args {
		next := ""
		if k+1 < len(args) {
			next = args[k+1]
		}
		switch {
		case arg == "--"+long || short != "" && arg == "-"+short:
			value, given = next, true
		case strings.HasPrefix(arg, "--"+long+"="):
			value, given = strings.TrimPrefix(arg, "--"+long+"="), true
		case short != "" && strings.HasPrefix(arg, "-"+short) && !strings.HasPrefix(arg, "--"):
			value, given = strings.TrimPrefix(arg, "-"+short), true
		}
	}
	return value, given
}

// Script is the batch script.
func (j Job) Script() string {
	var b strings.Builder
	b.WriteString("#!/bin/bash\n")
	option := func(name, value string, instead ...string) {
		for k := 0; k < len(instead); k += 2 {
			if _, given := Option(j.Options, instead[k], instead[k+1]); given {
				return
			}
		}
		fmt.Fprintf(&b, "#SBATCH --%s%s\n", name, value)
	}
	option("job-name=", escaped(j.Name), "job-name", "J")
	option("chdir=", escaped(j.Folder))
	option("array=", fmt.Sprintf("1-%d", j.Tasks))
	option("ntasks=", "1", "ntasks", "n")
	option("cpus-per-task=", strconv.Itoa(j.CPUs), "cpus-per-task", "c")
	if j.Memory > 0 {
		option("mem=", fmt.Sprintf("%dM", (j.Memory+1<<20-1)>>20), "mem", "", "mem-per-cpu", "", "mem-per-gpu", "")
	}
	if j.Time > 0 {
		option("time=", minutes(j.Time), "time", "t")
	}
	option("output=", LogFolder+"/%A_%a.log")
	option("open-mode=", "append", "open-mode", "")
	option("requeue", "")
	option("signal=", fmt.Sprintf("B:USR1@%d", int(Warning.Seconds())))
	if len(j.Options) > 0 {
		var words []string
		for _, o := range j.Options {
			words = append(words, escaped(o))
		}
		fmt.Fprintf(&b, "#SBATCH %s\n", strings.Join(words, " "))
	}
	var cache []string
	for _, a := range j.Cache {
		cache = append(cache, Quoted(a))
	}
	b.WriteString("\n")
	fmt.Fprintf(&b, "program=%s\nfolder=%s\nruns=%s\ntasks=%d\n", Quoted(j.Program), Quoted(j.Folder), Quoted(j.Runs), j.Tasks)
	if cache != nil {
		fmt.Fprintf(&b, "cache=(%s)\n", strings.Join(cache, " "))
	} else {
		b.WriteString(nodeCache)
	}
	b.WriteString(body)
	return b.String()
}

const nodeCache = `local=${SLURM_TMPDIR:-${TMPDIR:-}} # storage of the node, where there is some
cache=(${local:+--cache "$local/econ-mcp-burn-in-$UID"})
`

// body has the shell stay beside the worker: USR1 comes from Slurm before the time limit and goes to the shell alone (--signal=B:),
// TERM comes to both where somebody cancels or requeues the task, and only the first asks for another turn. A worker that was killed, as
// for its memory, is started again where it was, unless nothing was recorded three times in a row.
const body = `
# Each task simulates the shard of its number, and goes on where it was: when Slurm requeues it, and
# when it is submitted again (sbatch of this file).
task=$SLURM_ARRAY_TASK_ID
file=$runs/shard-$task-of-$tasks.runs
export GOMAXPROCS=${SLURM_CPUS_PER_TASK:-1}
[ "${SLURM_MEM_PER_NODE:-0}" = 0 ] || export GOMEMLIMIT=$((SLURM_MEM_PER_NODE * 9 / 10))MiB
recorded() { stat -c %s -- "$file" 2>/dev/null || echo 0; }
say() { echo "$(date '+%F %T') task $task: $*"; }

worker='' limit='' ended='' heard=''
trap 'heard=1 limit=1; [ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null' USR1 # the time limit is near
trap 'heard=1 ended=1; [ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null' TERM # cancelled, requeued or preempted
begin=$(recorded) killed=0
say "on $(hostname), job ${SLURM_JOB_ID:-}, restarts ${SLURM_RESTART_COUNT:-0}"
while [ -z "$limit$ended" ]; do
  before=$(recorded)
  "$program" sweep work "$folder" --runs "$runs" --shard "$task/$tasks" --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --wait 10m "${cache[@]}" &
  worker=$!
  [ -z "$limit$ended" ] || kill -TERM "$worker" # a signal came before the worker had a name
  code=127
  while heard=''; do
    wait "$worker"
    now=$?
    [ $now = 127 ] || code=$now
    [ -n "$heard" ] || break # else a signal ended the wait, not the worker
  done
  worker=''
  [ -z "$limit$ended" ] || break
  [ $code -gt 128 ] && [ $code != 130 ] || exit $code # done, or an error that another turn would not mend
  if [ "$(recorded)" = "$before" ]; then killed=$((killed + 1)); else killed=0; fi
  if [ $killed = 3 ]; then
    say "the worker was killed three times ($code) before an economy was recorded: is the memory enough?"
    exit $code
  fi
  say "the worker was killed ($code): another one goes on"
done
[ "${code:-130}" != 0 ] || exit 0
[ -z "$ended" ] || exit "${code:-130}"
if [ "$(recorded)" = "$begin" ]; then
  say "no economy ended within the time limit: allow more (--time)"
  exit 1
fi
say "the time limit is near: the task asks to be requeued"
for pause in 5 10 15; do
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$task" && exit 0
  sleep $pause # the controller may be busy
done
say "it was refused: when the job has ended, sbatch $0 goes on"
exit 1
`

var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quoted is a word of a shell.
func Quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// escaped is a word as sbatch reads it in a script: blanks only in quotes, in which a backslash takes what follows it as it is.
func escaped(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}

// minutes is a duration as sbatch reads it: whole minutes.
func minutes(d time.Duration) string {
	return strconv.FormatInt(int64(d.Round(time.Minute)/time.Minute), 10)
}

// JobName is that of a sweep: of the name of its folder, what any cluster takes.
func JobName(folder string) string {
	name := strings.Trim(notPlain.ReplaceAllString(filepath.Base(folder), "-"), "-")
	return "sweep-" + name[:min(len(name), 40)]
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9_.]+`)
