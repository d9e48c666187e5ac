#!/bin/sh
# Servers and clients for thousands of hours of virtual time on a network where everything goes wrong:
#   dev/simulate.sh [--seed N] [--hours N] [--udt]
# Without a seed it takes a fresh one and prints it. A thousand hours, the default, take some minutes; every tenth episode is
# run twice and must be the same. With --udt all connections are streams of UDT. What breaks prints the seed of its episode: --seed THAT --hours 1 runs it again.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
./mvnw -q -B -ntp -Pquick -pl verify/simulation -am compile >&2
path="$(printf '%s:' verify/simulation/target/classes */*/target/classes)"
quiet="$(mktemp)"
trap 'rm -f "$quiet"' EXIT
echo 'handlers=' >"$quiet"
./jdk java --enable-native-access=ALL-UNNAMED -Dio.weft.leakLedger=true -Djava.util.logging.config.file="$quiet" \
  -cp "$path" io.weft.simulation.Main "$@"
