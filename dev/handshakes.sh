#!/bin/sh
# TLS handshakes of each engine with itself, every other one broken off somewhere, and what they leave behind:
#   dev/handshakes.sh [N] [--seed N] [--engine JDK|OPENSSL]
# N are 100,000 unless said otherwise: some minutes an engine. Fails when a buffer or an SSL of OpenSSL stays open, or when heap
# or resident memory grow by 32 MiB between the first tenth and the end.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
count=100000
seed=
engines='OPENSSL JDK'
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed="$2"; shift 2 ;;
    --engine) engines="$2"; shift 2 ;;
    *) count="$1"; shift ;;
  esac
done
./mvnw -q -B -ntp -Pquick -pl verify/conformance -am test-compile >&2
path=verify/conformance/target/test-classes
for room in core/ffi core/buffer core/loop core/channel core/codec tls/x509 tls/machine tls/openssl handler/tls; do
  path="$path:$room/target/classes"
done
quiet="$(mktemp)"
trap 'rm -f "$quiet"' EXIT
echo 'handlers=' >"$quiet"
# Of the heap all is resident from the beginning, so that what grows is something else.
./jdk java -Xms256m -Xmx256m -XX:+AlwaysPreTouch -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -Dio.weft.leakLedger=true \
  -Djava.util.logging.config.file="$quiet" -cp "$path" io.weft.conformance.tls.HandshakesMain "$count" "$seed" "$engines"
