#!/bin/sh
# Makes the whole root file system of the image: the executable, the libraries that it is linked
# with, a user, and the places that are written to. Usage: root.sh <executable> <folder>
set -eu
file=$1
root=$2

mkdir -p "$root/usr/local/bin" "$root/etc" "$root/tmp" "$root/data" "$root/proc" "$root/dev"
cp "$file" "$root/usr/local/bin/sluice"
# The loader and each library, at the paths that are written in the executable.
ldd "$file" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' |
    while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
echo "sluice:x:10001:10001::/data:/usr/sbin/nologin" > "$root/etc/passwd"
echo "sluice:x:10001:" > "$root/etc/group"
echo "hosts: files dns" > "$root/etc/nsswitch.conf"
chmod 1777 "$root/tmp"
chmod 0700 "$root/data"
# The runner stands for the user of the image where this is not run as root.
chown 10001:10001 "$root/data" 2>/dev/null || true
