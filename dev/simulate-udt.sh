#!/bin/sh
# Moves bytes by UDT over a path of the simulated network, and looks at every one of them:
#   dev/simulate-udt.sh [--bytes N] [--loss RATE] [--delay MS] [--rate BYTES_A_SECOND] [--seed N]
# By default a gibibyte with 1 % loss, 10 ms in each direction and 1 Gbit/s, which takes some minutes. Prints the virtual time and
# the rate, and ends with 1 if a byte was wrong.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
./mvnw -q -B -ntp -Pquick -pl verify/simulation -am compile >&2
path="$(printf '%s:' verify/simulation/target/classes */*/target/classes)"
./jdk java --enable-native-access=ALL-UNNAMED -cp "$path" io.weft.simulation.UdtTransfer "$@"
