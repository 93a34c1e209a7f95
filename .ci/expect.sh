# Sourced by the other scripts of this directory.

expect() { # expect WANTED COMMAND...: the command's output is exactly this
  local wanted=$1 got
  shift
  got=$("$@") || true
  if [[ $got != "$wanted" ]]; then
    printf 'ci: %s\n  printed: %s\n  wanted:  %s\n' "$*" "$got" "$wanted" >&2
    exit 1
  fi
}
