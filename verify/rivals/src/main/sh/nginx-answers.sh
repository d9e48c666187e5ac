#!/bin/bash
# The answers of io.weft.rivals.Answers from nginx, as one process that sends files: nginx-answers.sh CERTIFICATE KEY.
set -eu
. "$(dirname "$0")/common.sh"
mkdir "$home/files"
plain="$(free)"
secure="$(free)"
for size in 1k 64k 1m; do head -c "${size^^}" /dev/zero | tr '\0' x >"$home/files/$size"; done
announce "$secure" "$plain $secure"
run_nginx <<CONF
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
CONF
