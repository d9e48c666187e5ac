#!/bin/sh
# Runs the conformance suite on the kqueue engine, on Linux:
#   dev/kqueue.sh                    over the scripted kqueue of the tests
#   dev/kqueue.sh LIBRARY            over a shared library that has kqueue, such as libkqueue.so.0
#   dev/kqueue.sh [LIBRARY] --quick  the tests of connections, closes and datagrams only
set -eu
cd "$(dirname "$0")/.."

library=''
tests=''
for argument in "$@"; do
  case "$argument" in
    --quick) tests='-Dtest=ContractTest,EchoTest,CloseTest,HalfCloseTest,PeerDeathTest,DatagramTest,UnixTest,FileRegionTest' ;;
    -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
    -*) echo "kqueue.sh: $argument (expected: [LIBRARY] [--quick])" >&2; exit 2 ;;
    *) library="$argument" ;;
  esac
done
transport=scripted-kqueue
flags="-Dio.weft.conformance.transports=$transport"
if [ -n "$library" ]; then
  transport=kqueue
  flags="-Dio.weft.conformance.transports=$transport -Dio.weft.kqueue.library=$library"
fi
echo "conformance on $transport"
# shellcheck disable=SC2086 # several words
./mvnw -B -ntp -q -pl verify/conformance -am verify -Dsurefire.failIfNoSpecifiedTests=false $tests $flags
