#!/bin/bash
# nginx as one process that passes requests on to a port of this machine: nginx-proxy.sh PORT.
set -eu
. "$(dirname "$0")/common.sh"
port="$(free)"
announce "$port" "$port"
run_nginx <<CONF
  upstream origin {
    server 127.0.0.1:$1;
    keepalive 256;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:$port;
    location / {
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For \$remote_addr;
    }
  }
CONF
