#!/bin/sh
# Builds what is needed, quietly, and runs an example:  ./run-example.sh NAME [options]
# Without a name it lists the examples. The JDK is found as ./mvnw finds it.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"

# name | class | what it shows | port
examples='hello-http|HelloHttp|an HTTP server that says "Hello, World!"|8080
http-snoop|HttpSnoop|answers with what was asked, as JSON|8080
http-files|HttpFiles|files of this directory, with ranges|8080
http-upload|HttpUpload|takes files (curl -T, or a form) and gives them back|8080
http-cors|HttpCors|an answer for pages of every origin|8080
http-client|FetchUrl|a small curl: [-X method] [-H field] [-d data] [-i] [--http1.1] [--http2] URL|
ocsp|Ocsp|asks whether the certificate of a server has been revoked: [--ca FILE] HOST[:PORT]|
h2-tiles|H2Tiles|a page of many small images, for browsers: with --tls over HTTP/2|8443
h2-client|H2Client|many requests over one connection of HTTP/2: [-n COUNT] URL|
echo|Echo|a TCP server that sends back what it gets|8007
echo-blocking|EchoBlocking|the same for lines, on virtual threads|8024
ip-filter|FilteredEcho|an echo for peers of some addresses alone: --allow BLOCK|8028
local-echo|LocalEcho|sends lines through a channel within the JVM and back|
qotm|Qotm|a quote for each datagram of UDP|8026
uptime|Uptime|keeps a connection to a server, and says when it is up or down|8080
discard|Discard|a TCP server that throws away what it gets|8009
dashboard|dashboard.Dashboard|a page with live charts of the server that it comes from|8086
ws-echo|WsEcho|a WebSocket server that sends back what it gets|8081
ws-chat|WsChat|a chat for browsers, over WebSocket|8082
telnet|Telnet|a conversation in lines of text|8023
file-server-raw|FileServerRaw|files of this directory, by name|8025
factorial|Factorial|a binary protocol written from scratch|8322
object-echo|ObjectEcho|serialized objects of classes on a list, sent back|8029
secure-chat|SecureChat|a chat over TLS|8992
port-unification|PortUnification|TLS or not, HTTP, factorial or echo|8323
redis-server|store.RedisServer|a Redis in memory|6380
redis-client|store.RedisCli|a small redis-cli: [--user U] [--pass P] [--db N] [--resp VERSION] [COMMAND]|6379
memcache-server|store.MemcacheServer|a memcached in memory|11311
memcache-client|store.MemcacheCli|commands for memcached: [--user U --pass P] [COMMAND]|11211
mqtt-broker|broker.MqttBroker|a broker of MQTT in memory, over TCP, TLS or WebSocket|1883
mqtt-client|broker.MqttClient|pub TOPIC MESSAGE, or sub FILTER: [--qos N] [--retain true] [--mqtt LEVEL] [--user U] [--pass P] [--ws]|1883
stomp-server|broker.StompServer|topics and queues of STOMP, over TCP, TLS or WebSocket|61613
dns-query|dns.DnsQuery|a small dig: NAME [TYPE] [@SERVER[:PORT]] [+tcp] [+tls] [+https] [+short]|
stomp-client|broker.StompClient|send DESTINATION TEXT, or sub DESTINATION: [--user U] [--pass P] [--vhost NAME] [--ws]|61613
smtp-server|mail.SmtpServer|takes mail into a folder|2525
smtp-send|mail.SmtpSend|sends a message: FROM TO FILE|2525
dns-server|dns.ZoneServer|an authoritative name server, of a zone file|5300
dns-forwarder|dns.DnsForwarder|a name server that asks another, over TLS, and caches|5301
tcp-proxy|proxy.TcpProxy|passes connections on: --to HOST:PORT|8100
grpc-interop|grpc.GrpcInterop|the interoperability tests of gRPC: --server, or --client HOST:PORT --case NAME|10000
world-clock|WorldClock|the time in cities, by messages of Protocol Buffers|8463
xml-stream|XmlStreamServer|a chat over streams of XML, as of XMPP|5222
socks-proxy|proxy.SocksProxy|SOCKS 4, 4a and 5 for this machine|1080
http-proxy|proxy.ForwardProxy|a forward proxy for this machine: CONNECT and http://|3128
serial-terminal|SerialTerminal|lines to and from a serial port: DEVICE [--line 115200,8N1]|
scale-out|ScaleOut|one process of several behind a load balancer: see examples/scale-out|8080
reverse-proxy|proxy.ReverseProxy|passes requests on to servers: --to HOST:PORT|8090'

list() {
  echo 'usage: ./run-example.sh NAME [options]; ./run-example.sh NAME --help shows the options'
  echo
  printf '%s\n' "$examples" | while IFS='|' read -r name _ shows port; do
    printf '  %-16s %s%s\n' "$name" "$shows" "${port:+ (port $port)}"
  done
}

case "${1-}" in
  '' | -h | --help) list; exit 0 ;;
esac
main="$(printf '%s\n' "$examples" | awk -F'|' -v name="$1" '$1 == name { print $2 }')"
if [ -z "$main" ]; then
  names="$(printf '%s\n' "$examples" | cut -d'|' -f1 | paste -sd' ' | sed 's/ /, /g')"
  echo "run-example.sh: no example $1; there are: $names" >&2
  exit 2
fi
shift

. "$here/.mvn/jdk.sh"
modules="$here/examples/target/modules"
jar="$here/examples/target/weft-examples-0.1.0-SNAPSHOT.jar" # as old as the last build
stale() {
  [ -f "$jar" ] && [ -d "$modules" ] || return 0
  [ "${BUILD-}" != false ] || return 1 # starts what was built last, whatever has changed since
  [ -n "$(find "$here" -newer "$jar" -type f -path '*/src/main/*' -print -quit)" ] \
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

case "${1-}" in
  -h | --help) printf '%s\n' "$examples" | awk -F'|' -v main="$main" '$2 == main { print $1 ": " $3 }' ;;
esac

# Only io.weft.ffi may make native calls. JAVA_OPTS is for what you want to try: -Dio.weft.transport=epoll
# shellcheck disable=SC2086
exec "$JAVA_HOME/bin/java" --enable-native-access=io.weft.ffi --illegal-native-access=deny \
  "-Djava.util.logging.SimpleFormatter.format=%1\$tT %4\$s %5\$s%6\$s%n" ${JAVA_OPTS-} \
  --module-path "$jar:$modules" \
  --module "io.weft.examples/io.weft.examples.$main" "$@"
