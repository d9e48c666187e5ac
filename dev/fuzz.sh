#!/bin/sh
# Fuzzes codecs for as long as one likes:  dev/fuzz.sh [CODEC [MINUTES]]
# CODEC is the name of a lab's subject (line, gzip, http1-request, ...) or "all"; each gets MINUTES (default 1).
# A failure prints the seed and the input in hexadecimal: put that into src/test/resources/lab/CODEC/ of its module.
# FUZZ_SEED=N repeats a run.
set -eu
here="$(cd "$(dirname "$0")/.." && pwd)"
codec="${1-all}"
minutes="${2-1}"
[ "$codec" = all ] && codec=
# The modules with a lab, in the order of the build.
labs="$(cd "$here" && grep -rl 'implements CodecLab' --include='*LabTest.java' codec http resolver 2>/dev/null | sed 's#/src/test/.*##' | sort -u | tr '\n' ',' | sed 's/,$//')"
cd "$here"
exec ./mvnw -B -ntp -q -pl "$labs" -am test -Dtest='*LabTest' -Dsurefire.failIfNoSpecifiedTests=false \
  -Dio.weft.lab.subject="$codec" -Dio.weft.lab.seconds="$((minutes * 60))" \
  ${FUZZ_SEED:+-Dio.weft.lab.seed="$FUZZ_SEED"} -Dtest.timeout=0
