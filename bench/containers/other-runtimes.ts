import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../agents/exec/command.ts";
import { busyboxLayer } from "../../test/agents/containers/images/sample-images.ts";
import { temporaryFolder } from "../../test/harness/servers.ts";
import { SAMPLE_IMAGE } from "./sample-image.ts";

/** What else starts a container of the same files here. */
export interface OtherRuntime {
  readonly name: string;
  /** Starts a container, which runs when this settles; and removes it afterwards. @returns the time of the start, in milliseconds */
  start(): Promise<number>;
  version(): Promise<string>;
}

/** crun takes a second hierarchy of control groups for a reason to refuse. */
const WITHOUT_SECOND_HIERARCHY =
  'if mountpoint -q /sys/fs/cgroup/unified; then umount -l /sys/fs/cgroup/unified; fi; exec "$@"';
const own = (...argv: string[]) => [
  ...["unshare", "--mount", "--propagation", "private", "sh", "-c", WITHOUT_SECOND_HIERARCHY, "sh"],
  ...argv,
];

/** The files of the image. */
async function layerArchive(): Promise<string> {
  const archive = join(temporaryFolder(), "layer.tar");
  writeFileSync(archive, await busyboxLayer());
  return archive;
}

/** The runtime alone, without layers, addresses and limits: what no start can be faster than. */
export async function crunAlone(): Promise<OtherRuntime> {
  const bundle = temporaryFolder();
  const root = join(bundle, "rootfs");
  mkdirSync(root);
  await run(["tar", "--extract", `--file=${await layerArchive()}`, `--directory=${root}`]);
  await run(["crun", "spec", "--bundle", bundle]);
  const file = join(bundle, "config.json");
  const config = await Bun.file(file).json();
  config.process.terminal = false;
  config.process.args = ["/bin/sleep", "100000"];
  writeFileSync(file, JSON.stringify(config));
  let made = 0;
  return {
    name: "crun alone",
    version: async () => (await run(["crun", "--version"])).split("\n")[0] ?? "",
    async start() {
      const id = `bench-${process.pid}-${made++}`;
      const crun = ["crun", "--cgroup-manager=cgroupfs"];
      const fromMs = performance.now();
      // The container keeps what it was given: a pipe would stay open as long as it runs.
      const child = Bun.spawn(own(...crun, "run", "--detach", "--bundle", bundle, id), {
        stdio: ["ignore", "ignore", "ignore"],
      });
      const status = await child.exited;
      const ms = performance.now() - fromMs;
      if (status !== 0) throw new Error(`crun did not start a container: status ${status}`);
      await run(own(...crun, "delete", "--force", id));
      return ms;
    },
  };
}

/** Those that Berth sets too; podman's own may be above what the machine allows. */
const PODMAN_LIMITS = [
  "--pids-limit=1024",
  "--memory=1g",
  "--ulimit=nofile=1024:1024",
  "--ulimit=nproc=1024:1024",
];

/** Without a network. Null where it is not installed. */
export async function podman(): Promise<OtherRuntime | null> {
  if (Bun.which("podman") === null) return null;
  const storage = temporaryFolder();
  const folders = [`--root=${storage}`, `--runroot=${temporaryFolder()}`];
  const base = ["podman", ...folders, "--cgroup-manager=cgroupfs", "--events-backend=none"];
  const call = (...words: string[]) => run(own(...base, ...words));
  const command = 'CMD ["/bin/sleep", "100000"]';
  const id = (await call("import", "--quiet", "--change", command, await layerArchive())).trim();
  return {
    name: "podman run",
    version: async () => (await run(["podman", "--version"])).trim(),
    async start() {
      const fromMs = performance.now();
      const container = (await call("run", "--detach", "--network=none", ...PODMAN_LIMITS, id)).trim();
      const ms = performance.now() - fromMs;
      await call("rm", "--force", "--time=0", container);
      return ms;
    },
  };
}

export const describeImage = `${SAMPLE_IMAGE}: one layer with a static busybox, which sleeps`;
