#!/bin/sh
# Signs what `./mvnw deploy` wrote into a directory, and verifies the signatures:  dev/sign.sh [--dry-run] REPOSITORY
# It signs with the default key of gpg. A dry run makes a key that lives as long as the run, and leaves no signatures.
set -eu
dry=''
case "${1-}" in
  -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
  --dry-run) dry=yes; shift ;;
esac
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  sed -n '2,3s/^# //p' "$0" >&2
  exit 2
fi
work="$(mktemp -d)"
end() {
  if [ -n "$dry" ]; then
    gpgconf --kill all >/dev/null 2>&1 || true
    sed 's/$/.asc/' "$work/files" | while read -r signature; do rm -f "$signature"; done
  fi
  rm -rf "$work"
}
trap end EXIT HUP INT TERM
find "$1" -type f \( -name '*.jar' -o -name '*.pom' -o -name '*.json' -o -name '*.xml' \) ! -name 'maven-metadata*' \
  | sort >"$work/files"
[ -s "$work/files" ] || { echo "sign.sh: $1: no packages (expected: what ./mvnw deploy wrote)" >&2; exit 1; }
if [ -n "$dry" ]; then
  GNUPGHOME="$work/gnupg"
  export GNUPGHOME
  mkdir -m 700 "$GNUPGHOME"
  gpg --batch --quiet --pinentry-mode loopback --passphrase '' --quick-generate-key 'dry run <dry@run.invalid>' ed25519 sign 1d
fi
while read -r file; do
  gpg --batch --quiet --yes --armor --detach-sign "$file"
  gpg --batch --quiet --verify "$file.asc" "$file" 2>"$work/said" || { cat "$work/said" >&2; exit 1; }
done <"$work/files"
echo "$(wc -l <"$work/files") files signed and verified"
