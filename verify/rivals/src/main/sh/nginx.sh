#!/bin/bash
# nginx as one process that says hello on a free port; ends with it.
set -eu
. "$(dirname "$0")/common.sh"
port="$(free)"
announce "$port" "127.0.0.1:$port"
run_nginx <<CONF
  server {
    listen 127.0.0.1:$port;
    location / { return 200 "Hello, World!"; }
  }
CONF
