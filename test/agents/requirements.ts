import { which } from "bun";
import { missingPrerequisite } from "../../agents/containers/prerequisites.ts";

type Program =
  | ("nft" | "ip" | "unshare" | "nsenter" | "setpriv" | "openssl" | "debootstrap")
  | ("chromium" | "curl" | "sshd" | "microsocks" | "reptyr" | "Xvfb" | "vim")
  | ("fish" | "zsh" | "tmux" | "less" | "htop")
  | ("Xvnc" | "x11vnc" | "openbox" | "xterm" | "xclip" | "xdpyinfo")
  | ("notify-send" | "dunst" | "dbus-daemon" | "dbus-send" | "dbus-run-session")
  | ("gnome-keyring-daemon" | "secret-tool")
  | ("busybox" | "docker-registry" | "crun" | "runc")
  | ("pebble" | "pebble-challtestsrv" | "nginx" | "caddy")
  | ("patroni" | "etcd");

const told = new Set<string>();

/**
 * Says what a test lacks on this machine, and prints it once: `test.skipIf(lacks(...))`.
 *
 * @param needed `root`: root on Linux, who may make namespaces; `oci`: what runs containers of images; or the name of a program
 */
export function lacks(...needed: ("root" | "linux" | "oci" | Program)[]): boolean {
  const missing = needed.filter((what) => {
    if (what === "linux") return process.platform !== "linux";
    if (what === "root") return process.platform !== "linux" || process.getuid?.() !== 0;
    if (what === "oci") return missingPrerequisite() !== null;
    return which(what) === null;
  });
  if (missing.length === 0) return false;
  const reason = `skipped: this machine lacks ${missing.join(", ")}`;
  if (!told.has(reason)) console.log(reason);
  told.add(reason);
  return true;
}
