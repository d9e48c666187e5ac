#!/bin/sh
# What handshakes cost the system's OpenSSL by itself, in C, beside which SslHandshake of ./bench.sh codecs is to be read:
#   dev/openssl-handshakes.sh [SECONDS]     of each row; 3 unless said otherwise
# Needs gcc and OpenSSL's headers (libssl-dev).
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
program=verify/bench/target/c/openssl-handshakes
mkdir -p "$(dirname "$program")"
gcc -O2 -o "$program" verify/bench/src/main/c/openssl/handshakes.c -lssl -lcrypto
"$program" "${1-3}"
