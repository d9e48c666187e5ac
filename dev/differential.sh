#!/bin/sh
# Compares the decoders of HTTP/1.1 with the oracles made from the RFCs:  dev/differential.sh [INPUTS]
# INPUTS (default 1000000, some minutes) are generated from a fresh seed; SEED=N repeats a run. A divergence that
# docs/http1.md does not explain prints the seed and the input: commit the seed in its test with the fix.
set -eu
cd "$(dirname "$0")/.."
case "${1-1000000}" in
  -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
  '' | *[!0-9]*) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
seed="${SEED-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}"
echo "differential: seed $seed"
exec ./mvnw -B -ntp -q -pl http/http1 -am -Dtest=RequestOracleTest+ResponseOracleTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dio.weft.test.seed="$seed" -Dio.weft.http1.inputs="${1-1000000}" test
