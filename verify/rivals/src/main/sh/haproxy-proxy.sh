#!/bin/bash
# HAProxy with one thread that passes requests on to a port of this machine: haproxy-proxy.sh PORT.
set -eu
home="$(mktemp -d)"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
cat >"$home/haproxy.cfg" <<CONF
global
  nbthread 1
  maxconn 4000
defaults
  mode http
  option forwardfor
  http-reuse always
  timeout connect 10s
  timeout client 60s
  timeout server 60s
listen proxy
  bind 127.0.0.1:$port
  server origin 127.0.0.1:$1
CONF
( until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "listening on $port" ) &
exec haproxy -db -f "$home/haproxy.cfg"
