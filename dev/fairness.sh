#!/bin/sh
# Prints the latencies of one HTTP client beside 200 that pipeline without end:
#   dev/fairness.sh [ENGINE [CLIENTS [read|hold [SECONDS]]]]     hold: they do not take their answers; auto 200 read 5
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
./mvnw -q -B -ntp -Pquick -pl verify/bench -am compile >&2
path="$(printf ':%s' */*/target/classes)" # of all modules that the benchmarks need
exec ./jdk java --enable-native-access=ALL-UNNAMED -cp "${path#:}" io.weft.bench.fairness.Fairness "$@"
