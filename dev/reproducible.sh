#!/bin/sh
# Builds packages twice and compares them byte by byte:  dev/reproducible.sh [MODULE...]
# The builds are in different directories, time zones and languages. MODULE is a directory, built with what it needs
# (default: core/ffi); `all` is every package. Jars, sources, Javadoc and bills of materials are compared.
set -eu
cd "$(dirname "$0")/.."
case "${1-}" in
  -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
  all) what="-pl !examples,!verify/conformance,!verify/simulation,!verify/budget,!verify/bench,!verify/stress,!verify/packaging,!verify/docs,!verify/architecture" ;;
  '') what='-pl core/ffi -am' ;;
  *) what="-pl $(echo "$*" | tr ' ' ',') -am" ;;
esac
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT HUP INT TERM

# build NAME ZONE LANGUAGE
build() {
  mkdir -p "$work/$1"
  git ls-files -co --exclude-standard -z | tar cf - --null -T - | tar xf - -C "$work/$1"
  # shellcheck disable=SC2086
  (cd "$work/$1" && TZ="$2" LC_ALL="$3" ./mvnw -B -ntp -q -Prelease,quick $what package)
  (cd "$work/$1" && find . -path '*/target/*' \( -name 'weft-*.jar' -o -name 'bom.json' -o -name 'bom.xml' \) | sort \
    | xargs sha256sum) >"$work/$1.sums"
}

build one UTC C
build another/way Pacific/Auckland C.UTF-8
if ! diff "$work/one.sums" "$work/another/way.sums" >&2; then
  echo 'reproducible.sh: these differ (expected: the same bytes)' >&2
  exit 1
fi
echo "$(wc -l <"$work/one.sums") files are the same"
