#!/bin/sh
# Runs the tests of transport/sctp in an emulated machine (qemu) whose kernel has SCTP:
#   dev/sctp.sh [--loss PERCENT] [TEST...]  TEST is CLASS or CLASS#method of the module; default: all that need SCTP
#   dev/sctp.sh --quick                     the same on epoll only, without the peers: a minute on an idle processor
#   dev/sctp.sh install                     installs the machine and the peers first (Debian; root; 900 MB)
# The machine boots the newest kernel in /boot; its root file system is this one, read-only. All tests take about two minutes on
# two idle processors. With --loss, that share of the loopback interface's packets is lost (netem). SCTP_SECONDS=N ends the
# machine after N seconds (default 900); SCTP_CLASSPATH=PATH takes classes that are built already; SCTP_WORK=DIRECTORY is for what
# the machine is made of. KVM is used where it boots this kernel. Ends with the tests' status.
set -eu
cd "$(dirname "$0")/.."
here="$PWD"
loss=0
tests=''
only=''
while [ $# -gt 0 ]; do
  case "$1" in
    install)
      apt-get update -qq
      exec apt-get install -y -qq --no-install-recommends qemu-system-x86 linux-image-amd64 busybox-static cpio kmod \
        iproute2 socat lksctp-tools ;;
    --loss) loss="${2?--loss: a percentage}"; shift ;;
    --quick)
      only=epoll
      tests='io.weft.transport.sctp.SctpTest io.weft.transport.sctp.SctpAbuseTest io.weft.transport.sctp.SctpLossTest' ;;
    -h | --help) sed -n '2,9s/^# //p' "$0"; exit 0 ;;
    -*) echo "sctp.sh: $1 (expected: [--quick] [--loss PERCENT] [TEST...])" >&2; exit 2 ;;
    *) tests="$tests io.weft.transport.sctp.$1" ;;
  esac
  shift
done
case "$loss" in '' | *[!0-9.]*) echo "sctp.sh: --loss $loss (expected: a number)" >&2; exit 2 ;; esac
[ "$(uname -m)" = x86_64 ] || { echo "sctp.sh: $(uname -m) (expected: x86_64)" >&2; exit 2; }
[ -n "$tests" ] || tests='io.weft.transport.sctp.SctpTest io.weft.transport.sctp.SctpPeersTest io.weft.transport.sctp.SctpAbuseTest
  io.weft.transport.sctp.SctpLossTest io.weft.transport.sctp.SctpUnavailableTest'
kernel="$(ls /boot/vmlinuz-* 2>/dev/null | sort -V | tail -n 1)"
for needed in "$kernel" "$(command -v qemu-system-x86_64)" "$(command -v busybox)" "$(command -v cpio)" "$(command -v modprobe)"; do
  [ -n "$needed" ] || { echo 'sctp.sh: no machine (dev/sctp.sh install)' >&2; exit 2; }
done

# ---- classes, each directory as one file: opening many of them is slow in there ----
work="${SCTP_WORK-$here/transport/sctp/target/machine}"
rm -rf "$work"
mkdir -p "$work/root/bin" "$work/root/modules" "$work/root/host" "$work/classes"
if [ -n "${SCTP_CLASSPATH-}" ]; then
  classpath="$SCTP_CLASSPATH"
else
  ./mvnw -B -ntp -q -Dspotless.check.skip -pl transport/sctp -am test-compile dependency:build-classpath \
    -Dmdep.outputFile='${project.build.directory}/test.classpath' -Dmdep.includeScope=test >&2
  version="$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' pom.xml)"
  launcher="$(find "${HOME}/.m2/repository/org/junit/platform/junit-platform-launcher/$version" -name '*.jar')"
  classpath="transport/sctp/target/classes:transport/sctp/target/test-classes:$(cat transport/sctp/target/test.classpath):$launcher"
fi
java="$(./jdk java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/bin"
path=''
number=0
for entry in $(printf '%s' "$classpath" | tr ':' ' '); do
  if [ -d "$entry" ]; then
    number=$((number + 1))
    "$java/jar" --create --no-compress --file "$work/classes/$number.jar" -C "$entry" .
    path="$path:$work/classes/$number.jar"
  else
    path="$path:$entry"
  fi
done
"$java/javac" -d "$work/runner" -cp "${path#:}" dev/RunTests.java
"$java/jar" --create --no-compress --file "$work/classes/runner.jar" -C "$work/runner" .
flags="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=deny -Dio.weft.leakLedger=true -Dpeers=true -Dio.weft.watchdog.threshold=0
  -Dio.weft.test.transport=$only -cp $work/classes/runner.jar$path"

# ---- the machine's first file system: what mounts ours ----
release="${kernel#/boot/vmlinuz-}"
cp "$(command -v busybox)" "$work/root/bin/busybox"
order=''
for module in virtio_pci 9pnet_virtio 9p crc32c_generic sctp sch_netem; do
  for file in $(modprobe -S "$release" --show-depends "$module" 2>/dev/null | sed -n 's/^insmod \([^ ]*\).*/\1/p'); do
    cp "$file" "$work/root/modules/"
    order="$order $(basename "$file")"
  done
done
cat >"$work/run" <<EOF
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/mnt
cd '$here/transport/sctp'
ip link set lo up
[ '$loss' = 0 ] || tc qdisc add dev lo root netem loss '$loss%'
'$java/java' -Dio.weft.test.machine=true -Djava.io.tmpdir=/mnt $(echo $flags) RunTests $(echo $tests)
EOF
cat >"$work/root/init" <<EOF
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in $order; do insmod "/modules/\$module" 2>/dev/null; done
mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro host /host
for directory in proc sys dev; do mount -o bind "/\$directory" "/host/\$directory"; done
mkdir -p /host/dev/shm
for directory in dev/shm run mnt; do mount -t tmpfs tmpfs "/host/\$directory"; done
chroot /host /bin/sh '$work/run'
echo "machine: ended with \$?"
poweroff -f
EOF
chmod +x "$work/root/init"
(cd "$work/root" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/initrd"

# Not every place has KVM, and where it is there, not every one can boot this kernel: it has some seconds to say a word.
machine='-accel tcg,thread=multi -cpu max'
# shellcheck disable=SC2016 # for the inner shell, which takes the message about an aborted program with it
if [ -w /dev/kvm ] && sh -c 'timeout 4 qemu-system-x86_64 -accel kvm -cpu host -m 256 -nographic -no-reboot -nic none \
  -kernel "$1" -append "console=ttyS0 panic=-1" </dev/null' sh "$kernel" 2>/dev/null | grep -q 'Linux version'; then
  machine='-accel kvm -cpu host'
fi
# shellcheck disable=SC2086 # several words
timeout "${SCTP_SECONDS-900}" qemu-system-x86_64 $machine -smp 2 -m 2048 -nographic -no-reboot \
  -nic none -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
  -kernel "$kernel" -initrd "$work/initrd" -append 'console=ttyS0 quiet panic=-1' </dev/null 2>&1 |
  sed -u 's/\r//g' | tee "$work/log" | sed -n -u -e '/Booting from ROM/,$!d; /Booting from ROM/d' \
  -e '/reboot: Power down/d; /^machine: ended/d; p'
status="$(sed -n 's/^machine: ended with //p' "$work/log")"
[ -n "$status" ] || echo "sctp.sh: the machine did not end (expected: within ${SCTP_SECONDS-900} s); its log: $work/log" >&2
exit "${status:-1}"
