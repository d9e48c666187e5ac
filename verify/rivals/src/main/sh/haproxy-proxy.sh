#!/bin/bash
# HAProxy with one thread that passes requests on to a port of this machine: haproxy-proxy.sh PORT.
set -eu
. "$(dirname "$0")/common.sh"
port="$(free)"
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
announce "$port" "$port"
exec haproxy -db -f "$home/haproxy.cfg"
