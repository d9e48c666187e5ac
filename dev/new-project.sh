#!/bin/sh
# Makes a project of your own:  dev/new-project.sh NAME [DIRECTORY]
# It has a server of HTTP, a test of it over the simulated network, and a Dockerfile. The directory is ./NAME by default.
set -eu
here="$(cd "$(dirname "$0")/.." && pwd)"

usage() {
  echo 'usage: dev/new-project.sh NAME [DIRECTORY]'
  echo 'NAME, of small letters, digits and hyphens, is the artifact and the image.'
}

case "${1-}" in
  -h | --help) usage; exit 0 ;;
esac
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  usage >&2
  exit 2
fi
name="$1"
dir="${2:-$name}"
if ! printf '%s' "$name" | grep -Eqx '[a-z][a-z0-9]*(-[a-z0-9]+)*'; then
  echo "new-project.sh: name: $name (expected: small letters, digits, single hyphens)" >&2
  exit 2
fi
if [ -e "$dir" ]; then
  echo "new-project.sh: $dir: exists already (expected: a new directory)" >&2
  exit 1
fi
version="$(sed -n 's:^  <version>\(.*\)</version>:\1:p' "$here/pom.xml")"
template="$here/dev/new-project"

(cd "$template" && find . -type f) | while read -r file; do
  target="$dir/$(printf '%s' "$file" | sed 's:^\./::; s:^dot-:.:')"
  mkdir -p "$(dirname "$target")"
  sed -e "s/@NAME@/$name/g" -e "s/@WEFT@/$version/g" "$template/$file" >"$target"
done

echo "$dir is ready. Weft $version has to be in your local repository ($here/mvnw -Pquick install), then:"
echo "  cd $dir && mvn package && java -jar target/$name.jar"
