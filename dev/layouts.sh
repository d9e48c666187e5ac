#!/bin/sh
# Compares offsets, sizes, constants and system-call numbers of core/ffi with the headers of x86-64, aarch64 and riscv64 Linux
# with glibc, and with musl's on this processor: C programs are cross-compiled and run under qemu-user.
#   dev/layouts.sh            compares; what has no compiler here is skipped
#   dev/layouts.sh install    installs the compilers first (Debian; root; 300 MB)
set -eu
cd "$(dirname "$0")/.."

case "${1-}" in
  '') ;;
  install)
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
      gcc-riscv64-linux-gnu libc6-dev-riscv64-cross musl-tools qemu-user ;;
  -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
  *) echo "layouts.sh: $1 (expected: install, or nothing)" >&2; exit 2 ;;
esac

for compiler in gcc aarch64-linux-gnu-gcc riscv64-linux-gnu-gcc musl-gcc; do
  command -v $compiler >/dev/null || echo "skipped: $compiler is not on the PATH (dev/layouts.sh install)"
done
./mvnw -B -ntp -q -Dspotless.check.skip -pl core/ffi -am test -Dtest=StructLayoutTest -Dsurefire.failIfNoSpecifiedTests=false
echo 'the others agree'
