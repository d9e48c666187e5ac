#!/bin/sh
# Soaks the example brokers:  dev/soak-brokers.sh [MINUTES] [mqtt|stomp|all]
# Clients of each pair of versions of MQTT, and senders and consumers of STOMP, lose their connections at random for MINUTES
# (default 10) each, from a fresh seed, which is printed; SOAK_SEED=N repeats a run. Nothing may be lost that the QoS, a receipt or
# an acknowledgement promises, and no buffer. Ends with 1 when something was. The build is not counted; the tests of every build
# are the same with fewer steps.
set -eu
cd "$(dirname "$0")/.."
usage() { sed -n '2,6s/^# //p' dev/soak-brokers.sh; }
case "${1-10}" in
  -h | --help) usage; exit 0 ;;
  '' | *[!0-9]*) usage >&2; exit 2 ;;
esac
case "${2-all}" in
  mqtt) tests=MqttSoakTest ;;
  stomp) tests=StompSoakTest ;;
  all) tests=MqttSoakTest,StompSoakTest ;;
  *) usage >&2; exit 2 ;;
esac
seed="${SOAK_SEED-$(date +%s)}"
echo "soak-brokers: $tests, ${1-10} min each, seed $seed"
exec ./mvnw -B -ntp -q -Dspotless.check.skip -pl examples -am test -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false \
  -Dio.weft.soak.seconds=$((${1-10} * 60)) -Dio.weft.test.seed="$seed" -Dtest.timeout=0
