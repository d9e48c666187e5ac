# Shared by the scripts that start servers of others, which source it.
home="$(mktemp -d)"

free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Says where the server listens once it does: announce PORT TEXT
announce() {
  ( until (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; do :; done
    echo "listening on $2" ) &
}

# Becomes nginx in one process, with the standard input in its section for HTTP.
run_nginx() {
  mkdir "$home/logs"
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
$(cat)
}
CONF
  exec nginx -p "$home" -c "$home/nginx.conf"
}
