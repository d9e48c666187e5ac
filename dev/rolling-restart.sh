#!/bin/sh
# Restarts servers again and again under load, and counts requests that are lost:  dev/rolling-restart.sh [TIMES]
# TIMES (default 20) each for: processes behind HAProxy, one after the other, by SIGTERM; and a process that passes its
# listening sockets to its successor, on io_uring and on epoll. HAProxy is one of dev/install-peers.sh.
set -eu
cd "$(dirname "$0")/.."
times="${1-20}"
case "$times" in
  -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
  '' | *[!0-9]*) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
exec ./mvnw -B -ntp -q -Dspotless.check.skip -pl examples -am test -Dtest='ScaleOutTest,ScaleOutPeersTest' \
  -Dsurefire.failIfNoSpecifiedTests=false -Dpeers=true -Dio.weft.restarts="$times"
