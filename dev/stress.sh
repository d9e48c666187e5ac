#!/bin/sh
# Runs the concurrency tests of verify/stress on jcstress:  dev/stress.sh [--full] [REGEX]
#   dev/stress.sh           a short run in one JVM configuration, a few minutes
#   dev/stress.sh --full    all configurations of compilers and processors, an hour or more
#   REGEX                   only tests whose name it is found in, such as WakeStress
# The tests must all pass, and their broken twins must all fail: else the tests see nothing.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."

full=''
[ "${1-}" != --full ] || { full=1; shift; }
regex="${1-}"
jar="$PWD/verify/stress/target/stress.jar"
out="$PWD/verify/stress/target/results"
jdk="$PWD/jdk"

./mvnw -q -B -ntp -Pquick,stress -pl verify/stress -am package >&2
rm -rf "$out"
mkdir -p "$out"
cd "$out" # jcstress leaves its results where it is called

jcstress() { "$jdk" java --enable-native-access=ALL-UNNAMED -jar "$jar" "$@"; }

stress() { # stress LOG REGEX
  log="$1"
  if [ -n "$full" ]; then
    set -- -m default -t "$2"
  else
    set -- -f 1 -fsm 1 -iters 3 -time 1000 -sc false -af NONE -jvmArgs -Xmx256m -t "$2"
  fi
  jcstress "$@" -r "$log" >"$log.log" 2>&1
}

failed=0
passed=0
tests="$(jcstress -l true | grep -E '^[A-Za-z0-9_.]+$' | grep -E -e "$regex" || true)"
[ -n "$tests" ] || { echo "no test matches: $regex" >&2; exit 2; }
pattern() { printf '^(%s)$' "$(printf '%s' "$1" | tr '\n' '|')"; }

good="$(printf '%s\n' "$tests" | grep -v '[.]Broken' || true)"
if [ -n "$good" ]; then
  stress tests "$(pattern "$good")" || true
  # A run that ends before its time leaves no verdict, and no test is to pass for lack of one.
  grep -q 'HTML report generated' tests.log || { cat tests.log; exit 1; }
  for test in $good; do
    if grep -qE "\[(FAILED|ERROR|SOFT ERROR|HARD ERROR)[^]]*\] $test\$" tests.log; then
      echo "FAILED  $test"
      failed=$((failed + 1))
    else
      passed=$((passed + 1))
    fi
  done
fi

twins="$(printf '%s\n' "$tests" | grep '[.]Broken' || true)"
if [ -n "$twins" ]; then
  stress twins "$(pattern "$twins")" || true
  for twin in $twins; do
    if grep -qF "[FAILED] $twin" twins.log; then
      passed=$((passed + 1))
    else
      echo "PASSED  $twin (expected: a failure)"
      failed=$((failed + 1))
    fi
  done
fi

echo "results: $out/tests.log, $out/twins.log"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
