#!/bin/sh
# Runs benchmarks by group:  ./bench.sh list | ./bench.sh GROUP... [--quick] [--json FILE] [--html FILE]
#                            ./bench.sh report [--quick] [--again]
# A group is a program of its own (main-job) or a JMH regex over verify/bench/target/benchmarks.jar, to which a group of the
# kind jmh+processes adds what is measured of whole processes.
set -eu
caller="$PWD"
cd "$(dirname "$0")"

# name | kind | what runs, without an "or" | what it measures; codecs: the packages codec and tls
groups='main-job|program|main_job|hello-http under wrk: Weft, Netty and C servers in one interleaved run
rivals|program+processes|rivals|hello-http, then JSON, bodies, files, uploads, TLS, latencies and reverse proxies beside Vert.x, Helidon, Jetty, Undertow, the JDK, Go, nginx and HAProxy
buffers|jmh|io[.]weft[.]bench[.]buffer[.].*|buffers, allocators, copies, searches, text and leak records beside those of Netty
loops|jmh|io[.]weft[.]bench[.]loop[.].*|executors, timers, promises and object pools beside those of Netty, JRaft and the JDK
transports|jmh+processes|io[.]weft[.]bench[.]transport[.].*|channels, loops and pipelines beside those of Netty, every engine of both sides; UDT and SCTP in an emulated machine
codecs|jmh|io[.]weft[.]bench[.][ct][ol][ds][a-z]*[.].*|framers, Base64, Snappy, LZ4 and TLS beside Netty, on the JDK and on BoringSSL
http1|jmh+processes|io[.]weft[.]bench[.]http[.].*|requests, responses, header fields, forms, frames of WebSocket, and texts of heads beside those of Netty; servers under wrk
dns|jmh+processes|io[.]weft[.]bench[.]dns[.].*|messages of DNS beside Netty and dnsjava; names in the cache, and asked for, beside Netty; servers under dnsperf
http2|jmh+processes|io[.]weft[.]bench[.]http2[.].*|header compression, DATA frames and priorities beside those of Netty; servers under h2load
protocols|jmh+processes|io[.]weft[.]bench[.]protocols[.].*|messages of Redis, memcached, MQTT, STOMP, SMTP, SOCKS, XML and the PROXY protocol beside those of Netty; servers under redis-benchmark; tcp-proxy beside HAProxy
robustness|program|robustness|hello-http under attack, on every transport: what it costs beside goals
memory|jmh|io[.]weft[.]bench[.]ffi[.].*|raw off-heap access beside MemorySegment and ByteBuffer'

usage() {
  cat <<'USAGE'
usage: ./bench.sh list
       ./bench.sh GROUP... [--quick | --smoke] [--only REGEX] [--json FILE] [--html FILE]
       ./bench.sh report [--quick] [--again]

  list          the groups
  report        all groups, into target/report/index.html, report.json and summary.svg; what is there already
                stays: an interrupted report goes on where it stopped
  --again       measures everything anew
  --quick       fewer and shorter measurements; main-job ends within 3 minutes, buffers within 8
  --smoke       of the JMH groups everything for a moment: shows that it runs, the figures mean nothing
  --only REGEX  of the JMH groups only the operations in whose names it is found: --only 'ByteBufCopy|Utf8';
                of requests also single rows: --only 'Wrk.*answer=upload'; and of robustness the attacks
  --json FILE   also write the results to FILE; with several groups FILE holds the entries of all of them
  --html FILE   also draw them: one page without scripts, bars with spread

Any other JMH benchmark or option: ./jdk java -jar verify/bench/target/benchmarks.jar -h
USAGE
}

fail() {
  echo "bench.sh: $1" >&2
  exit 2
}

field() { # field GROUP N
  printf '%s\n' "$groups" | awk -F'|' -v name="$1" -v n="$2" '$1 == name { print $n }'
}

# Builds the jar (and the examples, when they exist) unless it is newer than every source.
build() {
  modules=verify/bench
  [ ! -f examples/pom.xml ] || modules=verify/bench,examples
  if [ -f "$jar" ] && [ -z "$(find . \( -name target -o -name .git \) -prune -o -type f \
    \( -name '*.java' -o -name pom.xml -o -path '*/src/main/resources/*' \) -newer "$jar" -print | head -n 1)" ]; then
    return 0
  fi
  echo "building $modules ..." >&2
  ./mvnw -q -B -ntp -Pquick -pl "$modules" -am package >&2
  touch "$jar"
}

