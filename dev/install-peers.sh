#!/bin/sh
# Installs the programs that tests and benchmarks talk to, from the system's packages:
#   dev/install-peers.sh          installs what is missing, then reports
#   dev/install-peers.sh check    only reports: one line a tool, its version or MISSING
# Idempotent. It needs root and apt; elsewhere it says what it could not install. It always ends with 0: what is missing is
# skipped by the tests that need it, with a reason.
set -u

# tool | package | command that prints a version
tools='wrk|wrk|wrk -v
curl|curl|curl -V
nginx|nginx-light|nginx -v
haproxy|haproxy|haproxy -v
nghttpd|nghttp2-server|nghttpd --version
node|nodejs|node --version
go|golang-go|go version
openssl|openssl|openssl version
gzip|gzip|gzip --version
bzip2|bzip2|bzip2 --help
lz4|lz4|lz4 --version
zstd|zstd|zstd --version
xz|xz-utils|xz --version
brotli|brotli|brotli --version
redis-server|redis-server|redis-server --version
redis-cli|redis-tools|redis-cli --version
redis-benchmark|redis-tools|redis-benchmark --version
memcached|memcached|memcached -V
memccapable|libmemcached-tools|dpkg-query -W libmemcached-tools
dig|bind9-dnsutils|dig -v
delv|bind9-dnsutils|delv -v
kdig|knot-dnsutils|kdig --version
dnsperf|dnsperf|dpkg-query -W dnsperf
named|bind9|/usr/sbin/named -v
knotd|knot|/usr/sbin/knotd --version
unbound|unbound|/usr/sbin/unbound -V
dnsmasq|dnsmasq-base|/usr/sbin/dnsmasq --version
chromium|chromium|chromium --version
gradle|gradle|dpkg-query -W gradle
python3|python3|python3 --version
pip|python3-pip|python3 -m pip --version
swaks|swaks|swaks --version
TLS for swaks|libnet-ssleay-perl|dpkg-query -W libnet-ssleay-perl
sockets for swaks|libio-socket-ssl-perl|dpkg-query -W libio-socket-ssl-perl
msmtp|msmtp|msmtp --version
smtp-source|postfix|dpkg-query -W postfix
prosody|prosody|dpkg-query -W prosody
mosquitto|mosquitto|mosquitto -h
mosquitto_pub|mosquitto-clients|mosquitto_pub --help
nghttp|nghttp2-client|nghttp --version
h2load|nghttp2-client|h2load --version
libnginx-stream|libnginx-mod-stream|dpkg-query -W libnginx-mod-stream
danted|dante-server|danted -v
microsocks|microsocks|dpkg-query -W microsocks
tinyproxy|tinyproxy-bin|tinyproxy -v
squid|squid|squid -v
ssh|openssh-client|ssh -V
sshd|openssh-server|dpkg-query -W openssh-server
socat|socat|socat -V
gcc|gcc|gcc --version
g++|g++|g++ --version
libudt|libudt-dev|dpkg-query -W libudt-dev
libc headers|libc6-dev|dpkg-query -W libc6-dev
gcc for aarch64|gcc-aarch64-linux-gnu|aarch64-linux-gnu-gcc --version
libc for aarch64|libc6-dev-arm64-cross|dpkg-query -W libc6-dev-arm64-cross
gcc for riscv64|gcc-riscv64-linux-gnu|riscv64-linux-gnu-gcc --version
libc for riscv64|libc6-dev-riscv64-cross|dpkg-query -W libc6-dev-riscv64-cross
musl|musl-tools|dpkg-query -W musl-tools
qemu-user|qemu-user|qemu-aarch64 --version
strace|strace|strace -V
qemu|qemu-system-x86|qemu-system-x86_64 --version
kernel with SCTP|linux-image-amd64|dpkg-query -W linux-image-amd64
busybox|busybox-static|dpkg-query -W busybox-static
cpio|cpio|cpio --version
modprobe|kmod|modprobe -V
tc|iproute2|tc -V
sctp_test|lksctp-tools|dpkg-query -W lksctp-tools
taskset|util-linux|taskset -V
perf|linux-perf|perf --version'

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# A tool that is there without its package (built by hand, another distribution) is good as well.
there() { [ "$1" != 'libc headers' ] && command -v "$1" >/dev/null 2>&1; }

missing_packages() {
  printf '%s\n' "$tools" | while IFS='|' read -r tool package _; do
    installed "$package" || there "$tool" || printf '%s ' "$package"
  done
}

