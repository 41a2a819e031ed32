#!/usr/bin/env bash
# Makes the stores that the program of a build leaves behind, all or those of some states,
# in a folder beside this script. Needs sqlite3 and zip.
#
#   make.sh PROGRAM FOLDER [STATE...]
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)/$2
shift 2
mkdir -p "$here"
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -9 "$server"; rm -rf "$work"' EXIT
cd "$work"

# The smallest economy with all markets; in its long burn-in there is time to look at it.
economy='"num_households":240,"households_per_firm":8,"num_industries":3,"min_per_cat":2'
short="{$economy,\"burn_in_months\":6}"
long="{$economy,\"burn_in_months\":800,\"random_state\":SEED}"
raise='"vat_rate":0.2'

call() { "$program" call "$@" --data store >>log 2>&1 || { tail log; exit 1; }; }

# shell asks the database something, as it is on disk at the moment.
shell() { sqlite3 -readonly store/econ-mcp.db "$1" 2>/dev/null || true; }

# serve starts a server to be killed; tool calls one of its tools.
serve() {
  mkfifo in
  "$program" serve --data store --workers "${1:-2}" <in >>log 2>&1 &
  server=$!
  exec 3>in
  cat >&3 <<'JSON'
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"make.sh","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
JSON
}
tool() { printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" >&3; }

# reach waits until a query says 1.
reach() {
  local n
  for n in $(seq 3000); do
    [ "$(shell "$1")" != 1 ] || return 0
    sleep .01
  done
  echo "never: $1" >&2; tail log; exit 1
}

# worth has the burn-in under way take over a second, which is what a checkpoint has to save.
worth() {
  reach "SELECT state = 'burn_in' FROM experiment"
  kill -STOP "$server"
  sleep 1.2
  kill -CONT "$server"
}

# end ends the server by a signal: KILL leaves everything as it is at that moment.
end() {
  kill "-$1" "$server"
  exec 3>&-
  wait "$server" 2>/dev/null || true
  server=
  rm in
}

# export keeps what the program itself says of a completed experiment.
keep_export() {
  mkdir -p exported
  cp -r store copy
  "$program" export "$1" --data copy --out "exported/$1" >>log
  rm -rf copy exported/*/figures exported/*/*.html exported/*/*.parquet exported/*/scenario*.yaml exported/*/ro-crate-metadata.json
}

# ends notes the state in which every run ends that the build itself takes up from here, once
# it has found the same bits without an interruption.
ends() {
  local name
  cp -r store copy
  for name in $(sqlite3 copy/econ-mcp.db "SELECT name FROM experiment WHERE state NOT IN ('completed', 'stopped')"); do
    "$program" call resume_simulation experiment_name="$name" --data copy >>log 2>&1
    "$program" rerun "$name" --data copy >>log
    sqlite3 -separator ' ' copy/econ-mcp.db "SELECT '$1', '$name/' || arm.name || '/' || replication, state_hash
      FROM run JOIN arm ON arm.id = arm JOIN experiment ON experiment.id = experiment
      WHERE experiment.name = '$name' ORDER BY arm.number, replication" >>"$here/ends.txt"
  done
  rm -rf copy
}

# pack packs the store under the name of its state. Burnt-in states are kept by every store
# for itself, and the memory that its users share is made anew.
pack() {
  rm -rf store/burn-in store/econ-mcp.db-shm "$here/$1.zip"
  zip -9 -qrX "$here/$1.zip" store $([ ! -d exported ] || echo exported)
  ends "$1"
  rm -rf store exported
  printf '%-20s %s bytes\n' "$1" "$(stat -c %s "$here/$1.zip")"
}

# One arm, with everything that a user may add: a preset, a config, research, an analysis.
completed() {
  call batch_set_parameters parameters="$short"
  call save_preset name=small parameters="$short" description="A small economy"
  call save_current_config_to_yaml config_name=small_config
  call start_simulation experiment_name=single months=4 replications=2 question="How unequal is a small economy?"
  call capture_experiment experiment_name=single hypothesis="It is" tags=small,first notes="Two lines
of notes" status=completed
  call analyze_experiment experiment_name=single window=2,4
  keep_export single
}

# Two arms by a plan, with an intervention, and with what was asked beyond the plan.
compared() {
  call save_preset name=small parameters="$short"
  call batch_set_parameters parameters="${short%\}},$raise}"
  call start_simulation experiment_name=pair months=4 replications=2 control=small \
    plan='{"outcomes":["cpi","real_gdp","unemployment_rate"],"window":[2,4],"smallest_effect":0.02,"direction":"higher"}'
  call compare_experiments experiment_names=pair metrics=income_gini window=3,4
  keep_export pair
}

# Stopped, paused without a checkpoint, and killed.
paused() {
  call batch_set_parameters parameters="$short"
  serve
  tool start_simulation '{"experiment_name":"stopped","months":6,"replications":1,"pause_at_month":2}'
  reach "SELECT state = 'paused' AND month = 2 FROM experiment WHERE name = 'stopped'"
  tool stop_simulation '{"experiment_name":"stopped"}'
  reach "SELECT state = 'stopped' FROM experiment WHERE name = 'stopped'"
  tool start_simulation '{"experiment_name":"paused","months":6,"replications":2,"pause_at_month":3}'
  reach "SELECT state = 'paused' AND month = 3 FROM experiment WHERE name = 'paused'"
  end KILL
}

# Paused with a checkpoint, and killed.
paused_checkpoint() {
  call save_preset name=small parameters="${long/SEED/7}"
  call batch_set_parameters parameters="$(tmp=${long/SEED/7}; echo "${tmp%\}},$raise}")"
  serve
  tool start_simulation '{"experiment_name":"kept","months":6,"replications":2,"control":"small","pause_at_month":2}'
  worth
  reach "SELECT state = 'paused' AND checkpoint.month = 2 FROM experiment JOIN checkpoint ON checkpoint.experiment = id"
  end KILL
}

# Running from month 3 on, with an intervention to come, and killed; another one waits.
running() {
  call batch_set_parameters parameters="${long/SEED/8}"
  serve 1
  tool start_simulation '{"experiment_name":"running","months":400,"replications":1,"pause_at_month":3}'
  worth
  reach "SELECT state = 'paused' AND checkpoint.month = 3 FROM experiment JOIN checkpoint ON checkpoint.experiment = id"
  tool inject_intervention '{"experiment_name":"running","intervention_type":"policy","target_month":12,"parameters":{"policy":"minimum_wage","level":0.6}}'
  tool resume_simulation '{"experiment_name":"running"}'
  reach "SELECT state = 'running' FROM experiment"
  end KILL
}

# In its burn-in with another one queued behind it, and killed.
queued() {
  call batch_set_parameters parameters="${long/SEED/9}"
  serve 1
  tool start_simulation '{"experiment_name":"first","months":6,"replications":1}'
  reach "SELECT state = 'burn_in' FROM experiment"
  tool start_simulation '{"experiment_name":"second","months":6,"replications":2}'
  reach "SELECT state = 'queued' FROM experiment WHERE name = 'second'"
  end KILL
}

# Interrupted by the end of the server, which takes a checkpoint.
interrupted() {
  call batch_set_parameters parameters="${long/SEED/10}"
  serve
  tool start_simulation '{"experiment_name":"interrupted","months":6,"replications":1,"pause_at_month":2}'
  worth
  reach "SELECT state = 'paused' FROM experiment"
  end TERM
}

# Replications until the interval is narrow: ended at the cap, and killed between the ten that
# every such experiment has first and the others.
auto() {
  call batch_set_parameters parameters="$short"
  call start_simulation experiment_name=auto_ended months=2 replications=auto \
    plan='{"outcomes":["real_gdp"],"half_width":0.001,"max_replications":3}'
  keep_export auto_ended
}

auto_killed() {
  call batch_set_parameters parameters="${long/SEED/11}"
  serve
  tool start_simulation '{"experiment_name":"auto_killed","months":2,"replications":"auto","plan":{"outcomes":["real_gdp"],"half_width":0.001,"max_replications":12}}'
  reach "SELECT state = 'burn_in' AND replications < max(replication) AND max(run.month) = 2 FROM experiment, run"
  end KILL
}

[ $# -gt 0 ] || set -- completed compared queued running paused paused_checkpoint interrupted auto auto_killed
for name; do
  "$name"
  pack "$name"
done
