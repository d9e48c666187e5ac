#!/bin/bash
# The answers of io.weft.rivals.Answers from nginx, as one process that sends files: nginx-answers.sh CERTIFICATE KEY.
set -eu
home="$(mktemp -d)"
mkdir "$home/logs" "$home/files"
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
plain="$(free)"
secure="$(free)"
for size in 1k 64k 1m; do head -c "${size^^}" /dev/zero | tr '\0' x >"$home/files/$size"; done
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
  sendfile on;
  open_file_cache max=100;
  client_max_body_size 2m;
  client_body_buffer_size 128k;
  server {
    listen 127.0.0.1:$plain;
    listen 127.0.0.1:$secure ssl;
    ssl_certificate $1;
    ssl_certificate_key $2;
    root $home/files;
    location /file { alias $(dirname "$1")/file; }
    location /hello { return 200 "Hello, World!"; }
    location /json { default_type application/json; return 200 '{"message":"Hello, World!"}'; }
    location /upload { return 200 "\$content_length"; }
  }
}
CONF
( until (exec 3<>"/dev/tcp/127.0.0.1/$secure") 2>/dev/null; do :; done
  echo "listening on $plain $secure" ) &
exec nginx -p "$home" -c "$home/nginx.conf"
