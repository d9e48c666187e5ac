#!/bin/sh
# All 517 cases of Autobahn, strictly, for the server and for the client of http/websocket:
#   dev/autobahn.sh [server|client]
# Compression (groups 12 and 13) takes most of the quarter of an hour. kosoku runs them: dev/install-peers.sh installs it.
# `./mvnw verify -Dpeers=true` runs the others, and a few of these.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
case "${1-}" in
  '') test='AutobahnPeersTest' ;;
  server | client) test="AutobahnPeersTest#${1}PassesEachCase" ;;
  *) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
command -v kosoku >/dev/null || { echo 'autobahn: no kosoku (dev/install-peers.sh installs it)' >&2; exit 2; }
exec ./mvnw -B -ntp -q -pl http/websocket -am -Dpeers=true -Dautobahn=all -Dtest="$test" \
  -Dsurefire.failIfNoSpecifiedTests=false test
