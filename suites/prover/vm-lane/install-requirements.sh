#!/bin/sh
# What the VM lane wants, on Debian 12 or later, as root:
#
#   eval "$(suites/prover/vm-lane/install-requirements.sh /opt/rollbed-vm)"
#
# QEMU is installed. A kernel, and the vsock device that only Debian sid has, are unpacked into the
# folder and nowhere else: this machine's own kernel and sources stay as they are. Prints the two
# variables that name them.
set -eu

folder=${1:?"usage: $0 FOLDER"}
version=0.3.0-2
sha256=fd36382419cc174f00d9b1691486b581e13e8c1168dc339b86b2a65180a29ce7
# Where sid has moved on, the archive of a day: https://snapshot.debian.org/archive/debian/20261120T000000Z
sid=${SID_URI:-http://deb.debian.org/debian}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
exec 3>&1 >&2

apt-get update -qq
apt-get install -qq -y --no-install-recommends qemu-system-x86 util-linux
kernel=$(apt-cache depends --important linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p')
apt-get download -qq -o APT::Sandbox::User=root "$kernel"

# Lists of its own, so that nothing else can come from sid.
mkdir -p lists/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $sid sid main" >sid.list
from_sid() {
  apt-get -qq -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false \
    -o Dir::State::Lists="$scratch/lists" -o Dir::Etc::SourceList="$scratch/sid.list" \
    -o Dir::Etc::SourceParts=/dev/null -o Dir::Cache="$scratch" "$@"
}
from_sid update
from_sid download "vhost-device-vsock=$version"
echo "$sha256  vhost-device-vsock_${version}_amd64.deb" | sha256sum --check --quiet

for package in *.deb; do dpkg-deb --extract "$package" "$folder"; done
{
  echo "export ROLLBED_VM_KERNEL=$folder/boot/vmlinuz-${kernel#linux-image-}"
  echo "export ROLLBED_VM_VSOCK=$folder/usr/bin/vhost-device-vsock"
} >&3
