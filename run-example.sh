#!/bin/sh
# Builds what is needed, quietly, and runs an example:  ./run-example.sh NAME [options]
# Without a name it lists the examples. The JDK is found as ./mvnw finds it.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"

list() {
  cat <<'EOF'
usage: ./run-example.sh NAME [--host H] [--port N] [--transport auto|io_uring|epoll|nio] [--loops N] [--tls]

  hello-http   an HTTP server that says "Hello, World!"  (port 8080)
  http-snoop   answers with what was asked, as JSON       (port 8080)
  http-files   files of this directory, with ranges       (port 8080)
  http-upload  takes files (curl -T) and gives them back  (port 8080)
  http-cors    an answer for pages of every origin        (port 8080)
  http-client  fetches a URL, as curl does: http-client [-X method] [-H field] [-d data] [-i] URL
  echo         a TCP server that sends back what it gets (port 8007)
  echo-blocking  the same for lines, on virtual threads  (port 8024)
  discard      a TCP server that throws away what it gets (port 8009)
  telnet       a conversation in lines of text            (port 8023)
  file-server-raw  files of this directory, by name       (port 8025)
  factorial    a binary protocol written from scratch     (port 8322)
  secure-chat  a chat over TLS                            (port 8992)
  port-unification  TLS or not, HTTP, factorial or echo   (port 8323)
  redis-server  a Redis in memory                         (port 6380)
  redis-client  a small redis-cli                         (port 6379)
  memcache-server  a memcached in memory                  (port 11311)
  memcache-client  commands of text, line by line         (port 11211)
  mqtt-broker  a broker of MQTT in memory, TLS or not     (port 1883)
  mqtt-client  pub TOPIC MESSAGE, or sub FILTER           (to port 1883)
  stomp-server  topics of STOMP, with transactions        (port 61613)
EOF
}

case "${1-}" in
  '' | -h | --help) list; exit 0 ;;
  hello-http) main=HelloHttp ;;
  http-snoop) main=HttpSnoop ;;
  http-files) main=HttpFiles ;;
  http-upload) main=HttpUpload ;;
  http-cors) main=HttpCors ;;
  http-client) main=FetchUrl ;;
  echo) main=Echo ;;
  echo-blocking) main=EchoBlocking ;;
  discard) main=Discard ;;
  telnet) main=Telnet ;;
  file-server-raw) main=FileServerRaw ;;
  factorial) main=Factorial ;;
  secure-chat) main=SecureChat ;;
  port-unification) main=PortUnification ;;
  redis-server) main=RedisServer ;;
  redis-client) main=RedisCli ;;
  *) echo "run-example.sh: no example $1; there are: hello-http, echo, echo-blocking, discard, telnet, file-server-raw, factorial, secure-chat, port-unification, redis-server, redis-client" >&2; exit 2 ;;
  *) echo "run-example.sh: no example $1; there are: hello-http, http-snoop, http-files, http-upload, http-cors, echo, echo-blocking, discard, telnet, file-server-raw, factorial, secure-chat, port-unification" >&2; exit 2 ;;
  *) echo "run-example.sh: no example $1; there are: hello-http, http-client, echo, echo-blocking, discard, telnet, file-server-raw, factorial, secure-chat, port-unification" >&2; exit 2 ;;
  memcache-server) main=MemcacheServer ;;
  memcache-client) main=MemcacheCli ;;
  *) echo "run-example.sh: no example $1; there are: hello-http, echo, echo-blocking, discard, telnet, file-server-raw, factorial, secure-chat, port-unification, redis-server, redis-client, memcache-server, memcache-client" >&2; exit 2 ;;
  mqtt-broker) main=MqttBroker ;;
  mqtt-client) main=MqttClient ;;
  stomp-server) main=StompServer ;;
  *) echo "run-example.sh: no example $1; there are: hello-http, echo, echo-blocking, discard, telnet, file-server-raw, factorial, secure-chat, port-unification, mqtt-broker, mqtt-client, stomp-server" >&2; exit 2 ;;
esac
shift

. "$here/.mvn/jdk.sh"
modules="$here/examples/target/modules"
jar="$here/examples/target/weft-examples-0.1.0-SNAPSHOT.jar" # as old as the last build
stale() {
  [ -f "$jar" ] && [ -d "$modules" ] || return 0
  [ "${BUILD-}" != false ] || return 1 # starts what was built last, whatever has changed since
  [ -n "$(find "$here" -newer "$jar" \( -name '*.java' -o -name pom.xml \) -path '*/src/main/*' -print -quit)" ] \
    || [ -n "$(find "$here" -newer "$jar" -name pom.xml -not -path '*/target/*' -print -quit)" ]
}
if stale; then
  # Two builds at once would write the same files: who comes second waits, and mostly finds it done.
  exec 9<"$here/.mvn/jdk.sh"
  ! command -v flock >/dev/null 2>&1 || flock 9
fi
if stale; then
  echo "building (the first time takes a minute) ..." >&2
  log="$(mktemp)"
  if ! (cd "$here" && ./mvnw -B -ntp -q -Pquick -pl examples -am package) >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
fi
exec 9<&-

# Only io.weft.ffi may make native calls. JAVA_OPTS is for what you want to try: -Dio.weft.transport=epoll
# shellcheck disable=SC2086
exec "$JAVA_HOME/bin/java" --enable-native-access=io.weft.ffi --illegal-native-access=deny \
  "-Djava.util.logging.SimpleFormatter.format=%1\$tT %4\$s %5\$s%6\$s%n" ${JAVA_OPTS-} \
  --module-path "$jar:$modules" \
  --module "io.weft.examples/io.weft.examples.$main" "$@"
