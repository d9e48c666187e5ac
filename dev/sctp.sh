#!/bin/sh
# Runs the tests of transport/sctp in an emulated machine (qemu) whose kernel has SCTP:
#   dev/sctp.sh [--loss PERCENT] [TEST...]  TEST is CLASS or CLASS#method of the module; default: all that need SCTP
#   dev/sctp.sh --quick                     the same on epoll only, without the peers: a minute on an idle processor
#   dev/sctp.sh --contract                  the contract suite of verify/conformance on its byte streams: half a minute
#   dev/sctp.sh install                     installs the machine and the peers first (Debian; root; 900 MB)
# The machine boots the newest kernel in /boot; its root file system is this one, read-only. All tests take about two minutes on
# two idle processors. With --loss, that share of the loopback interface's packets is lost (netem). SCTP_SECONDS=N ends the
# machine after N seconds (default 900); SCTP_CLASSPATH=PATH takes classes that are built already; SCTP_WORK=DIRECTORY is for what
# the machine is made of. KVM is used where it boots this kernel. Ends with the tests' status.
set -eu
cd "$(dirname "$0")/.."
here="$PWD"
loss=0
tests=''
only=''
module=transport/sctp
while [ $# -gt 0 ]; do
  case "$1" in
    install) exec dev/machine.sh install ;;
    --loss) loss="${2?--loss: a percentage}"; shift ;;
    --quick)
      only=epoll
      tests='io.weft.transport.sctp.SctpTest io.weft.transport.sctp.SctpAbuseTest io.weft.transport.sctp.SctpExtensionsTest
        io.weft.transport.sctp.SctpLossTest' ;;
    --contract)
      module=verify/conformance
      tests=io.weft.conformance.ContractTest ;;
    -h | --help) sed -n '2,10s/^# //p' "$0"; exit 0 ;;
    -*) echo "sctp.sh: $1 (expected: [--quick] [--contract] [--loss PERCENT] [TEST...])" >&2; exit 2 ;;
    *) tests="$tests io.weft.transport.sctp.$1" ;;
  esac
  shift
done
case "$loss" in '' | *[!0-9.]*) echo "sctp.sh: --loss $loss (expected: a number)" >&2; exit 2 ;; esac
dev/machine.sh check
[ -n "$tests" ] || tests='io.weft.transport.sctp.SctpTest io.weft.transport.sctp.SctpPeersTest io.weft.transport.sctp.SctpAbuseTest io.weft.transport.sctp.SctpExtensionsTest
  io.weft.transport.sctp.SctpLossTest io.weft.transport.sctp.SctpUnavailableTest'
# ---- classes, each directory as one file: opening many of them is slow in there ----
work="${SCTP_WORK-$here/$module/target/machine}"
rm -rf "$work"
mkdir -p "$work/classes"
if [ -n "${SCTP_CLASSPATH-}" ]; then
  classpath="$SCTP_CLASSPATH"
else
  ./mvnw -B -ntp -q -Dspotless.check.skip -pl "$module" -am test-compile dependency:build-classpath \
    -Dmdep.outputFile='${project.build.directory}/test.classpath' -Dmdep.includeScope=test >&2
  version="$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' pom.xml)"
  launcher="$(find "${HOME}/.m2/repository/org/junit/platform/junit-platform-launcher/$version" -name '*.jar')"
  classpath="$module/target/classes:$module/target/test-classes:$(cat "$module/target/test.classpath"):$launcher"
fi
java="$(./jdk java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/bin"
path=''
number=0
for entry in $(printf '%s' "$classpath" | tr ':' ' '); do
  if [ -d "$entry" ]; then
    number=$((number + 1))
    "$java/jar" --create --no-compress --file "$work/classes/$number.jar" -C "$entry" .
    path="$path:$work/classes/$number.jar"
  else
    path="$path:$entry"
  fi
done
"$java/javac" -d "$work/runner" -cp "${path#:}" dev/RunTests.java
"$java/jar" --create --no-compress --file "$work/classes/runner.jar" -C "$work/runner" .
flags="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=deny -Dio.weft.leakLedger=true -Dpeers=true -Dio.weft.watchdog.threshold=0
  -Dio.weft.test.transport=$only
  -Dio.weft.conformance.transports=sctp-io_uring,sctp-epoll -cp $work/classes/runner.jar$path"

cat >"$work/run" <<EOF
cd /mnt
[ '$loss' = 0 ] || tc qdisc add dev lo root netem loss '$loss%'
'$java/java' -Dio.weft.test.machine=true -Djava.io.tmpdir=/mnt $(echo $flags) RunTests $(echo $tests)
EOF
exec dev/machine.sh "$work" "$work/run" "${SCTP_SECONDS-900}"
