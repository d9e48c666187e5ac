#!/bin/sh
# Measures in an emulated machine (dev/machine.sh install) what needs another kernel than most machines have:
#   dev/machine-rates.sh udt [--quick]    UDT beside libudt and TCP over paths of 5 Mbit/s with 0, 20 and 100 ms and 0, 1 and 5 %
#                                         loss, each alone and beside TCP, by netem; 8 minutes, or 2
#   dev/machine-rates.sh sctp [--quick]   echoes of SCTP by our channels, Netty's and the JDK's, in interleaved rounds; 5 minutes, or 2
# The emulated processor is slow: of SCTP only the ratios mean something, and the paths are so slow that it is not their limit.
# --json FILE, the last argument, also writes the results to FILE, as bench.sh does.
# WEFT_CLASSPATH=PATH takes classes that are built already. ./bench.sh transports runs both.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
caller="$PWD"
cd "$(dirname "$0")/.."
arguments=''
case "${1-}" in
  udt) main=UdtPaths ;;
  sctp) main=SctpRates ;;
  *) sed -n '2,8s/^# //p' "$0"; exit 0 ;;
esac
rates=$1
json=''
shift
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) arguments="$arguments --quick" ;;
    --json)
      [ $# -gt 1 ] || { echo 'machine-rates.sh: --json needs a file' >&2; exit 2; }
      case "$2" in /*) json="$2" ;; *) json="$caller/$2" ;; esac
      arguments="$arguments --json"
      shift ;;
    *) echo "machine-rates.sh: $1 (expected: --quick or --json FILE)" >&2; exit 2 ;;
  esac
  shift
done
work="$PWD/verify/bench/target/$rates"
dev/machine.sh check
rm -rf "$work"
mkdir -p "$work"
if [ "$main" = UdtPaths ]; then
  arguments="$arguments $work/udt-flow"
  g++ -O2 -w -o "$work/udt-flow" verify/bench/src/main/c/udt-flow.cpp -ludt -lpthread ||
    { echo 'machine-rates.sh: udt-flow.cpp does not compile (dev/install-peers.sh installs g++ and libudt-dev)' >&2; exit 2; }
fi
if [ -z "${WEFT_CLASSPATH-}" ]; then
  ./mvnw -q -B -ntp -Pquick -pl verify/bench -am package >&2
  WEFT_CLASSPATH="$PWD/verify/bench/target/benchmarks.jar"
fi
java="$(./jdk java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/bin/java"
cat >"$work/run" <<RUN
cd /mnt
'$java' -XX:+UseSerialGC -XX:-UsePerfData -Djava.io.tmpdir=/mnt -Dio.weft.watchdog.threshold=0 --enable-native-access=ALL-UNNAMED \\
  -cp '$WEFT_CLASSPATH' io.weft.bench.transport.machine.$main $arguments
RUN
[ -n "$json" ] || exec dev/machine.sh "$work" "$work/run" 2400
status=0
dev/machine.sh "$work" "$work/run" 2400 >"$work/output" || status=$?
sed '/^-- json --/,$d' "$work/output"
# The list begins behind the mark, and ends with its bracket; lines of a console end with a carriage return.
tr -d '\r' <"$work/output" | sed '1,/^-- json --/d' | sed '/^\]/q' >"$json"
exit "$status"
