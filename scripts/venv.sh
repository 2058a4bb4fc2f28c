#!/usr/bin/env bash
# Makes the project's own environment and installs into it, with uv where it works and with pip where it does not.
#   scripts/venv.sh create DIR            a new environment, unless there is a usable one
#   scripts/venv.sh install DIR ARGS...   installs what ARGS name, as `pip install ARGS` would
#   scripts/venv.sh node DIR              fails, and says what to do, when there is no Node to build the front end with
set -euo pipefail

OLDEST_PYTHON="3.11"   # requires-python
OLDEST_NODE="20.19"    # the front end's bundler needs ^20.19 or >=22.12

# A machine's own settings for pip must not reach into this environment.
export PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
unset PIP_TARGET PIP_PREFIX PIP_CONSTRAINT PYTHONHOME PYTHONPATH

say() { printf '%s\n' "$*" >&2; }

python_is_new_enough() {
  "$1" -c "import sys; sys.exit(sys.version_info < tuple(map(int, '$OLDEST_PYTHON'.split('.'))))" 2>/dev/null
}

find_python() {
  local name
  for name in ${PYTHON:-} python3.13 python3.12 python3.11 python3 python; do
    if command -v "$name" >/dev/null && python_is_new_enough "$name"; then
      command -v "$name"
      return
    fi
  done
  say "crewlab needs Python $OLDEST_PYTHON or newer and none was found. Install one (on Debian: apt-get install python3 python3-venv),"
  say "or name it: make PYTHON=/path/to/python3 ..."
  return 1
}

uv_works() { command -v uv >/dev/null && uv --version >/dev/null 2>&1; }

create() {
  local dir=$1 python
  if [ -x "$dir/bin/python" ] && python_is_new_enough "$dir/bin/python"; then
    return
  fi
  python=$(find_python)
  rm -rf "$dir"
  if uv_works && uv venv --quiet --seed --python "$python" "$dir"; then
    return
  fi
  rm -rf "$dir"
  "$python" -m venv "$dir" || {
    say "Python could not make an environment in $dir. On Debian: apt-get install python3-venv"
    return 1
  }
}

install() {
  local dir=$1
  shift
  if uv_works && uv pip install --quiet --python "$dir/bin/python" "$@"; then
    return
  fi
  if uv_works; then say "uv could not install; trying pip, which may know another package index"; fi
  "$dir/bin/python" -m pip --version >/dev/null 2>&1 || "$dir/bin/python" -m ensurepip --upgrade
  "$dir/bin/python" -m pip install --quiet "$@"
}

node() {
  local program found="none"
  program=$(PATH="$1/bin:$PATH" type -P node) && found=$("$program" --version | tr -d v)
  case "$found" in
    20.19.* | 20.[2-9][0-9].* | 22.1[2-9].* | 22.[2-9][0-9].* | 2[3-9].* | [3-9][0-9].*) return ;;
  esac
  say "Building crewlab's front end from source needs Node.js $OLDEST_NODE or newer (found: $found). Only building needs it:"
  say "an installed crewlab does not. Install Node.js, or let this repository keep one of its own:  make node"
  return 1
}

action=$1
shift
case "$action" in
  create | install | node) "$action" "$@" ;;
  *) say "unknown action: $action"; exit 2 ;;
esac
