#!/bin/bash
# nginx as one process that passes requests on to a port of this machine: nginx-proxy.sh PORT.
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
}
CONF
( until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "listening on $port" ) &
exec nginx -p "$home" -c "$home/nginx.conf"
