import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedWatchdog, temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";

/** A bus on which nothing is started by being asked for: a test says who is there. */
const BUS_CONFIG = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** What dunst keeps of a notice. */
export interface Seen {
  readonly summary: string;
  readonly body: string;
  /** What is on the screen, without the markup that says how it looks. */
  readonly text: string;
  readonly icon_path: string;
  /** Microseconds. */
  readonly timeout: string;
}

/** An X server, a session bus and, unless told otherwise, dunst: all real, and nobody else's. */
export async function startDesktop(
  options: { daemon?: boolean; config?: string; enter?: readonly string[] } = {},
) {
  const folder = temporaryFolder();
  const children: ReturnType<typeof Bun.spawn>[] = [];
  const start = (argv: string[], env: Record<string, string> = {}) => {
    const child = Bun.spawn([...(options.enter ?? []), ...argv], {
      env: { PATH: process.env.PATH ?? "", HOME: folder, LC_ALL: "C.UTF-8", ...env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    sharedWatchdog().watch(child.pid, "TERM");
    children.push(child);
    return child;
  };
  const firstLine = async (child: ReturnType<typeof start>) => {
    let text = "";
    for await (const piece of child.stdout) {
      text += Buffer.from(piece).toString();
      if (text.includes("\n")) break;
    }
    return text.split("\n")[0] ?? "";
  };

  const x = ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"];
  const display = Number(await firstLine(start(x)));
  const config = join(folder, "bus.conf");
  await Bun.write(config, BUS_CONFIG);
  const address = await firstLine(
    start(["dbus-daemon", `--config-file=${config}`, "--nofork", "--print-address=1"]),
  );
  const env = { DISPLAY: `:${display}`, DBUS_SESSION_BUS_ADDRESS: address };

  const bus = (method: string, ...args: string[]) => {
    const name = method.includes(".") ? method : `org.dunstproject.cmd0.${method}`;
    const { exitCode, stdout } = Bun.spawnSync(
      [
        ...["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.Notifications"],
        ...["/org/freedesktop/Notifications", name, ...args],
      ],
      { env: { ...env, PATH: process.env.PATH ?? "" } },
    );
    return exitCode === 0 ? stdout.toString() : null;
  };

  const startDaemon = async (extra: Record<string, string> = {}) => {
    const file = join(folder, "dunstrc");
    await Bun.write(file, options.config ?? "[global]\nmarkup = full\n");
    const child = start(["dunst", "-conf", file], { ...env, ...extra });
    await until(() => bus("org.freedesktop.Notifications.GetCapabilities"));
    return child;
  };
  if (options.daemon !== false) await startDaemon();

  return {
    display,
    name: `:${display}`,
    address,
    folder,
    startDaemon,
    start,
    env,
    /** Everything that dunst showed, the newest first. */
    seen(): Seen[] {
      bus("NotificationCloseAll");
      return parse(bus("NotificationListHistory") ?? "");
    },
    /** Chooses the default action of the newest notice, as a click does. */
    choose: () => bus("NotificationAction", "uint32:0"),
    async [Symbol.asyncDispose]() {
      for (const child of children.reverse()) {
        child.kill();
        await child.exited;
        sharedWatchdog().forget(child.pid);
      }
    },
  };
}

/** The reply of dbus-send, in which texts stand as they are. */
function parse(reply: string): Seen[] {
  const entry = /dict entry\(\n\s+string "(\w+)"\n\s+variant\s+(?:string "([\s\S]*?)"|\w+ (\S+))\n\s+\)\n/g;
  return reply
    .split(/\n {6}array \[\n/)
    .slice(1)
    .map((one) => {
      const fields = Object.fromEntries(
        [...one.matchAll(entry)].map(([, key, text, other]) => [key, text ?? other]),
      );
      return { ...fields, text: shownText(fields.message ?? "") } as Seen;
    });
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
};

/** Pango markup as it is read on the screen. */
const shownText = (markup: string) =>
  markup.replace(/<[^>]*>/g, "").replace(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all);

/** Processes whose command line has a mark in it. */
export const processesWith = (mark: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLineOf(pid).includes(mark));

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // It has ended.
    return "";
  }
}
