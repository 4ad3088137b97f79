import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CAPABILITIES } from "../../../agents/containers/oci/capabilities.ts";
import { run } from "../../../agents/exec/command.ts";
import { launch } from "../../../scripts/servers/server.ts";
import { type ClusterNetwork, type NetworkedMachine, startClusterNetwork } from "../../cluster/network.ts";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { sharedWatchdog, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import type { ComposeFile, Service } from "./compose-file.ts";
import type { Image } from "./images.ts";

/** What a compose file says, done by the runtime of containers itself: there is no daemon where tests run. */
export interface Composition {
  /** Starts a service once all that it depends on is as it asks for. Settles when it has started. */
  start(name: string): Promise<void>;
  /** Settles when the check of a service says that it is healthy. */
  healthy(name: string): Promise<void>;
  /** Ends a service as `docker compose stop` does. */
  stop(name: string): Promise<void>;
  /** Runs a command in a service. @throws CommandError */
  exec(name: string, command: readonly string[]): Promise<string>;
  /** The address of a service. */
  address(name: string): string;
  /** What a service has written. */
  log(name: string): string;
  end(): Promise<void>;
}

interface Running {
  readonly id: string;
  readonly process: Bun.Subprocess;
  readonly pid: number;
}

/** With control groups of version 2 alone: crun refuses a machine that has both versions. */
const RUNTIME = [
  ...["unshare", "--mount", "--propagation", "private", "sh", "-c"],
  ...['mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh", "crun", "--cgroup-manager=disabled"],
];
/** Of this machine, in each root. */
const OF_THE_MACHINE = ["bin", "lib", "lib64", "sbin"];
const MASKED = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"];
const READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

const bind = (source: string, destination: string, ...options: string[]) => ({
  ...{ destination, source, type: "bind" },
  options: ["rbind", "rprivate", "nosuid", "nodev", ...options],
});
const memory = (destination: string, ...options: string[]) => ({
  ...{ destination, source: "tmpfs", type: "tmpfs" },
  options: ["nosuid", "nodev", ...options],
});

/**
 * @param folder where the compose file is, with the files that it names
 * @param images by their names
 */
export async function compose(
  file: ComposeFile,
  folder: string,
  images: Readonly<Record<string, Image>>,
): Promise<Composition> {
  const work = temporaryFolder();
  const state = join(work, "state");
  const network: ClusterNetwork = await startClusterNetwork();
  const machines = new Map<string, NetworkedMachine>();
  for (const name of Object.keys(file.services)) machines.set(name, await network.addMachine());
  const running = new Map<string, Running>();
  const started = new Map<string, Promise<void>>();
  let count = 0;

  const serviceOf = (name: string): Service => {
    const service = file.services[name];
    if (service === undefined) throw new Error(`no service ${name}`);
    return service;
  };
  const imageOf = (name: string): Image => {
    const image = images[serviceOf(name).image];
    if (image === undefined) throw new Error(`no image ${serviceOf(name).image}`);
    return image;
  };
  const machineOf = (name: string) => machines.get(name) as NetworkedMachine;
  const logOf = (name: string) => join(work, `${name}.log`);

  function bundle(name: string, id: string): string {
    const service = serviceOf(name);
    const { config, folders } = imageOf(name);
    const path = join(work, id);
    const root = join(path, "root");
    for (const part of ["etc", "usr", "tmp", "run", "proc", "sys", "dev", "opt", "var/lib"])
      mkdirSync(join(root, part), { recursive: true, mode: 0o755 });
    for (const part of OF_THE_MACHINE) symlinkSync(`usr/${part}`, join(root, part));
    const hosts = [...machines].map(([other, { address }]) => `${address} ${other}\n`);
    writeFileSync(join(root, "etc/hosts"), `127.0.0.1 localhost\n${hosts.join("")}`);
    writeFileSync(join(root, "etc/passwd"), "root:x:0:0:::\nnobody:x:65534:65534:::\n");
    writeFileSync(join(root, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");

    const [uid = "0", gid = uid] = (service.user ?? config.user).split(":");
    const dropsAll = service.cap_drop?.includes("ALL") ?? false;
    const held = !dropsAll && uid === "0" ? CAPABILITIES : [];
    const env = {
      ...config.env,
      ...Object.assign({}, ...(service.env_file ?? []).map((one) => readEnvFile(join(folder, one)))),
      ...service.environment,
    };
    const mounts = [
      { destination: "/proc", type: "proc", source: "proc", options: ["nosuid", "noexec", "nodev"] },
      { ...memory("/dev", "mode=755", "size=65536k"), options: ["nosuid", "strictatime", "mode=755"] },
      {
        ...{ destination: "/dev/pts", type: "devpts", source: "devpts" },
        options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"],
      },
      memory("/dev/shm", "noexec", "mode=1777", `size=${service.shm_size?.replace("mb", "m") ?? "64m"}`),
      { destination: "/sys", type: "sysfs", source: "sysfs", options: ["nosuid", "noexec", "nodev", "ro"] },
      bind("/usr", "/usr", "ro"),
      ...Object.entries(folders).map(([to, from]) =>
        from === null ? memory(to, "ro") : bind(from, to, "ro"),
      ),
      ...(service.tmpfs ?? []).map((text) => {
        const [to = "", ...options] = text.split(":");
        return memory(to, "noexec", ...options);
      }),
      ...(service.volumes ?? []).map((text) => {
        const [from = "", to = "", mode = "rw"] = text.split(":");
        return bind(from.startsWith(".") ? join(folder, from) : volume(from), to, mode);
      }),
      ...(service.secrets ?? []).map((secret) => {
        const from = join(folder, file.secrets[secret]?.file ?? "");
        return bind(from, `/run/secrets/${secret}`, "ro");
      }),
    ];
    const document = {
      ociVersion: "1.0.2",
      process: {
        terminal: false,
        user: { uid: Number(uid), gid: Number(gid), umask: 0o022 },
        args: [
          ...(service.entrypoint ?? config.entrypoint),
          // Another entry point is without the image's command.
          ...(service.command ?? (service.entrypoint === undefined ? config.command : [])),
        ],
        env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
        cwd: config.folder,
        capabilities: { bounding: dropsAll ? [] : CAPABILITIES, effective: held, permitted: held },
        noNewPrivileges: service.security_opt?.includes("no-new-privileges:true") ?? false,
      },
      root: { path: "root", readonly: service.read_only ?? false },
      hostname: name,
      mounts,
      linux: {
        namespaces: ["pid", "ipc", "uts", "mount", "cgroup"].map((type) => ({ type })),
        maskedPaths: MASKED,
        readonlyPaths: READ_ONLY,
      },
    };
    writeFileSync(join(path, "config.json"), JSON.stringify(document));
    return path;
  }

  function volume(name: string): string {
    if (!(name in file.volumes)) throw new Error(`no volume ${name}`);
    const path = join(work, "volumes", name);
    mkdirSync(path, { recursive: true, mode: 0o755 });
    return path;
  }

  async function begin(name: string): Promise<void> {
    for (const [other, { condition }] of Object.entries(serviceOf(name).depends_on ?? {})) {
      await start(other);
      if (condition === "service_healthy") await healthy(other);
      if (condition === "service_completed_successfully") await completed(other);
    }
    count += 1;
    const id = `${basename(work)}-${name}-${count}`;
    const pidFile = join(work, `${id}.pid`);
    const isAlone = serviceOf(name).network_mode === "none";
    const process = launch(
      [
        ...(isAlone ? ["unshare", "--net"] : machineOf(name).within),
        ...[...RUNTIME, "--root", state, "run", "--pid-file", pidFile, "--bundle", bundle(name, id), id],
      ],
      { log: logOf(name), cwd: work, env: { ...CLEAN_ENVIRONMENT } },
    );
    const pid = await untilOrEnded(name, process, async () => {
      // One that only prepares something may have ended already, and its file is gone with it.
      if (process.exitCode === 0) return process.pid;
      const text = await Bun.file(pidFile).text();
      return Number(text) || undefined;
    });
    sharedWatchdog().watch(pid, "TERM");
    void process.exited.then(() => sharedWatchdog().forget(pid));
    running.set(name, { id, process, pid });
  }

  function start(name: string): Promise<void> {
    const known = started.get(name);
    if (known !== undefined) return known;
    const starting = begin(name);
    started.set(name, starting);
    return starting;
  }

  async function completed(name: string): Promise<void> {
    const code = await running.get(name)?.process.exited;
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${readLog(name)}`);
  }

  async function exec(name: string, command: readonly string[]): Promise<string> {
    const { id } = running.get(name) as Running;
    // By its user, with what its own process may do.
    const { process } = JSON.parse(readFileSync(join(work, id, "config.json"), "utf8"));
    count += 1;
    const file = join(work, id, `exec-${count}.json`);
    writeFileSync(file, JSON.stringify({ ...process, args: command }));
    return run([...RUNTIME, "--root", state, "exec", "--process", file, id]);
  }

  async function healthy(name: string): Promise<void> {
    const { healthcheck } = serviceOf(name);
    const [how, ...words] = healthcheck?.test ?? ["CMD", ...(imageOf(name).config.healthcheck ?? [])];
    if (healthcheck?.disable || words.length === 0) throw new Error(`${name} has no check of its health`);
    const command = how === "CMD-SHELL" ? ["/bin/sh", "-c", ...words] : words;
    const { process } = running.get(name) as Running;
    await untilOrEnded(name, process, () => exec(name, command).then(() => true));
  }

  /** Waits for a condition, as long as the service runs. @throws Error with what the service wrote */
  async function untilOrEnded<T>(
    name: string,
    process: Bun.Subprocess,
    condition: () => Promise<T | undefined>,
  ): Promise<T> {
    const found = await until(async () => {
      const value = await condition().catch(() => undefined);
      if (value !== undefined) return { value };
      return process.exitCode !== null && new Error(`${name} ended with ${process.exitCode}`);
    }).catch((error: Error) => error);
    if (found instanceof Error) throw new Error(`${found.message}: ${readLog(name)}`, { cause: found });
    return found.value as T;
  }

  async function stop(name: string): Promise<void> {
    const one = running.get(name);
    started.delete(name);
    if (one === undefined || one.process.exitCode !== null) return;
    await run([...RUNTIME, "--root", state, "kill", one.id, "TERM"]);
    const seconds = Number.parseInt(serviceOf(name).stop_grace_period ?? "10s", 10);
    const timer = setTimeout(() => process.kill(one.pid, "SIGKILL"), seconds * 1_000);
    await one.process.exited;
    clearTimeout(timer);
  }

  const readLog = (name: string): string => readFileSync(logOf(name), "utf8").slice(-4_000);

  return {
    start,
    healthy,
    stop,
    exec,
    address: (name) => machineOf(name).address,
    log: readLog,
    async end() {
      const dependents = (name: string) =>
        Object.keys(file.services).filter((other) => name in (serviceOf(other).depends_on ?? {}));
      const left = new Set(running.keys());
      while (left.size > 0) {
        const free = [...left].filter((name) => dependents(name).every((other) => !left.has(other)));
        await Promise.all(free.map(stop));
        for (const name of free) left.delete(name);
      }
      await network.end();
    },
  };
}

/** As compose reads it: lines of NAME=value. */
function readEnvFile(path: string): Record<string, string> {
  const lines = readFileSync(path, "utf8").split("\n");
  return Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