build_c() {
  command -v gcc >/dev/null 2>&1 || {
    echo "gcc is missing (dev/install-peers.sh installs it): going on without the servers in C" >&2
    return 0
  }
  mkdir -p "$c_servers"
  for source in verify/bench/src/main/c/*.c; do
    program="$c_servers/$(basename "$source" .c)"
    [ -n "$(find "$source" verify/bench/src/main/c/*.h ! -newer "$program" 2>/dev/null)" ] &&
      [ -z "$(find "$source" verify/bench/src/main/c/*.h -newer "$program")" ] && continue
    gcc -O2 -o "$program" "$source" || echo "$source does not compile here: going on without it" >&2
  done
}

# Where Weft's modules and its examples are: WEFT_MODULE_PATH, or what the build left.
weft_modules() {
  if [ -n "${WEFT_MODULE_PATH-}" ]; then
    printf %s "$WEFT_MODULE_PATH"
  elif [ -d examples/target/modules ]; then
    printf %s examples/target/modules
    for example in examples/target/weft-examples-*.jar; do
      [ ! -f "$example" ] || printf :%s "$example"
    done
  fi
}

main_job() { # main_job JSON HTML
  build_c
  set -- ${1:+--json "$1"} ${2:+--html "$2"} --c-servers "$c_servers"
  weft="$(weft_modules)"
  [ -z "$weft" ] || set -- "$@" --weft "$weft"
  [ -z "$quick" ] || set -- "$@" --quick
  [ -z "$others" ] || set -- "$@" --rivals "$others"
  ./jdk java -cp "$jar" io.weft.bench.mainjob.MainJob "$@"
}

rivals() { # rivals JSON HTML
  others="$PWD/verify/rivals/target"
  echo "building verify/rivals ..." >&2
  ./mvnw -q -B -ntp -f verify/rivals/pom.xml package >&2
  cp verify/rivals/src/main/sh/*.sh "$others/"
  for program in hello answers proxy; do
    ! command -v go >/dev/null 2>&1 || go build -o "$others/$program-go" "verify/rivals/src/main/go/$program.go" >&2 ||
      echo "$program.go does not compile here: going on without it" >&2
  done
  keys "$others"
  head -c 1048576 /dev/zero | tr '\0' x >"$others/file"
  main_job "$@"
  others=''
}

# Makes the certificate of the servers of others, in the two formats that they read.
keys() { # keys FOLDER
  [ ! -f "$1/key.pem" ] || return 0
  ./jdk keytool -genkeypair -keyalg EC -groupname secp256r1 -dname CN=localhost -validity 3650 -alias server \
    -storetype PKCS12 -keystore "$1/keys.p12" -storepass changeit >/dev/null 2>&1
  openssl pkcs12 -in "$1/keys.p12" -passin pass:changeit -nokeys -out "$1/certificate.pem" 2>/dev/null
  openssl pkcs12 -in "$1/keys.p12" -passin pass:changeit -nocerts -nodes -out "$1/key.pem" 2>/dev/null
}

robustness() { # robustness JSON HTML
  taskset -c 1 ./jdk java "-XX:ActiveProcessorCount=2" -cp "$jar" io.weft.bench.robustness.Robustness "$(weft_modules)" \
    ${quick:+--quick} ${only:+--only "$only"} ${1:+--json "$1"} ${2:+--html "$2"}
}

jmh() { # jmh GROUP REGEX JSON HTML
  set -- "$1" "$2" ${3:+--json "$3"} ${4:+--html "$4"}
  [ -z "$quick" ] || set -- "$@" --quick
  [ -z "$smoke" ] || set -- "$@" --smoke
  [ -z "$only" ] || set -- "$@" --only "$only"
  # The flag is for JMH itself; the JVMs that it forks get flags of their own.
  ./jdk java --sun-misc-unsafe-memory-access=allow -cp "$jar" io.weft.bench.jmh.JmhGroup "$@"
}

processes() { # processes GROUP JSON HTML
  if ! command -v taskset >/dev/null 2>&1 || [ "$(nproc)" -lt 2 ]; then
    echo "processes of $1: skipped, they need taskset (dev/install-peers.sh installs it) and two cores" >&2
    return 0
  fi
  set -- "$1" ${2:+--json "$2"} ${3:+--html "$3"}
  [ -z "$quick" ] || set -- "$@" --quick
  [ -z "$smoke" ] || set -- "$@" --smoke
  [ -z "$only" ] || set -- "$@" --only "$only"
  weft="$(weft_modules)"
  [ -z "$weft" ] || set -- "$@" --weft "$weft"
  [ "$1" != rivals ] || set -- "$@" --rivals "$PWD/verify/rivals/target"
  case "$1" in http1 | http2 | rivals) build_c && set -- "$@" --c-servers "$c_servers" ;; esac
  # It sees one core; the facts in its report are about the machine.
  taskset -c 1 ./jdk java "-XX:ActiveProcessorCount=$(nproc)" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$jar" io.weft.bench.transport.process.Programs "$@"
}

# What needs another kernel, in an emulated machine; it is printed, and in the list of results.
in_machine() { # in_machine PARTS
  [ -z "$smoke$only" ] || return 0
  for rates in udt sctp; do
    WEFT_CLASSPATH="$PWD/$jar" dev/machine-rates.sh "$rates" ${quick:+--quick} --json "$1/transports-$rates.json" ||
      { [ $? = 2 ] && echo "$rates in an emulated machine: skipped" >&2; } || return 1
  done
}

# Minutes that a quick group takes on two cores; a full one takes about 15 times as long.
minutes() {
  case "$1" in
    main-job | memory) echo 3 ;;
    dns) echo 5 ;;
    protocols | buffers) echo 8 ;;
    rivals) echo 27 ;;
    http1 | http2) echo 25 ;;
    transports) echo 15 ;;
    *) echo 10 ;;
  esac
}

# Measures a group; its results are sections and lists in the folder PARTS.
run() { # run GROUP PARTS
  status=0
  case "$(field "$1" 2)" in
    program*) "$(field "$1" 3)" "$2/$1.json" "$2/$1.html" || status=1 ;;
    jmh*) jmh "$1" "$(field "$1" 3)" "$2/$1.json" "$2/$1.html" || status=1 ;;
  esac
  case "$(field "$1" 2)" in
    *+processes) processes "$1" "$2/$1-processes.json" "$2/$1-processes.html" || status=1 ;;
  esac
  [ "$1" != transports ] || in_machine "$2" || status=1
  return $status
}

# Joins what is in the folder PARTS to one list and one page.
join() { # join PARTS JSON HTML
  if [ -n "$2" ]; then
    separator=''
    {
      echo '['
      for part in "$1"/*.json; do # each part is a list with its brackets on lines of their own
        grep -q '{' "$part" 2>/dev/null || continue # none, or an empty list
        [ -z "$separator" ] || echo "$separator"
        sed '1d;$d' "$part"
        separator=','
      done
      echo ']'
    } >"$2"
  fi
  [ -z "$3" ] || ./jdk java -cp "$jar" io.weft.bench.report.Page "$3" "$1"/*.html
}

# Measures each group that has no result yet, and draws one page of all.
report() {
  kept="target/report/${quick:+quick-}parts"
  [ -z "$again" ] || rm -rf -- "$kept"
  mkdir -p "$kept"
  left=0 failed=0
  for group in $chosen; do
    [ -f "$kept/$group.done" ] || left=$((left + $(minutes "$group")))
  done
  for group in $chosen; do
    [ ! -f "$kept/$group.done" ] || { echo "$group: measured before (--again measures it anew)" >&2; continue; }
    if [ -n "$quick" ]; then estimate="$left minutes"; else estimate="$((left / 4)) hours"; fi
    echo "$group: begins, about $estimate until the end of the report" >&2
    if run "$group" "$kept"; then
      : >"$kept/$group.done"
    else
      echo "$group: did not run to its end; the next report measures it again" >&2
      failed=1
    fi
    left=$((left - $(minutes "$group")))
    join "$kept" target/report/report.json target/report/index.html # what there is so far
  done
  join "$kept" target/report/report.json target/report/index.html
  ./jdk java -cp "$jar" io.weft.bench.report.Summary target/report/summary.svg "$kept"/*.html
  echo target/report/index.html
  return $failed
}

jar=verify/bench/target/benchmarks.jar
c_servers=verify/bench/target/c
quick='' smoke='' only='' others='' again='' json='' html='' chosen=''
[ $# -gt 0 ] || { usage >&2; exit 2; }
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    list) printf '%s\n' "$groups" | awk -F'|' '{ printf "%-10s %s\n", $1, $4 }'; exit 0 ;;
    --quick) quick=1 ;;
    --smoke) smoke=1 ;;
    --again) again=1 ;;
    report)
      [ -z "$chosen" ] || fail 'report measures all groups: name none beside it'
      chosen=report ;;
    --json)
      [ $# -gt 1 ] || fail '--json needs a file'
      shift
      case "$1" in /*) json="$1" ;; *) json="$caller/$1" ;; esac ;;
    --html)
      [ $# -gt 1 ] || fail '--html needs a file'
      shift
      case "$1" in /*) html="$1" ;; *) html="$caller/$1" ;; esac ;;
    --only)
      [ $# -gt 1 ] || fail '--only needs a regex'
      shift
      only="$1" ;;
    -*) fail "unknown option: $1 (see ./bench.sh --help)" ;;
    *)
      [ "$chosen" != report ] || fail 'report measures all groups: name none beside it'
      [ -n "$(field "$1" 1)" ] || fail "unknown group: $1 (see ./bench.sh list)"
      chosen="$chosen $1" ;;
  esac
  shift
done
[ -n "$chosen" ] || fail 'no group given (see ./bench.sh list)'

[ -z "$json" ] || : >"$json" || fail "cannot write $json"
[ -z "$html" ] || : >"$html" || fail "cannot write $html"
build
if [ "$chosen" = report ]; then
  chosen="$(printf '%s\n' "$groups" | cut -d'|' -f1)"
  report || exit 1
  exit 0
fi
parts="$(mktemp -d)"
trap 'rm -rf -- "$parts"' EXIT
result=0
for group in $chosen; do
  run "$group" "$parts" || result=1
done
join "$parts" "$json" "$html"
exit "$result"
