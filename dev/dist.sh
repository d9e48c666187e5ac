#!/bin/sh
# Makes a tarball of jars, documents and examples:  dev/dist.sh [DIRECTORY]
# It is written to target/dist, unless said otherwise; run-example.sh works from it with nothing but a JDK. It builds everything
# first, unless BUILD=false. The same build gives the same bytes.
set -eu
cd "$(dirname "$0")/.."
case "${1-}" in
  -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
  -*) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
to="${1-target/dist}"
[ "${BUILD-}" = false ] || ./mvnw -B -ntp -q -Pquick package >&2
version="$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml)"
name="weft-$version"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT HUP INT TERM
home="$work/$name"

mkdir -p "$home/lib" "$home/.mvn" "$home/examples/target"
cp LICENSE README.md CHANGELOG.md SECURITY.md run-example.sh jdk "$home"
cp .mvn/jdk.sh "$home/.mvn"
git ls-files -co --exclude-standard docs examples | grep -v '^examples/src/test\|^examples/pom.xml' | while read -r file; do
  mkdir -p "$home/$(dirname "$file")"
  cp "$file" "$home/$file"
done

# Our jars once: those that the examples need are links.
find core transport codec tls handler resolver client http observe -path '*/target/*' -name "weft-*-$version.jar" -exec cp {} "$home/lib" \;
cp -R examples/target/modules "$home/examples/target/modules"
for jar in "$home"/examples/target/modules/weft-*.jar; do
  [ ! -f "$home/lib/${jar##*/}" ] || ln -sf "../../../lib/${jar##*/}" "$jar"
done
# Newer than all sources, so that nothing looks stale.
cp "examples/target/weft-examples-$version.jar" "$home/examples/target"

mkdir -p "$to"
stamp="$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</.*:\1:p' pom.xml)"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$stamp" -C "$work" -cf - "$name" | gzip -n >"$to/$name.tar.gz"
echo "$to/$name.tar.gz: $(find "$home/lib" -name '*.jar' | wc -l) jars, $(du -k "$to/$name.tar.gz" | cut -f1) KiB"
