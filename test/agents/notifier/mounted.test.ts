import { expect, test } from "bun:test";
import { hostSpawner, type Spawner } from "../../../agents/notifier/desktop/spawner.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { startDesktop } from "./desktop/desktop.ts";
import { startService } from "./service.ts";

/** Namespaces of an init process, which a program enters: as a container's are, though with less around it. */
async function startContainer() {
  const init = Bun.spawn(
    [
      "unshare",
      "--uts",
      "--pid",
      "--mount",
      "--fork",
      "--mount-proc",
      "sh",
      "-c",
      "hostname inside; sleep 1000",
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  const isInside = (pid: string) =>
    Bun.spawnSync(["nsenter", "-t", pid, "-u", "hostname"]).stdout.toString().trim() === "inside";
  const pid = await until(async () =>
    (await Bun.file(`/proc/${init.pid}/task/${init.pid}/children`).text()).trim().split(" ").find(isInside),
  );
  return {
    enter: ["nsenter", "-t", pid, "--uts", "--pid", "--mount"],
    async [Symbol.asyncDispose]() {
      process.kill(Number(pid), "SIGKILL");
      await init.exited;
    },
  };
}

test.skipIf(lacks("root", "unshare", "nsenter", "Xvfb", "dbus-daemon", "dbus-send", "dunst", "notify-send"))(
  "a mounted server finds the displays of its own machine and shows notices there, and another machine's it does not find",
  async () => {
    await using container = await startContainer();
    await using desktop = await startDesktop({ enter: container.enter });
    const runtime = temporaryFolder();
    const inside: Spawner = {
      spawn: (request) =>
        hostSpawner.spawn({
          ...request,
          argv: [...container.enter, ...request.argv],
          env: { XDG_RUNTIME_DIR: runtime, ...request.env },
        }),
    };
    const buses = new Map();
    await using mounted = startService({ spawner: inside, buses });
    await using other = startService({ spawner: hostSpawner, buses });
    const icon = `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg'/>")}`;
    await mounted.notify({ display: desktop.name, title: "inside", icon });
    expect(desktop.seen()).toMatchObject([{ summary: "inside" }]);
    const refused = await other.call("notify", {
      json: { display: desktop.name, title: "outside", body: "" },
    });
    expect([refused.status, await refused.text()]).toEqual([
      502,
      expect.stringContaining(`display ${desktop.name} has no session bus`),
    ]);
    expect(desktop.seen()).toMatchObject([{ summary: "inside" }]);
  },
);
