#!/bin/sh
# Run by clean_root.py as root in a clean Debian: install the package, use it as a player, purge it.
# $1: "pixels" for one rehearsal through pictures, too.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
said() { echo "== $(cut -d. -f1 /proc/uptime) s  $*"; }
die() { echo "FAILED: $*" >&2; exit 1; }
player() { setpriv --reuid=player --regid=player --init-groups env HOME=/home/player USER=player TERM=xterm-256color PYTHONWARNINGS=error::RuntimeWarning "$@"; }

said "install on $(dpkg --print-architecture)"
apt-get install -y -q --no-install-recommends /companion.deb >/tmp/install.log 2>&1 || { cat /tmp/install.log; die "apt-get install"; }
useradd -m -s /bin/sh player
player companion --version

said "libraries: NumPy of the package, other packages of the system"
mkdir -p /usr/lib/python3/dist-packages/only_the_system_has_this
touch /usr/lib/python3/dist-packages/only_the_system_has_this/__init__.py
/usr/bin/python3 -c 'import numpy; print("system numpy", numpy.__version__)'
player /usr/lib/companion/bin/python3 -c '
import cv2, numpy, only_the_system_has_this, simplejpeg, zxingcpp
from pyzbar import pyzbar
assert numpy.__file__.startswith("/usr/lib/companion/"), numpy.__file__
assert int(numpy.__version__.split(".")[0]) >= 2, numpy.__version__
picture = numpy.full((16, 16, 3), 99, numpy.uint8)
assert abs(int(simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(picture))[8, 8, 0]) - 99) < 4
print("package numpy", numpy.__version__, "opencv", cv2.__version__, "simplejpeg encodes")'

said "files that the system knows"
for there in man/man1/companion-play.1.gz bash-completion/completions/companion applications/companion.desktop; do
  test -s "/usr/share/$there" || die "no /usr/share/$there"
done
test -s /usr/lib/systemd/user/companion.service || die "no unit"
test -s /usr/lib/udev/rules.d/60-companion.rules || die "no udev rule"
grep -q "^Format: .*copyright-format/1.0" /usr/share/doc/companion/copyright || die "no copyright file"
for there in systemd/system/companion-host.service systemd/system/companion-reset.service sysusers.d/companion.conf; do
  test -s "/usr/lib/$there" || die "no /usr/lib/$there"
done
(cd / && md5sum -c --quiet /var/lib/dpkg/info/companion.md5sums) || die "other bytes than packed"

said "companion doctor"
player companion doctor || die "doctor found something bad"

said "companion rehearse --games 1 --through observations"
player companion rehearse --games 1 --seed 4711 --through observations --json >/tmp/rehearsal.json || die "rehearsal"
cat /tmp/rehearsal.json
if [ "$(dpkg --print-architecture)" = arm64 ]; then
  said "pressed pictures, on the emulator's own processor with SME: no warning"
  QEMU_CPU=max player /usr/lib/companion/bin/python3 -c '
from companion.sensing.press_recogniser import as_enrolled
raised = bytes(60 + 150 * (abs(x - 7) < 4 and abs(y - 7) < 4 and (x + y) % 4 < 2) for y in range(16) for x in range(16))
print(len(as_enrolled(raised, bytes(256))), "crossings enrolled")'
fi
if [ "$1" = pixels ]; then
  said "companion rehearse --games 1 --through pixels"
  player companion rehearse --games 1 --seed 4711 --variant 5+ --players 2 --through pixels --json >/tmp/pixels.json || die "pixels"
  cat /tmp/pixels.json
fi

said "companion play: the first screen, then a table"
screen() { player tmux capture-pane -p -t play 2>/dev/null || true; }
waited() { # $1: what the screen shows at last
  for _ in $(seq 300); do screen | grep -q "$1" && return 0; sleep 1; done
  screen; die "no '$1' on the screen"
}
player tmux new-session -d -s play -x 120 -y 40 'companion play; sleep 600'
waited "PLAY"
screen
player tmux send-keys -t play Enter
waited "on her bed"
screen
player tmux kill-server
# The engine closes its journal when its screen is gone.
for _ in $(seq 120); do
  [ -z "$(find /proc -maxdepth 1 -name '[0-9]*' -user player)" ] && break
  sleep 1
done
[ -z "$(find /proc -maxdepth 1 -name '[0-9]*' -user player)" ] || die "processes of play stay when its terminal is closed"
ls -l /home/player/.local/state/companion/journals/*.jsonl || die "no journal"

said "purge"
cp -a /home/player/.local/state /tmp/before
apt-get purge -y -q companion >/tmp/purge.log 2>&1 || { cat /tmp/purge.log; die "apt-get purge"; }
test ! -e /usr/lib/companion || { find /usr/lib/companion | head; die "purge left files"; }
test ! -e /usr/bin/companion || die "purge left the command"
diff -r /tmp/before /home/player/.local/state >/dev/null || die "purge changed what players recorded"
said "all good: purged, journals stay"
