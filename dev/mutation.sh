#!/bin/sh
# Changes the code of a module in small ways and counts the changes that its tests notice:
#   [PEERS=true] dev/mutation.sh MODULE[@TESTER,...] [CLASSES [TESTS [SECONDS]]]
# MODULE is a directory (core/loop, codec/framing, ...), TESTERS the modules whose tests are run in place of its own, in the
# directory of the first (tls/machine@tls/openssl,verify/conformance); PEERS=true runs those with real peers, too. CLASSES and
# TESTS are globs, comma-separated, for some of the classes
# (io.weft.loop.Timer*, with ! in front for those to leave out; default: all), SECONDS what the tests for one change may take
# (default 6; the shortest go first). Minutes for a module. Survivors and the scores by class are printed, and all changes
# are in MODULE/target/mutation/mutants.txt. Tests run on the class path. No part of ./mvnw verify.
set -eu
cd "$(dirname "$0")/.."
here="$PWD"
case "${1-}" in
  '' | -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; [ $# -gt 0 ] && exit 0 || exit 2 ;;
esac
module="${1%%@*}"
module="${module%/}"
testers="$(printf %s "${1#*@}" | tr ',' ' ')"
for directory in "$module/src/main/java" $(printf '%s/src/test/java ' $testers); do
  [ -d "$directory" ] || { echo "no such directory: $directory (expected: a module such as core/loop)" >&2; exit 2; }
done
./mvnw -B -ntp -q -Dspotless.check.skip -pl "$module,$(echo $testers | tr ' ' ',')" -am test-compile dependency:build-classpath \
  -Dmdep.outputFile='${project.build.directory}/test.classpath' -Dmdep.includeScope=test
version="$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' pom.xml)"
launcher="$(find "${HOME}/.m2/repository/org/junit/platform/junit-platform-launcher/$version" -name '*.jar')"
path="$launcher"
classes=
for tester in $testers; do
  path="$path:$(cat "$tester/target/test.classpath")"
  classes="$classes:$here/$tester/target/test-classes"
done
out="$here/$module/target/mutation"
rm -rf "$out"
mkdir -p "$out/tool"
./jdk javac -d "$out/tool" -cp "$path" dev/mutation/*.java

cd "${testers%% *}"
# Fewer rounds of what is repeated for the sake of races, which no mutant is found by.
"$here/jdk" java -cp "$out/tool" Mutation "$here/$module/target/classes" "${classes#:}" "$path" "$out" \
  "${2-io.weft.*}" "${3-io.weft.*}" "${4-6}" \
  -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null -Xmx1g \
  --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=deny \
  -Dio.weft.leakLedger=true -Dio.weft.memory.max=536870912 -Dio.weft.misuses=2000 -Dpeers="${PEERS-false}"
