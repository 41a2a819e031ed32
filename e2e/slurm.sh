#!/usr/bin/env bash
# Sweeps on a real Slurm: a cluster of one node, set up here and taken down again. Needs root and Slurm
# (Debian, Ubuntu: apt-get install --no-install-recommends slurm-wlm munge), and no systemd.
#
#   e2e/slurm.sh            a small sweep, and a larger one whose tasks are killed, requeued and told of their time limit;
#                           about a minute
#   e2e/slurm.sh --large    20,000 economies on four tasks, with six workers killed and six tasks requeued, and what a
#                           run costs more than here
#   e2e/slurm.sh --shell    the cluster, and a shell in it
#
# The files of a sweep on Slurm are compared with those of the same sweep here, to the byte.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:---small}
tmp=$(mktemp -d)
fail() {
  { squeue; scontrol show job; } 2>&1 | grep -E 'Job|squeue|USER' >&2 || true
  tail -n 20 "$tmp"/log/*.log "$tmp"/sweeps/*/logs/*.log >&2 2>/dev/null || true
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
for command in slurmctld slurmd munged sbatch; do
  command -v "$command" >/dev/null || [ -x "/usr/sbin/$command" ] || { echo "there is no $command: install slurm-wlm and munge" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "munged and slurmd are started as root" >&2; exit 1; }
export PATH="$PATH:/usr/sbin"

# The cluster: everything of it is below $tmp, so that no other one is touched.
chmod 755 "$tmp"
mkdir -p "$tmp"/{munge,state,spool,log,home}
chmod 711 "$tmp/munge" # of its socket
dd if=/dev/urandom of="$tmp/munge/key" bs=1024 count=1 status=none
chmod 400 "$tmp/munge/key"
host=$(hostname -s) port=$((20000 + $$ % 5000 * 2)) # others may have a cluster here too
cat >"$tmp/slurm.conf" <<CONF
ClusterName=sweeps
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$tmp/munge/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/log/slurmctld.log
SlurmdLogFile=$tmp/log/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
JobRequeue=1
KillWait=5
MaxArraySize=101
MaxJobCount=5000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1,sched_min_interval=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=1-00:00:00 State=UP
PartitionName=short Nodes=$host MaxTime=00:05:00 State=UP
CONF
export SLURM_CONF="$tmp/slurm.conf"

munged_pid= slurmctld_pid= slurmd_pid=
down() {
  scancel --user=root >/dev/null 2>&1 || true
  for pid in $slurmd_pid $slurmctld_pid $munged_pid; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$tmp"
}
trap down EXIT
munged --foreground --key-file="$tmp/munge/key" --socket="$tmp/munge/socket" --pid-file="$tmp/munge/pid" \
  --log-file="$tmp/munge/log" --seed-file="$tmp/munge/seed" 2>"$tmp/log/munged.log" &
munged_pid=$!
until [ -S "$tmp/munge/socket" ]; do kill -0 $munged_pid || fail "munged did not start"; sleep .1; done
slurmctld -D -c -f "$SLURM_CONF" >/dev/null 2>"$tmp/log/controller.log" &
slurmctld_pid=$!
slurmd -D -N "$host" -f "$SLURM_CONF" >/dev/null 2>"$tmp/log/node.log" &
slurmd_pid=$!
for _ in $(seq 300); do
  [ "$(sinfo --noheader --format=%T --partition=main 2>/dev/null)" != idle ] || break
  kill -0 $slurmctld_pid $slurmd_pid || fail "slurmctld or slurmd ended"
  sleep .1
done
[ "$(sinfo --noheader --format=%T --partition=main)" = idle ] || fail "the node did not come up: $(sinfo --Node --long)"
echo "Slurm $(sinfo --version | cut -d' ' -f2): one node of 4 CPUs"

if [ "$mode" = --shell ]; then
  bash
  exit
fi

if [ -z "${ECON_MCP:-}" ]; then
  go build -trimpath -o "$tmp/econ-mcp" ./cmd/econ-mcp
  ECON_MCP=$tmp/econ-mcp
fi
export HOME="$tmp/home" XDG_DATA_HOME="$tmp/home/data" XDG_CACHE_HOME="$tmp/home/cache"

# design POINTS MONTHS writes a design of so many points with two arms and two seeds: four economies a point.
design() {
  cat <<DESIGN
inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, $2]}]
  design: {months: $2, replications: 2, burn_in: 2}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  wage_adjustment_rate: {from: 0.05, to: 0.1}
design: {kind: latin_hypercube, points: $1}
DESIGN
}

# queue OPTIONS is squeue, tried again where the controller is too busy to answer.
queue() {
  local try
  for try in 1 2 3 4 5; do squeue --noheader "$@" && return; done
  fail "squeue does not answer"
}

# hurry JOB: where Slurm has a requeued task wait two minutes, it need wait only seconds. Less than that, and the node
# refuses it ("Job credential revoked"): it takes the task for the one that it has just ended.
hurry() {
  local task start
  while read -r task start; do
    [ $(($(date -d "$start" +%s 2>/dev/null || echo 0) - $(date +%s))) -le 20 ] || scontrol update JobId="$task" StartTime=now+8seconds || true
  done < <(queue --array --states=PENDING --format='%i %S %r' --job "$1" | sed -n 's/ BeginTime//p')
}

# ended JOB waits until no task of a job is left.
ended() {
  local left
  while left=$(queue --job "$1") || exit 1; [ -n "$left" ]; do
    hurry "$1"
    sleep .2
  done
}

# recorded FOLDER counts the economies that the files of a folder hold.
recorded() { cat "$1"/runs/*.runs 2>/dev/null | wc -l; }

# as_here FOLDER LOCAL N: a folder holds so many economies, none twice, and the same points as a sweep that was simulated here.
as_here() {
  local all twice
  "$ECON_MCP" sweep merge "$1" >/dev/null || fail "the files of $1 cannot be put together"
  all=$(recorded "$1")
  twice=$(cat "$1"/runs/*.runs | grep -oE '"key":"[0-9a-f]+"' | sort | uniq -d | wc -l)
  [ "$all" = "$3" ] && [ "$twice" = 0 ] || fail "$all economies are recorded, not $3, and $twice of them more than once"
  cmp "$1/points.csv" "$2/points.csv" || fail "the points of $1 are not those of $2"
  echo "$all economies are recorded, none twice; points.csv is that of a sweep here, to the byte"
}

# job_of FILE is the job that was submitted.
job_of() { sed -nE 's/^submitted: job ([0-9]+),.*/\1/p' "$1"; }

# worker FOLDER TASK is the process that simulates for a task, if there is one now.
worker() { pgrep -f "sweep work $1 .*--shard $2/" | while read -r pid; do [ "$(readlink "/proc/$pid/exe")" != "$real" ] || echo "$pid"; done | head -n 1; }
real=$(readlink -f "$ECON_MCP")

if [ "$mode" != --large ]; then
  cd "$tmp"
  design 60 4 >small.yaml
  "$ECON_MCP" sweep small.yaml --out sweeps/here >/dev/null 2>&1
  folder="sweeps/it's a \"sweep\" of \$HOME #1"
  "$ECON_MCP" sweep small.yaml --out "$folder" --on slurm --tasks 3 --dry-run >dry.txt
  grep -q '^#SBATCH --array=1-3$' dry.txt || fail "the dry run shows no script"
  [ ! -e "$folder" ] && [ -z "$(queue)" ] || fail "the dry run left something"
  "$ECON_MCP" sweep small.yaml --out "$folder" --on slurm --tasks 3 >out.txt
  cat out.txt
  ended "$(job_of out.txt)"
  as_here "$folder" sweeps/here 240
  [ ! -e "$XDG_DATA_HOME" ] || fail "a data folder was opened"

  for wrong in "--tasks 101 :: 1 to 100: the cluster takes 100 tasks an array" "-- --partition=shrot :: did you mean \"short\"" \
    "-- --mem=900G :: Slurm refuses: sbatch: error: " "-- --frobnicate :: Slurm refuses: sbatch: unrecognized option"; do
    # shellcheck disable=SC2086 # options, not one word
    if "$ECON_MCP" sweep sweeps/here/design.yaml --out "$tmp/sweeps/wrong" --on slurm ${wrong%% :: *} >out.txt 2>&1; then fail "$wrong"; fi
    grep -qF -- "${wrong##* :: }" out.txt || fail "$wrong: $(cat out.txt)"
  done
  [ -z "$(queue)" ] || fail "something was submitted"

  # A worker is killed, a task is requeued by the cluster, and one hears that its time limit is near.
  design 500 2 >larger.yaml
  "$ECON_MCP" sweep larger.yaml --out sweeps/larger-here >/dev/null 2>&1
  folder=sweeps/larger
  "$ECON_MCP" sweep larger.yaml --out $folder --on slurm --tasks 3 >out.txt
  job=$(job_of out.txt)
  until [ "$(cat $folder/runs/shard-{1,2,3}-of-3.runs 2>/dev/null | wc -l)" -gt 60 ] && [ -s $folder/runs/shard-3-of-3.runs ] &&
    [ -s $folder/runs/shard-2-of-3.runs ] && [ -s $folder/runs/shard-1-of-3.runs ]; do
    [ -n "$(queue)" ] || fail "the job ended before anything was recorded"
    sleep .1
  done
  if "$ECON_MCP" sweep larger.yaml --out $folder --on slurm --tasks 3 2>again.txt; then fail "a second job simulates the same folder"; fi
  grep -q "job $job simulates the sweep in" again.txt || fail "$(cat again.txt)"
  kill -9 "$(worker "$tmp/$folder" 1)"
  scontrol requeue "${job}_2"
  scancel --batch --signal=USR1 "${job}_3" # what Slurm sends a minute before the limit
  ended "$job"
  grep -q 'was killed (137): another one goes on' $folder/logs/"$job"_1.log || fail "the killed worker has no follower"
  grep -q 'restarts 1' $folder/logs/"$job"_2.log || fail "the task was not requeued"
  grep -q 'asks to be requeued' $folder/logs/"$job"_3.log && grep -q 'restarts 1' $folder/logs/"$job"_3.log || fail "the task did not go on after its limit"
  as_here $folder sweeps/larger-here 2000
  echo "passed"
  exit
fi

# The large sweep. A program in front of econ-mcp writes down the CPU time of each worker, however it ends.
cd "$tmp"
mkdir cpu
cat >worker <<WORKER
#!/bin/bash
trap 'kill -TERM \$pid' TERM
'$real' "\$@" &
pid=\$!
wait \$pid
code=\$?
if kill -0 \$pid 2>/dev/null; then wait \$pid; code=\$?; fi
times >'$tmp/cpu'/\$\$-\$(date +%s%N) # of the shell and of its children; in a pipe they would be another shell's
exit \$code
WORKER
chmod 755 worker
# cpu FILE ... is the sum of the times in files, in seconds.
cpu() { tail -q -n 1 "$@" | tr ' ' '\n' | awk -F'[ms]' 'NF > 1 { total += 60 * $1 + $2 } END { printf "%.2f\n", total }'; }
points=5000 economies=20000
design $points 2 >large.yaml
echo "max_runs: $economies" >>large.yaml

"$ECON_MCP" sweep large.yaml --out sweeps/large --on slurm --tasks 4 --program "$tmp/worker" >out.txt
cat out.txt
job=$(job_of out.txt)
for kill in $(seq 12); do
  while [ "$(recorded sweeps/large)" -lt $((kill * economies / 13)) ]; do
    [ -n "$(queue --job "$job")" ] || fail "the job ended early"
    hurry "$job"
    sleep .2
  done
  task=$(queue --array --states=RUNNING --format=%K --job "$job" | shuf -n 1)
  if [ $((kill % 2)) = 0 ]; then
    scontrol requeue "${job}_$task" && echo "$(recorded sweeps/large) recorded: task $task requeued"
  else
    until pid=$(worker "$tmp/sweeps/large" "$task") && [ -n "$pid" ]; do sleep .05; done
    kill -9 "$pid" && echo "$(recorded sweeps/large) recorded: worker $pid of task $task killed"
  fi
done
ended "$job"
grep -h -oE 'was killed \(137\)|restarts [1-9]' sweeps/large/logs/* | sort | uniq -c

# The same here, by one worker with one thread, as those of the tasks, that nobody disturbs.
mv cpu there && mkdir cpu
[ "$(find there -type f | wc -l)" = 16 ] || echo "$(find there -type f | wc -l) of 16 workers have left their CPU time: what follows is too low"
"$ECON_MCP" sweep plan large.yaml --out sweeps/large-here >/dev/null
GOMAXPROCS=1 "$tmp/worker" sweep work sweeps/large-here --threads 1 --no-cache 2>/dev/null
"$ECON_MCP" sweep merge sweeps/large-here >/dev/null
as_here sweeps/large sweeps/large-here $economies
awk -v there="$(cpu there/*)" -v here="$(cpu cpu/*)" -v n=$economies 'BEGIN {
  printf "CPU of all workers %.1f s, of one worker here %.1f s: %.2f ms more a run of %.2f ms\n", there, here, 1000 * (there - here) / n, 1000 * here / n
}'
