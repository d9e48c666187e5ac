#!/bin/sh
# Changes the code of a module in small ways and counts the changes that its tests notice (PIT):
#   dev/mutation.sh MODULE [CLASSES [TESTS]]
# MODULE is a directory (core/loop, codec/framing, ...), CLASSES and TESTS are globs, comma-separated, for some of its classes
# (io.weft.loop.Timer*; default: all). One thread; minutes for a few classes, an hour for a large module. The report is
# MODULE/target/mutation/index.html, the survivors are printed. Tests run on the class path. No part of ./mvnw verify.
set -eu
cd "$(dirname "$0")/.."
case "${1-}" in
  '' | -h | --help) sed -n '2,6s/^# //p' "$0"; [ $# -gt 0 ] && exit 0 || exit 2 ;;
esac
module="${1%/}"
[ -d "$module/src/main/java" ] || { echo "no module: $module (expected: a directory such as core/loop)" >&2; exit 2; }
package="$(sed -n 's/^ *exports \(io[.a-z0-9]*\);.*/\1/p' "$module/src/main/java/module-info.java" | head -1)"
classes="${2-$package.*}"
tests="${3-$package.*}"

./mvnw -B -ntp -q -Dspotless.check.skip -pl "$module" -am test-compile dependency:build-classpath \
  -Dmdep.outputFile='${project.build.directory}/test.classpath' -Dmdep.includeScope=test
./mvnw -B -ntp -q -f dev/mutation/pom.xml dependency:build-classpath -Dmdep.outputFile="$PWD/target/mutation.classpath"
mine="$PWD/$module/target/classes,$PWD/$module/target/test-classes"
path="$mine,$(tr ':' ',' <"$module/target/test.classpath")"
out="$PWD/$module/target/mutation"
rm -rf "$out"

cd "$module"
# Fewer rounds of what is repeated for the sake of races, which no mutant is found by.
../../jdk java -cp "$(cat ../../target/mutation.classpath)" org.pitest.mutationtest.commandline.MutationCoverageReport \
  --classPath "$path" --mutableCodePaths "$PWD/target/classes" --sourceDirs "$PWD/src/main/java" \
  --targetClasses "$classes" --targetTests "$tests" --excludedGroups follows-leaks,unchecked,peer \
  --reportDir "$out" --outputFormats HTML,CSV --timestampedReports=false --threads 1 --timeoutConst 3000 --timeoutFactor 1.5 \
  --jvmArgs "--enable-native-access=ALL-UNNAMED,-Dio.weft.leakLedger=true,-Dio.weft.memory.max=536870912,-Dio.weft.misuses=2000,-Djunit.jupiter.extensions.autodetection.enabled=true,-Xmx1g" \
  >"$out.log" 2>&1 || { tail -40 "$out.log"; exit 1; }
sed -n '/^>> Generated/,$p' "$out.log" | head -6
awk -F, '$6 == "SURVIVED" || $6 == "NO_COVERAGE" { sub(/.*mutators\./, "", $3); print $6, $2 "." $4 ":" $5, $3 }' "$out/mutations.csv"
