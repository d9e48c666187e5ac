#!/bin/sh
# Hands 10^8 tasks to a loop that keeps falling asleep, and prints the worst wait beside the machine's own:
#   dev/handoffs.sh [N]     N hand-offs instead; a few minutes for 10^8
# Then how long idle executors take to shut down. Fails when a task waited for more than 10 ms and the machine is not to blame.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
./mvnw -q -B -ntp -Pquick -pl verify/stress -am compile >&2
exec ./jdk java -cp verify/stress/target/classes:core/loop/target/classes io.weft.loop.HandOffs "$@"
