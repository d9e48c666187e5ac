#!/bin/sh
# Builds packages twice and compares them byte by byte:  dev/reproducible.sh [--built | MODULE...]
# The builds are in different directories, time zones, languages and with different permissions of files. MODULE is a directory,
# built with what it needs (default: core/ffi); `all` is every package. Jars, sources, Javadoc and bills of materials are compared.
# With --built, the jars that lie here since ./mvnw package or verify are compared with those of one more build, which leaves out
# tests, Javadoc and the checks of javac: what CI does.
set -eu
cd "$(dirname "$0")/.."
none='-pl !examples,!verify/conformance,!verify/simulation,!verify/budget,!verify/bench,!verify/stress,!verify/packaging,!verify/docs,!verify/architecture'
built=
case "${1-}" in
  -h | --help) sed -n '2,6s/^# //p' "$0"; exit 0 ;;
  --built) built=true what="$none -T2 -Djavac.checks=-XDunchecked" ;;
  -*) sed -n '2,6s/^# //p' "$0" >&2; exit 2 ;;
  all) what="$none -Prelease" ;;
  '') what='-pl core/ffi -am -Prelease' ;;
  *) what="-pl $(echo "$*" | tr ' ' ',') -am -Prelease" ;;
esac
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT HUP INT TERM

# sums DIRECTORY: of what was packaged there, but for what is not deployed
sums() {
  (cd "$1" && find . -path './examples' -prune -o -path './verify' -prune -o -path './target' -prune -o -path '*/target/*' \
    \( -name 'weft-*.jar' -o -name 'bom.json' -o -name 'bom.xml' \) -print | sort | xargs sha256sum)
}

# build NAME ZONE LANGUAGE UMASK
build() {
  mkdir -p "$work/$1"
  git ls-files -co --exclude-standard -z | tar cf - --null -T - | (umask "$4" && tar xf - --no-same-permissions -C "$work/$1")
  # shellcheck disable=SC2086
  (cd "$work/$1" && umask "$4" && TZ="$2" LC_ALL=C.UTF-8 MAVEN_OPTS="${MAVEN_OPTS-} -Duser.language=$3" \
    ./mvnw -B -ntp -q -Pquick $what package)
  sums "$work/$1" >"$work/$1.sums"
}

if [ -n "$built" ]; then
  sums . >"$work/one.sums"
  [ -s "$work/one.sums" ] || { echo 'reproducible.sh: no jars here (expected: ./mvnw -Pquick package before this)' >&2; exit 1; }
else
  build one UTC en 022
fi
build another/way Pacific/Auckland tr 077
if ! diff "$work/one.sums" "$work/another/way.sums" >&2; then
  echo 'reproducible.sh: these differ (expected: the same bytes)' >&2
  exit 1
fi
echo "$(wc -l <"$work/one.sums") files are the same"
