#!/bin/sh
# Measures the example mqtt-broker beside mosquitto:  dev/mqtt-fanout.sh [--short]
# One publisher, 100 subscribers, messages of 64 bytes and QoS 0; each broker on core 0, the load on core 1, rounds in turn.
# Prints messages delivered a second, the median and the range of rounds, and the ratio. --short ends within a minute.
# Ends with 1 when a message was lost. mosquitto is one of dev/install-peers.sh.
set -eu
cd "$(dirname "$0")/.."
usage() { sed -n '2,5s/^# //p' dev/mqtt-fanout.sh; }
case "${1-}" in
  '') rounds='3000 2 7' ;;
  --short) rounds='1000 1 3' ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
command -v taskset >/dev/null 2>&1 || { echo 'mqtt-fanout: no taskset (dev/install-peers.sh installs it)' >&2; exit 2; }
[ "$(nproc)" -ge 2 ] || { echo 'mqtt-fanout: 1 core (expected: two or more)' >&2; exit 2; }
# shellcheck disable=SC2086 # three numbers
exec taskset -c 1 ./jdk java dev/MqttFanout.java $rounds "$PWD"
