# shellcheck shell=bash
# Helpers of every APP/{start,stop,reset}.
#
# Everything an application needs at run time lives under $APPLICATIONS_STATE (default: the user's cache folder).
# Layout per application:
#   $S/seed   pristine data, made once          $S/data   live copy of it
#   $S/run    pid files                         $S/log    server output
set -euo pipefail

APP_DIR=$(cd "$(dirname "$0")" && pwd)
KIT_DIR=$(cd "$APP_DIR/.." && pwd)
APP=$(basename "$APP_DIR")
STATE=${APPLICATIONS_STATE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-applications}
S=$STATE/$APP
HOST=127.0.0.1
mkdir -p "$S/run" "$S/log"

say() { printf '[%s] %s\n' "$APP" "$*" >&2; }
die() { say "ERROR: $*"; exit 1; }

# apt_need PKG... : install Debian packages that are missing, without letting
# their maintainer scripts start any service.
apt_need() {
  local p miss=()
  for p in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null || true)" = installed ] || miss+=("$p")
  done
  [ ${#miss[@]} -eq 0 ] && return 0
  say "installing Debian packages: ${miss[*]}"
  local made=
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d; made=1
  fi
  if [ -z "$(find /var/lib/apt/lists -name '*_Packages*' -mmin -1440 2>/dev/null | head -1)" ]; then
    apt-get update -qq >"$S/log/apt.log" 2>&1 || true
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${miss[@]}" >>"$S/log/apt.log" 2>&1 \
    || { [ -n "$made" ] && rm -f /usr/sbin/policy-rc.d; die "apt-get failed, see $S/log/apt.log"; }
  [ -n "$made" ] && rm -f /usr/sbin/policy-rc.d
  return 0
}

# venv_need REQ... : a virtual environment of the app's own in $S/venv.
venv_need() {
  local want="$*"
  [ -f "$S/venv.ok" ] && [ "$(cat "$S/venv.ok")" = "$want" ] && return 0
  say "installing Python packages: $want"
  [ -x "$S/venv/bin/python" ] || python3 -m venv "$S/venv"
  "$S/venv/bin/pip" install -q "$@" >"$S/log/pip.log" 2>&1 || die "pip failed, see $S/log/pip.log"
  printf '%s' "$want" > "$S/venv.ok"
}

# npm_need PKG... : node_modules of the app's own in $S/node.
npm_need() {
  local want="$*"
  [ -f "$S/node.ok" ] && [ "$(cat "$S/node.ok")" = "$want" ] && return 0
  say "installing npm packages: $want"
  mkdir -p "$S/node"
  [ -f "$S/node/package.json" ] || echo '{"private":true}' > "$S/node/package.json"
  (cd "$S/node" && npm install --no-audit --no-fund "$@") >"$S/log/npm.log" 2>&1 || die "npm failed, see $S/log/npm.log"
  printf '%s' "$want" > "$S/node.ok"
}

# bg NAME CMD... : run in the background in its own session, remember the pid.
bg() {
  local name=$1; shift
  setsid nohup "$@" >"$S/log/$name.log" 2>&1 </dev/null &
  echo $! > "$S/run/$name.pid"
}

alive() {
  local f=$S/run/$1.pid
  [ -f "$f" ] && kill -0 "$(cat "$f")" 2>/dev/null
}

# kill_bg NAME : end the process group that bg started (and only that one).
kill_bg() {
  local f=$S/run/$1.pid pid i
  [ -f "$f" ] || return 0
  pid=$(cat "$f")
  if kill -0 "$pid" 2>/dev/null; then
    kill -TERM -- "-$pid" 2>/dev/null || kill -TERM "$pid" 2>/dev/null || true
    for i in $(seq 1 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done
    kill -0 "$pid" 2>/dev/null && { kill -KILL -- "-$pid" 2>/dev/null || kill -KILL "$pid" 2>/dev/null || true; }
  fi
  rm -f "$f"
}

stop_all() { local f; for f in "$S"/run/*.pid; do [ -e "$f" ] && kill_bg "$(basename "$f" .pid)"; done; return 0; }

http_ok() {
  if command -v curl >/dev/null; then curl -fsS -o /dev/null --max-time 10 "$1" 2>/dev/null
  else python3 -c 'import sys,urllib.request as u; u.urlopen(sys.argv[1],timeout=10)' "$1" 2>/dev/null; fi
}

# wait_http URL [SECONDS]
wait_http() {
  local url=$1 n=${2:-60} i
  for i in $(seq 1 "$n"); do http_ok "$url" && return 0; sleep 1; done
  die "no answer from $url after ${n}s, see $S/log"
}

# restore : put the pristine data back in place of the live data.
restore() { rm -rf "$S/data"; cp -a "$S/seed" "$S/data"; }

ready() { say "ready at $1"; }

# npm_unpack PKG@VERSION FOLDER : the files of one npm package, without its dependencies.
npm_unpack() {
  [ -d "$2" ] && return 0
  say "fetching $1"
  (cd "$S" && rm -f ./*.tgz && npm pack "$1" --silent >/dev/null 2>"$S/log/npm.log" && mkdir -p "$2.tmp" && tar xzf ./*.tgz -C "$2.tmp" --strip-components=1 && rm -f ./*.tgz && mv "$2.tmp" "$2") || die "npm pack failed"
}
