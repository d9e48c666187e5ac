#!/bin/sh
# Records the public API of each module in its api.txt, and the metadata of native-image:  dev/api.sh
# A test compares them, so that a review sees each line that comes, goes or changes. It builds all modules first.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
case "${1-}" in
  '') ;;
  *) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
esac
./mvnw -B -ntp -q -pl verify/architecture -am -Dspotless.check.skip -Dtest=PublicApiTest,NativeImageTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dio.weft.api.write=true test
git status --short -- "*api.txt" "*reachability-metadata.json"
