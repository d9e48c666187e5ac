#!/bin/sh
# Prints how long a server takes from its start to its first response, plain and with an AOT cache, and the size of an image:
#   dev/startup.sh [RUNS]     medians of 10 runs, unless said otherwise
# The server (dev/startup) answers "hello" over HTTP. What it makes is in target/startup: modules, hello.aot, and the image.
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$(dirname "$0")/.."
case "${1-10}" in
  *[!0-9]* | '') sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
runs="${1-10}"
. ./.mvn/jdk.sh
bin="$JAVA_HOME/bin"
work=target/startup
rm -rf "$work"
mkdir -p "$work/classes" "$work/modules"

[ "${BUILD-}" = false ] || ./mvnw -B -ntp -q -Pquick -pl http/server,transport/epoll,transport/nio,transport/uring -am package >&2
for room in core/ffi core/buffer core/loop core/engine core/eventloop resolver/names core/channel core/codec tls/x509 tls/machine \
  codec/compression codec/haproxy handler/filter handler/haproxy handler/tls http/model http/http1 http/hpack http/http2 http/server \
  transport/posix transport/epoll transport/nio transport/uring; do
  find "$room/target" -maxdepth 1 -name 'weft-*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar' -exec cp {} "$work/modules" \;
done
# Annotations, which only the compiler wants to see.
jspecify="$(find "$HOME/.m2/repository/org/jspecify/jspecify" -name 'jspecify-*.jar' | sort | tail -n 1)"
"$bin/javac" -d "$work/classes" -p "$work/modules:$jspecify" dev/startup/module-info.java dev/startup/hello/Hello.java
"$bin/jar" --create --file "$work/modules/hello.jar" -C "$work/classes" .

path="-p $work/modules -m hello/hello.Hello"
flags="--enable-native-access=io.weft.ffi -XX:+UseSerialGC -Xmx64m"
first() { "$bin/java" dev/FirstResponse.java "$@"; }

# shellcheck disable=SC2086
{
  echo "plain            $(first "$runs" "$bin/java" $flags $path)"
  first 1 "$bin/java" $flags -XX:AOTCacheOutput="$work/hello.aot" $path >/dev/null
  echo "with AOT cache   $(first "$runs" "$bin/java" $flags -XX:AOTMode=on -XX:AOTCache="$work/hello.aot" $path)"
  "$bin/jlink" -p "$work/modules" --add-modules hello --output "$work/image" --strip-debug --no-header-files --no-man-pages \
    --compress zip-6 --launcher hello=hello/hello.Hello
  echo "image            $(first "$runs" "$work/image/bin/java" $flags -m hello/hello.Hello)"
  first 1 "$work/image/bin/java" $flags -XX:AOTCacheOutput="$work/image.aot" -m hello/hello.Hello >/dev/null
  echo "image with cache $(first "$runs" "$work/image/bin/java" $flags -XX:AOTMode=on -XX:AOTCache="$work/image.aot" -m hello/hello.Hello)"
}
megabytes() { du -sm "$1" | cut -f1; }
echo "image: $(megabytes "$work/image") MB; cache: $(megabytes "$work/hello.aot") MB, of the image $(megabytes "$work/image.aot") MB"
