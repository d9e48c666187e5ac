#!/bin/sh
# Looks for tests that fail now and then:  dev/repeat.sh MODULE [NAMES [SECONDS]]
# Runs the test classes of MODULE (a directory: core/loop, verify/conformance, ...) whose names match the regular
# expression NAMES (default: all) for SECONDS each (default 10), classes and methods in random order, random tests and
# simulations from fresh seeds (those that failed are added to MODULE/target/failing-seeds.txt). Two at once, or one beside a
# build, find more. REPEAT_SEED=N repeats the order and seeds of a run; PEERS=true takes the tests with peers along.
# LoopLocalTest fails after some runs, and ObjectPoolTest with it: the numbers of loop-locals are finite, and they use them up.
# PortsTest, after 370, has used up the ports that one process may be given.
# LogLinesTest fails in its second run: it looks at a line that a process logs once. What verify/budget counts has the
# leak ledger in it here.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
here="$(cd "$(dirname "$0")/.." && pwd)"
[ $# -gt 0 ] || { sed -n '2,10s/^# //p' "$0" >&2; exit 2; }
module="$1"
cd "$here"
./mvnw -B -ntp -q -Dspotless.check.skip -pl "$module" -am test-compile dependency:build-classpath \
  -Dmdep.outputFile='${project.build.directory}/test.classpath' -Dmdep.includeScope=test
classpath="$(cat "$module/target/test.classpath"):$here/$module/target/classes:$here/$module/target/test-classes"
version="$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' pom.xml)"
launcher="$(find "${HOME}/.m2/repository/org/junit/platform/junit-platform-launcher/$version" -name '*.jar')"
cd "$module"
exec "$here/jdk" java --enable-native-access=ALL-UNNAMED --illegal-native-access=deny \
  --sun-misc-unsafe-memory-access=deny -Dio.weft.leakLedger=true -Dio.weft.memory.max=536870912 \
  -Dpeers="${PEERS:-false}" -cp "$classpath:$launcher" "$here/dev/Repeat.java" "$PWD/target/test-classes" \
  "${2:-.}" "${3:-10}" ${REPEAT_SEED:+"$REPEAT_SEED"}
