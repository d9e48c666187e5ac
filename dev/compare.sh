#!/bin/sh
# Compares two source trees, such as worktrees of two commits, in interleaved rounds, and prints a table in Markdown:
#   dev/compare.sh BEFORE [AFTER] [--quick] [--only REGEX] [--minutes N] [--again]
# AFTER is this tree, unless said otherwise. Rows are those benchmarks of Weft that both trees have (by the names of class and
# method), hello-http under wrk, its start, the memory of an idle connection, and the committed budgets.
#   --quick       the parameters of a quick run and short iterations: about 25 minutes on two quiet cores
#   --only REGEX  only rows in whose names it is found: 'Tick/', 'hello-http', 'Start', 'IdleConnection'
#   --minutes N   begins nothing after N minutes and ends with 3; the same command goes on where it stopped
#   --again       measures everything anew
# Ends with 1 when a row is worse in each of its rounds and by more than 2 % in the median.
# Results are kept in target/compare until one of the trees is built again. Rows that are worse in all rounds get more rounds.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
usage() { sed -n '3s/^# */usage: /p' "$here/dev/compare.sh" >&2; exit 2; }
here="$(cd "$(dirname "$0")/.." && pwd)"
work="$here/target/compare"
before='' after='' options=''
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) options="$options --quick" ;;
    --again) rm -rf -- "$work" ;;
    --only | --minutes)
      [ $# -gt 1 ] || usage
      options="$options $1 $2"
      shift ;;
    -*) usage ;;
    *)
      tree="$(cd "$1" && pwd)"
      if [ -z "$before" ]; then before="$tree"; elif [ -z "$after" ]; then after="$tree"; else usage; fi ;;
  esac
  shift
done
[ -n "$before" ] || usage
after="${after:-$here}"
for tree in "$before" "$after"; do
  jar="$tree/verify/bench/target/benchmarks.jar"
  [ -f "$jar" ] && [ -d "$tree/examples/target/modules" ] && [ -z "$(find "$tree" \( -name target -o -name .git -o -name dev \
    -o -path '*/src/test' \) -prune -o -type f \( -name '*.java' -o -name pom.xml \) -newer "$jar" -print | head -n 1)" ] && continue
  echo "building $tree ..." >&2
  (cd "$tree" && ./mvnw -B -ntp -q -Pquick -pl verify/bench,examples -am package >&2)
  touch "$jar"
done
# shellcheck disable=SC2086 # a regex has no spaces
exec "$here/jdk" java "$here/dev/compare/Compare.java" "$work" "$before" "$after" $options
