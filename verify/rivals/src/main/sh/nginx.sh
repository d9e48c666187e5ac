#!/bin/bash
# nginx as one process that says hello on a free port; ends with it.
set -eu
home="$(mktemp -d)"
mkdir "$home/logs"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
cat >"$home/nginx.conf" <<CONF
daemon off;
master_process off;
worker_processes 1;
pid $home/nginx.pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  default_type text/plain;
  server {
    listen 127.0.0.1:$port;
    location / { return 200 "Hello, World!"; }
  }
}
CONF
( until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "listening on 127.0.0.1:$port" ) &
exec nginx -p "$home" -c "$home/nginx.conf"
