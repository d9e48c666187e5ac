#!/bin/sh
# Renders the documents into a static site:  dev/site.sh [--no-api] [DIRECTORY]
# It is written to target/site, unless said otherwise, and can be looked at from there without a server. The API's documentation
# is in it, which takes some minutes, unless --no-api says otherwise; for that, what modules need has to have been fetched by a
# build before (./mvnw -Pquick package).
set -eu
cd "$(dirname "$0")/.."
api=--api
case "${1-}" in
  -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
  --no-api) api=''; shift ;;
  -*) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
site="${1-target/site}"
lib=target/site-lib

version="$(sed -n 's/.*<commonmark.version>\(.*\)<.*/\1/p' verify/docs/pom.xml)"
path=verify/docs/src/main/resources
for name in commonmark commonmark-ext-gfm-tables; do
  jar="$lib/$name-$version.jar"
  [ -f "$jar" ] || ./mvnw -B -ntp -q -N org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    "-Dartifact=org.commonmark:$name:$version" "-DoutputDirectory=$PWD/$lib" >&2
  path="$path:$jar"
done

rm -rf "$site"
# shellcheck disable=SC2086
./jdk java -cp "$path" verify/docs/src/main/java/io/weft/docs/Site.java . "$site" $api

# version_of MODULE LIBRARY: as the POM has it in a property
version_of() { sed -n "s:.*<$2\.version>\(.*\)</.*:\1:p" "$1/pom.xml"; }

if [ -n "$api" ]; then
  # The libraries that modules wrap, in the versions that their POMs name, and what those need.
  libraries="$(for pom in codec/*/pom.xml observe/*/pom.xml; do
    sed -n '/<artifactId>/{s/.*<artifactId>\(.*\)<.*/\1/;h;};/<version>[0-9]/{s/.*<version>\(.*\)<.*/-\1.jar/;H;x;s/\n//p;}' "$pom"
  done | grep -v '^weft-' | sort -u | while read -r jar; do find "$HOME/.m2/repository" -name "$jar"; done | tr '\n' ':')"
  libraries="$libraries$(find "$HOME/.m2/repository" -name '*.jar' \( -path '*/org/jspecify/jspecify/1.0.1/*' -o -path '*/stax2-api/4.3.0/*' \
    -o -path '*/org/junit/*/6.*' -o -path '*/org/opentest4j/*' -o -path '*/org/apiguardian/*' \
    -o -path "*/io/opentelemetry/*/$(version_of observe/opentelemetry opentelemetry)/*" \
    -o -path "*/io/micrometer/*/$(version_of observe/micrometer micrometer)/*" -o -path '*/brotli4j/service/*' \) | tr '\n' ':')"
  set --
  modules=''
  for descriptor in core/*/src/main/java/module-info.java transport/*/src/main/java/module-info.java codec/*/src/main/java/module-info.java \
    tls/*/src/main/java/module-info.java handler/*/src/main/java/module-info.java resolver/*/src/main/java/module-info.java \
    client/*/src/main/java/module-info.java http/*/src/main/java/module-info.java observe/*/src/main/java/module-info.java; do
    name="$(sed -n 's/^\(open \)\{0,1\}module \([A-Za-z0-9_.]*\).*/\2/p' "$descriptor")"
    set -- "$@" --module-source-path "$name=${descriptor%/module-info.java}"
    modules="$modules,$name"
  done
  ./jdk javadoc -quiet -Xdoclint:reference -notimestamp -windowtitle Weft -doctitle Weft -p "$libraries" -d "$site/api" "$@" \
    --module "${modules#,}"
fi
