#!/bin/sh
# Builds and runs somebody's program from packages alone:  dev/consume.sh [REPOSITORY]
# The program (dev/consumer: an echo server and an HTTP server) is built by Maven and started on the class path, on the
# module path, and as one jar with Weft relocated; and by Gradle, where there is one, and started on both paths. The project that
# dev/new-project.sh makes is built, tested and started too. REPOSITORY is a directory that `./mvnw deploy` wrote; without one, the
# modules are deployed into target/repository first. Fails when the JVM prints a warning.
set -eu
cd "$(dirname "$0")/.."
case "${1-}" in
  -h | --help) sed -n '2,6s/^# //p' "$0"; exit 0 ;;
  -*) sed -n '2,6s/^# //p' "$0" >&2; exit 2 ;;
esac
. ./.mvn/jdk.sh
# A slow machine is no news.
java="$JAVA_HOME/bin/java -Dio.weft.watchdog.threshold=0 --illegal-native-access=deny --sun-misc-unsafe-memory-access=deny"

if [ $# -eq 0 ]; then
  rm -rf target/repository
  repository="$PWD/target/repository"
  ./mvnw -B -ntp -q -Pquick deploy -Dmaven.install.skip=true "-DaltDeploymentRepository=local::file:$repository"
else
  repository="$(cd "$1" && pwd)"
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT HUP INT TERM

# What Maven fetched already need not be fetched again; Weft has to come from the repository.
mkdir -p "$work/cached/io"
for path in "$HOME"/.m2/repository/* "$HOME"/.m2/repository/io/*; do
  name="${path#"$HOME"/.m2/repository/}"
  case "$name" in
    io | io/weft | *'*') ;;
    *) ln -s "$path" "$work/cached/$name" ;;
  esac
done

# build NAME PROFILES: the program in a directory of its own
build() {
  mkdir "$work/$1"
  cp -r dev/consumer/pom.xml dev/consumer/src "$work/$1"
  [ "$1" != module-path ] || cp dev/consumer/module-info.java "$work/$1/src/main/java"
  ./mvnw -B -ntp -q -f "$work/$1/pom.xml" "-P$2" "-Dweft.repository=file:$repository" \
    "-Dmaven.repo.local=$work/m2" "-Dmaven.repo.local.tail=$work/cached" package
}

# check_starter: the project of dev/new-project.sh, which knows no repository, is built, tested, and serves
check_starter() {
  printf '%s' "<settings><profiles><profile><id>weft</id><repositories><repository><id>weft</id><url>file:$repository</url>\
<snapshots><enabled>true</enabled></snapshots></repository></repositories></profile></profiles>\
<activeProfiles><activeProfile>weft</activeProfile></activeProfiles></settings>" >"$work/settings.xml"
  dev/new-project.sh starter "$work/starter" >/dev/null
  ./mvnw -B -ntp -q -s "$work/settings.xml" -f "$work/starter/pom.xml" "-Dmaven.repo.local=$work/m2" \
    "-Dmaven.repo.local.tail=$work/cached" package
  # shellcheck disable=SC2086
  $java -jar "$work/starter/target/starter.jar" 0 >"$work/starter/stdout" 2>"$work/starter/stderr" &
  server=$!
  # It says its port, or ends.
  while [ ! -s "$work/starter/stdout" ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; done
  port="$(sed -n 's/^listening on port //p' "$work/starter/stdout")"
  said="$(curl --silent --show-error "http://127.0.0.1:$port/hello/world" || true)"
  kill "$server" 2>/dev/null || true
  wait "$server" || true
  if [ "$said" != 'Hello, world!' ] || grep -i 'WARNING' "$work/starter/stderr" >&2; then
    cat "$work/starter/stderr" >&2
    echo "consume.sh: starter: $said (expected: Hello, world!, and no warning)" >&2
    exit 1
  fi
  echo "starter: $said"
}

# The JDK that Gradle runs on: that of Debian knows none as new as ours, which compiles all the same.
gradle_jdk() {
  command -v gradle >/dev/null || return 1
  for jdk in "${JAVA17_HOME-}" /usr/lib/jvm/default-java /usr/lib/jvm/java-17-openjdk-* "$JAVA_HOME"; do
    [ -x "$jdk/bin/java" ] || continue
    if JAVA_HOME="$jdk" gradle --offline --version >/dev/null 2>&1; then
      echo "$jdk"
      return 0
    fi
  done
  return 1
}

# build_by_gradle NAME DEPENDENCIES: the same from the same packages. Gradle asks no registry: what Maven has fetched is enough.
build_by_gradle() {
  mkdir "$work/$1"
  cp -r dev/consumer/build.gradle dev/consumer/src "$work/$1"
  [ "$2" != modules ] || cp dev/consumer/module-info.java "$work/$1/src/main/java"
  (cd "$work/$1" && JAVA_HOME="$gradle_jdk" gradle --offline --no-daemon -g "$work/gradle" "-Prepository=file:$repository" \
    "-Pcached=file:$work/cached" "-Pjdk=$JAVA_HOME" "-PweftVersion=$version" "-Pdependencies=$2" assemble) \
    >"$work/$1/log" 2>&1 || { cat "$work/$1/log" >&2; exit 1; }
  mv "$work/$1"/build/libs/*.jar "$work/$1/consumer.jar"
}

# check NAME COMMAND...: it says what it should, and the JVM says nothing
check() {
  name="$1"
  shift
  said="$("$@" 2>"$work/$name/stderr")" || { cat "$work/$name/stderr" >&2; exit 1; }
  case "$said" in
    *' hello world') echo "$name: $said" ;;
    *) echo "consume.sh: $name: $said (expected: hello world)" >&2; exit 1 ;;
  esac
  if grep -i 'WARNING' "$work/$name/stderr" >&2; then
    echo "consume.sh: $name: prints warnings (expected: none)" >&2
    exit 1
  fi
}

# shellcheck disable=SC2086
{
  build class-path all
  check class-path $java --enable-native-access=ALL-UNNAMED -cp "$work/class-path/target/consumer.jar:$work/class-path/target/lib/*" \
    com.example.consumer.Consumer
  build module-path modules
  check module-path $java --enable-native-access=io.weft.ffi --add-modules ALL-MODULE-PATH \
    -p "$work/module-path/target/consumer.jar:$work/module-path/target/lib" -m com.example.consumer/com.example.consumer.Consumer
  build shaded modules,shaded
  check shaded $java -Dcom.example.shaded.weft.watchdog.threshold=0 -jar "$work/shaded/target/consumer.jar"

  check_starter

  if gradle_jdk="$(gradle_jdk)"; then
    version="$(sed -n 's:.*<weft.version>\(.*\)</.*:\1:p' dev/consumer/pom.xml)"
    build_by_gradle gradle-class-path all
    check gradle-class-path $java --enable-native-access=ALL-UNNAMED \
      -cp "$work/gradle-class-path/consumer.jar:$work/gradle-class-path/build/lib/*" com.example.consumer.Consumer
    build_by_gradle gradle-module-path modules
    check gradle-module-path $java --enable-native-access=io.weft.ffi --add-modules ALL-MODULE-PATH \
      -p "$work/gradle-module-path/consumer.jar:$work/gradle-module-path/build/lib" -m com.example.consumer/com.example.consumer.Consumer
  else
    echo 'gradle: skipped, none that runs is on the PATH (dev/install-peers.sh installs one)'
  fi
}
