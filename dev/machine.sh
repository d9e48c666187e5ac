#!/bin/sh
# Runs a script in an emulated machine (qemu) whose kernel has SCTP and netem, as root:
#   dev/machine.sh WORK SCRIPT [SECONDS]   SCRIPT by its full path; WORK is a directory for what the machine is made of
#   dev/machine.sh check                   ends with 2 and the reason where there is no such machine; where one does not boot, so
#                                          does a run
#   dev/machine.sh install                 installs it (Debian; root; 900 MB)
# It boots the newest kernel in /boot; its root file system is this one, read-only, with /mnt, /run and /dev/shm to write to. KVM is
# used where it boots that kernel. Ends with the script's status, or with 1 after SECONDS (default 900).
set -eu
case "${1-}" in
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

absent() {
  echo "machine.sh: no machine: $1 (dev/machine.sh install)" >&2
  exit 2
}

case "${1-}" in
  install)
    apt-get update -qq
    exec apt-get install -y -qq --no-install-recommends qemu-system-x86 linux-image-amd64 busybox-static cpio kmod \
      iproute2 socat lksctp-tools ;;
  check) ;;
  '' | -*) sed -n '2,8s/^# //p' "$0"; exit 0 ;;
esac
[ "$(uname -m)" = x86_64 ] || absent "$(uname -m) (expected: x86_64)"
kernel="$(ls /boot/vmlinuz-* 2>/dev/null | sort -V | tail -n 1)"
[ -n "$kernel" ] || absent 'no kernel in /boot'
for program in qemu-system-x86_64 busybox cpio modprobe; do
  command -v $program >/dev/null || absent "$program is not on the PATH"
done
[ "$1" != check ] || exit 0
work="$1" script="$2" seconds="${3-900}"
mkdir -p "$work/root/bin" "$work/root/modules" "$work/root/host"

# ---- its first file system: what mounts ours ----
release="${kernel#/boot/vmlinuz-}"
cp "$(command -v busybox)" "$work/root/bin/busybox"
order=''
for module in virtio_pci 9pnet_virtio 9p crc32c_generic sctp sch_netem; do
  for file in $(modprobe -S "$release" --show-depends "$module" 2>/dev/null | sed -n 's/^insmod \([^ ]*\).*/\1/p'); do
    cp "$file" "$work/root/modules/"
    order="$order $(basename "$file")"
  done
done
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
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/mnt
/bin/ip link set lo up
echo 'machine: is up'
chroot /host /bin/sh '$script'
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
timeout "$seconds" qemu-system-x86_64 $machine -smp 2 -m 2048 -nographic -no-reboot \
  -nic none -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
  -kernel "$kernel" -initrd "$work/initrd" -append 'console=ttyS0 quiet panic=-1' </dev/null 2>&1 |
  sed -u 's/\r//g' | tee "$work/log" | sed -n -u -e '/Booting from ROM/,$!d; /Booting from ROM/d' \
  -e '/reboot: Power down/d; /^machine: ended/d; /machine: is up/d; p'
grep -q 'machine: is up' "$work/log" || absent "it does not boot here; its log: $work/log"
status="$(sed -n 's/^machine: ended with //p' "$work/log")"
[ -n "$status" ] || echo "machine.sh: the machine did not end (expected: within $seconds s); its log: $work/log" >&2
exit "${status:-1}"
