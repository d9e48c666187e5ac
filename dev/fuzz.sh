#!/bin/sh
# Fuzzes codecs:  dev/fuzz.sh [CODEC [MINUTES]]
# CODEC is the name of a lab's subject (line, gzip, http1-request, ...) or "all", the default; each is fuzzed for MINUTES
# (default 1), the build not counted. Seeds are fresh; FUZZ_SEED=N repeats a run. A failure prints its seed and leaves the
# input in MODULE/target/lab/CODEC/: a copy of that in src/test/resources/lab/CODEC/ is tried by every build.
# Ends with 0 when nothing was found, 1 when something was, 2 when there is no such codec.
set -eu
cd "$(dirname "$0")/.."
here="$PWD"
usage() { sed -n '2,6s/^# //p' dev/fuzz.sh; }
case "${1-}" in -h | --help) usage; exit 0 ;; -*) usage >&2; exit 2 ;; esac
codec="${1-all}"
minutes="${2-1}"
case "$minutes" in '' | *[!0-9.]*) usage >&2; exit 2 ;; esac
seconds="$(awk "BEGIN { s = int($minutes * 60); print s > 0 ? s : 1 }")"
labs="$(grep -rl 'implements CodecLab' --include='*LabTest.java' codec http resolver tls 2>/dev/null | sort)"
modules="$(printf '%s\n' "$labs" | sed 's#/src/test/.*##' | sort -u)"
./mvnw -B -ntp -q -Dspotless.check.skip -pl "$(printf '%s' "$modules" | tr '\n' ',')" -am test-compile \
  dependency:build-classpath -Dmdep.outputFile='${project.build.directory}/test.classpath' -Dmdep.includeScope=test >&2
version="$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' pom.xml)"
launcher="$(find "${HOME}/.m2/repository/org/junit/platform/junit-platform-launcher/$version" -name '*.jar')"
known=''
found=''
status=0
for module in $modules; do
  classes="$(printf '%s\n' "$labs" | sed -n "s#^$module/src/test/java/\(.*\)[.]java\$#\1#p" | tr '/' '.')"
  path="$(cat "$module/target/test.classpath"):$here/$module/target/classes:$here/$module/target/test-classes:$launcher"
  run() {
    (cd "$module" && "$here/jdk" java --enable-native-access=ALL-UNNAMED --illegal-native-access=deny \
      --sun-misc-unsafe-memory-access=deny -Dio.weft.leakLedger=true -Dio.weft.memory.max=536870912 \
      -Dio.weft.lab.seconds="$seconds" ${FUZZ_SEED:+-Dio.weft.lab.seed="$FUZZ_SEED"} \
      -cp "$path" "$here/dev/Fuzz.java" "$@" $classes)
  }
  subjects="$(run list)"
  known="$known $subjects"
  if [ "$codec" = all ] || printf '%s\n' "$subjects" | grep -qxF -e "$codec"; then
    found=1
    run "$codec" || status=1
  fi
done
[ -n "$found" ] || { echo "no codec: $codec (expected: all, or one of" $known')' >&2; exit 2; }
exit $status
