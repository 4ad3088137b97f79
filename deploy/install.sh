#!/bin/sh
# Installs Berth's services on this machine, from the checkout that it is in. It checks everything before it changes anything, and may be run again.
#
#   deploy/install.sh [--dry-run] ROLE…       gateway, actors, agent
#   deploy/install.sh --uninstall             stops and removes the services; settings, keys and data stay
#
# PREFIX (/opt/berth), CONFIG (/etc/berth) and UNITS (/etc/systemd/system) name other folders. ROOT is put in front of all three, for the image of a machine.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
root=${ROOT:-}
prefix=${PREFIX:-/opt/berth}
config=${CONFIG:-/etc/berth}
units=${UNITS:-/etc/systemd/system}
dry_run=no
uninstall=no
roles=
for word in "$@"; do
  case $word in
    --dry-run) dry_run=yes ;;
    --uninstall) uninstall=yes ;;
    gateway | actors | agent) roles="$roles $word" ;;
    *) echo "install: $word is no role: give gateway, actors or agent" >&2; exit 2 ;;
  esac
done

# Shows a step, and takes it unless this is a dry run.
step() {
  echo "  $*"
  [ "$dry_run" = yes ] || "$@"
}
running() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

unit_files="berth.target berth-gateway.service berth-actors@.service berth-agent.service"
if [ "$uninstall" = yes ]; then
  echo "Removing the services; $config, keys and data stay:"
  if running; then
    # An instance of a template is named by its link and by its process; systemctl disables no pattern.
    instances=$(cd "$units" && ls -d ./*.wants/berth-actors@*.service 2> /dev/null | sed 's|.*/||')
    for unit in berth.target berth-gateway.service berth-agent.service $instances; do
      systemctl cat "$unit" > /dev/null 2>&1 && step systemctl disable --now "$unit"
    done
    step systemctl stop 'berth-actors@*.service'
  fi
  for unit in $unit_files; do [ ! -e "$root$units/$unit" ] || step rm "$root$units/$unit"; done
  [ ! -e "$root$prefix" ] || step rm -r "$root$prefix"
  running && step systemctl daemon-reload
  exit 0
fi
[ -n "$roles" ] || { echo "install: name the roles of this machine: gateway, actors, agent" >&2; exit 2; }

# What is missing, all of it before anything is changed.
missing=
lack() { missing="$missing
  $1"; }
bun=$source/node_modules/.bin/bun
[ "$(id -u)" = 0 ] || lack "root: run it with sudo"
[ -n "$root" ] || command -v systemctl > /dev/null || lack "systemd: systemctl is not there"
[ -x "$bun" ] || lack "the dependencies of the checkout: npm ci"
case $roles in
  *gateway* | *actors*)
    [ -n "$root" ] || command -v useradd > /dev/null || getent passwd berth > /dev/null || lack "a user berth, or useradd"
    [ -r "$root$config/berth.conf" ] || lack "settings in $config/berth.conf: copy deploy/berth.conf.example, and berth keys make $config/keys"
    ;;
esac
above=$root$prefix
while [ ! -d "$above" ]; do above=$(dirname "$above"); done
free_kb=$(df -Pk "$above" 2> /dev/null | awk 'NR == 2 { print $4 }')
[ "${free_kb:-0}" -gt 1048576 ] || lack "a gigabyte of free disk at $prefix"
absent=
if [ -x "$bun" ] && [ -r "$root$config/berth.conf" ]; then
  for role in $roles; do
    [ "$role" = agent ] && continue
    wrong=$(cd "$source" && env -i PATH="$PATH" "$bun" scripts/berth.ts settings check "$role" "$root$config/berth.conf" 2>&1) ||
      lack "right settings of the $role: $wrong"
    # The image of a machine may get its keys later.
    [ -n "$root" ] || absent=$(printf '%s\n%s' "$absent" "$wrong" | grep 'is not there, on this machine$' | sort -u || true)
  done
fi
[ -z "$absent" ] || lack "files that $config/berth.conf names:
$absent"
if [ -n "$missing" ]; then
  echo "install: nothing was changed. It lacks:$missing" >&2
  exit 1
fi

if [ "$dry_run" = yes ]; then echo "Would install$roles from $source, by these steps:"; else echo "Installing$roles from $source:"; fi
if [ -z "$root" ] && ! getent passwd berth > /dev/null; then
  step useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin berth
fi
if [ "$source" != "$root$prefix" ]; then
  step mkdir -p "$root$prefix"
  step chmod 0755 "$root$prefix"
  for part in package.json package-lock.json tsconfig.json schemas system actors gateway agents client scripts deploy node_modules; do
    # A new copy beside the old one, so that no process starts from half of it.
    step rm -rf "$root$prefix/.new"
    step cp -a "$source/$part" "$root$prefix/.new"
    # The agent is root and runs this code: whoever owns the checkout may not change it here. The user berth reads it, whatever the umask was.
    step chown -Rh root:root "$root$prefix/.new"
    step find "$root$prefix/.new" ! -type l -exec chmod go+rX,go-w {} +
    step rm -rf "$root$prefix/$part"
    step mv "$root$prefix/.new" "$root$prefix/$part"
  done
  # The history stays behind: processes say by it which version they are.
  commit=$(cd "$source" && "$bun" -e 'console.log((await import("./system/commit.ts")).commitOf(".") ?? "")')
  [ -z "$commit" ] || step sh -c 'echo "$1" > "$2" && chmod 0644 "$2"' sh "$commit" "$root$prefix/COMMIT"
fi
step mkdir -p "$root$units" "$root$config" "$root$prefix/node_modules/.cache"
# `berth keys make` makes it for root alone; the user berth reads its settings there.
step chmod 0755 "$root$config"
[ -e "$root$config/agent.conf" ] || step install -m 0640 /dev/null "$root$config/agent.conf"
for unit in $unit_files; do step install -m 0644 "$source/deploy/systemd/$unit" "$root$units/$unit"; done
if [ "$prefix $config" != "/opt/berth /etc/berth" ]; then
  for unit in $unit_files; do step sed -i "s|/opt/berth|$prefix|g; s|/etc/berth/|$config/|g" "$root$units/$unit"; done
fi
# It holds passwords.
[ ! -e "$root$config/berth.conf" ] || step chmod 0640 "$root$config/berth.conf"
if getent passwd berth > /dev/null && [ -e "$root$config/berth.conf" ]; then
  step chown root:berth "$root$config/berth.conf"
  [ ! -d "$root$config/keys" ] || step chown -R berth:berth "$root$config/keys"
fi
running && step systemctl daemon-reload
echo "Start them when you want:"
for role in $roles; do
  case $role in
    gateway) echo "  systemctl enable --now berth.target berth-gateway" ;;
    actors) echo "  systemctl enable --now berth.target berth-actors@1" ;;
    agent) echo "  berth agent join URL TOKEN, then: systemctl enable --now berth.target berth-agent" ;;
  esac
done