report() {
  printf '%s\n' "$tools" | while IFS='|' read -r tool _ version; do
    line="$($version 2>&1 </dev/null | grep -m 1 '[0-9]')" || line=''
    case "$line" in '' | *'not found'* | *'no packages found'*) line=MISSING ;; esac
    printf '%-14s %s\n' "$tool" "$line"
  done
  printf '%-14s %s\n' cramjam "$(python3 -c 'import cramjam; print(cramjam.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' pyserial "$(python3 -c 'import serial; print(serial.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' redis-py "$(python3 -c 'import redis; print(redis.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' stomp.py "$(python3 -c 'import stomp; print(stomp.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' coilmq "$(python3 -c 'import importlib.metadata as m; print(m.version("coilmq"))' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' prometheus "$(python3 -c 'import importlib.metadata as m; print(m.version("prometheus-client"))' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' paho-mqtt "$(python3 -c 'import paho.mqtt; print(paho.mqtt.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' h2 "$(python3 -c 'import h2; print(h2.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' h2spec "$(h2spec --version 2>/dev/null || "$HOME/go/bin/h2spec" --version 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' grpcio "$(python3 -c 'import grpc; print(grpc.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' 'grpc interop' "$(cd "$HOME/go/bin/grpc-interop" 2>/dev/null && [ -x client ] && [ -x server ] && echo 'v1.64.0' || echo MISSING)"
  printf '%-14s %s\n' aiosmtpd "$(python3 -c 'import aiosmtpd; print(aiosmtpd.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' slixmpp "$(python3 -c 'import slixmpp; print(slixmpp.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' dnspython "$(python3 -c 'import dns.version; print(dns.version.version)' 2>/dev/null || echo MISSING)"
  for module in aiohttp requests httpx websockets; do
    printf '%-14s %s\n' "$module" "$(python3 -c "import $module; print($module.__version__)" 2>/dev/null || echo MISSING)"
  done
  printf '%-14s %s\n' hpack "$(python3 -c 'import hpack; print(hpack.__version__)' 2>/dev/null || echo MISSING)"
  printf '%-14s %s\n' kosoku "$(python3 -c 'import importlib.metadata as m; print(m.version("kosoku"))' 2>/dev/null || echo MISSING)"
}

install() { # one by one, so that a package this system does not have costs only itself
  apt-get update -qq || return 0
  for package in "$@"; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
      echo "install-peers: could not install $package" >&2
  done
}

# What no program of the system's packages speaks: Snappy in frames (cramjam), data of DNS in text and octets (dnspython),
# both versions of RESP (redis-py), and the cases of Autobahn (kosoku).
# Python packages of the system may be protected from pip.
install_python() { # install_python PACKAGE MODULE
  command -v python3 >/dev/null 2>&1 || return 0
  python3 -c "import $2" 2>/dev/null ||
    python3 -m pip install -q "$1" >/dev/null 2>&1 ||
    python3 -m pip install -q --break-system-packages "$1" >/dev/null 2>&1 ||
    echo "install-peers: could not install $1 (pip)" >&2
}

# The conformance tests of HTTP/2, a program of Go's.
install_h2spec() {
  command -v go >/dev/null 2>&1 && [ ! -x "$HOME/go/bin/h2spec" ] && ! command -v h2spec >/dev/null 2>&1 || return 0
  GOPATH="$HOME/go" go install github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible >/dev/null 2>&1 ||
    echo 'install-peers: could not install h2spec (go)' >&2
}

# The interoperability tests of gRPC, programs of Go's.
install_grpc_interop() {
  command -v go >/dev/null 2>&1 || return 0
  for program in client server; do
    [ -x "$HOME/go/bin/grpc-interop/$program" ] ||
      GOBIN="$HOME/go/bin/grpc-interop" go install "google.golang.org/grpc/interop/$program@v1.64.0" >/dev/null 2>&1 ||
      echo "install-peers: could not install the gRPC interop $program (go)" >&2
  done
}

case "${1-}" in
  '')
    missing="$(missing_packages)"
    if [ -z "$missing" ]; then
      :
    elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
      # shellcheck disable=SC2086 # a list of package names
      install $missing
      mkdir -p /run/sshd # what a boot makes for sshd; not every CI has booted
    else
      echo "install-peers: not root, or no apt: could not install $missing" >&2
    fi
    install_python cramjam cramjam
    install_python pyserial serial
    install_python dnspython dns
    install_python hpack hpack
    install_python redis redis
    install_python pymemcache pymemcache
    install_python python-binary-memcached bmemcached
    install_python paho-mqtt paho.mqtt.client
    install_python stomp.py stomp
    install_python websocket-client websocket
    install_python coilmq coilmq
    install_python aiosmtpd aiosmtpd
    install_python slixmpp slixmpp
    install_python kosoku==0.1.0 kosoku
    install_python aiohttp aiohttp
    install_python requests requests
    install_python httpx httpx
    install_python websockets websockets
    install_python h2 h2
    install_python grpcio grpc
    install_python prometheus-client prometheus_client
    install_python pyyaml yaml
    install_python jsonschema jsonschema
    install_h2spec
    install_grpc_interop
    report ;;
  check) report ;;
  -h | --help) echo "usage: dev/install-peers.sh [check]" ;;
  *)
    echo "usage: dev/install-peers.sh [check]" >&2
    exit 2 ;;
esac
