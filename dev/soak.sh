#!/bin/sh
# Runs all random tests from fresh seeds:  dev/soak.sh [MINUTES]
# MINUTES (default 30) are shared between the suites with seeds of their own, the codec labs, traffic on every transport, the
# matrix of protocols, simulated episodes and TLS handshakes; builds are not counted. What fails is printed, and its seed added to
# target/failing-seeds.txt: commit such a seed, or the input, with the fix.
set -u
cd "$(dirname "$0")/.."
case "${1-30}" in
  -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
  '' | *[!0-9]*) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
seconds=$((${1-30} * 60))
mkdir -p target
failing="$PWD/target/failing-seeds.txt"
log="$PWD/target/soak.log"
status=0

suite() { # suite NAME COMMAND...: keeps the lines with seeds of one that fails
  name="$1"
  shift
  echo "soak: $name"
  if ! "$@" >"$log" 2>&1; then
    status=1
    echo "FAILED  $name"
    grep -iE 'seed|broken|kept in' "$log" | sed "s|^|$name: |" | tee -a "$failing" || true
    tail -20 "$log"
  fi
}

until_over() { # until_over SECONDS COMMAND...: again and again
  end=$(($(date +%s) + $1))
  shift
  while [ "$(date +%s)" -lt "$end" ]; do "$@" || return 1; done
}

conformance() { # conformance TEST PROPERTY
  [ -n "$(find verify/conformance/src/test -name "$1.java")" ] || return 0
  ./mvnw -B -ntp -q -Dspotless.check.skip -pl verify/conformance -am test -Dtest="$1" \
    -Dsurefire.failIfNoSpecifiedTests=false -D"$2=$3" -Dtest.timeout=0
}

# Repeated classes: a third of the time, in equal parts.
seeded="$(grep -rlE 'io[.]weft[.]test[.]seed' --include='*Test.java' core codec handler http tls transport verify 2>/dev/null | grep /src/test/)"
each=$((seconds / 3 / $(printf '%s\n' "$seeded" | wc -l) + 1))
for module in $(printf '%s\n' "$seeded" | sed 's#/src/test/.*##' | sort -u); do
  names="$(printf '%s\n' "$seeded" | sed -n "s#^$module/.*/\(.*\)[.]java\$#[.]\1\$#p" | paste -sd'|' -)"
  suite "$module" dev/repeat.sh "$module" "$names" "$each"
done
subjects=60 # about so many in all labs
suite labs dev/fuzz.sh all "$(awk "BEGIN { print $seconds / 6 / $subjects / 60 }")"
brokers() { # brokers SECONDS: connections with brokers and stores that break at random
  ./mvnw -B -ntp -q -Dspotless.check.skip -pl examples -am test -Dtest='MqttSoakTest,StoresSoakTest,StompSoakTest' \
    -Dsurefire.failIfNoSpecifiedTests=false -Dio.weft.soak.seconds="$1" -Dio.weft.test.seed="$(date +%N | sed 's/^0*//')" -Dtest.timeout=0
}

suite brokers brokers $((seconds / 8 / 8 + 1)) # eight tests, each so long
transports=7
suite traffic conformance TrafficTest io.weft.traffic.seconds $((seconds / 6 / transports + 1))
suite matrix conformance MatrixTest io.weft.matrix.seconds $((seconds / 12 + 1))
suite simulation until_over $((seconds / 8)) dev/simulate.sh --hours 200
suite handshakes until_over $((seconds / 8)) dev/handshakes.sh 2000
[ $status = 0 ] || echo "seeds of what failed: $failing"
exit $status
