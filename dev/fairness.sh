#!/bin/sh
# Prints the latencies of one HTTP client beside 200 that pipeline without end:
#   dev/fairness.sh [ENGINE [CLIENTS [read|hold [SECONDS]]]]     hold: they do not take their answers; auto 200 read 5
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
./mvnw -q -B -ntp -Pquick -pl verify/bench -am compile >&2
modules="core/ffi core/buffer core/loop core/channel codec/framing transport/nio transport/posix transport/epoll transport/uring
  http/model http/http1 http/server verify/bench"
path=
for module in $modules; do path="$path:$module/target/classes"; done
exec ./jdk java --enable-native-access=ALL-UNNAMED -cp "${path#:}" io.weft.bench.fairness.Fairness "$@"
