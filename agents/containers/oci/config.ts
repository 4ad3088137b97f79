import type { ProcessLimit } from "../process-limits.ts";
import type { ShareMount } from "../volumes/share-mount.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { RANGE_IDS } from "./id-ranges.ts";
import { DEVICES, ETC, FILES, HELPERS, ROOT, SHARES, USER_NAMESPACE } from "./places.ts";
import type { Seccomp } from "./seccomp.ts";
import type { User } from "./users.ts";

/** What the OCI's runtime is told of a container: its `config.json`, by the runtime specification 1.0. */

export interface ProcessFields {
  readonly argv: readonly string[];
  /** `NAME=value` each. */
  readonly env: readonly string[];
  readonly folder: string;
  readonly limits: readonly ProcessLimit[];
}

export interface Mount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

export interface ContainerFields extends ProcessFields {
  readonly name: string;
  readonly firstId: number;
  /** Whose folders of programs it sees, where that is the host. */
  readonly hostFolders: readonly string[];
  /** Programs of the host below its `/.berth`, by their names there. */
  readonly helpers: readonly string[];
  readonly shares: readonly ShareMount[];
  readonly group: string;
  /** Whether it joins the user namespace of `USER_NAMESPACE`; otherwise the runtime makes one. */
  readonly joinsUserNamespace: boolean;
  readonly resources: object;
  readonly seccomp: Seccomp;
}

const ROOT_USER: User = { uid: 0, gid: 0, additionalGids: [], name: "root", home: "/root", shell: "" };

/** A process of a container, also one that is started in it later. */
export const processOf = ({ argv, env, folder, limits }: ProcessFields, user: User = ROOT_USER) => ({
  terminal: false,
  user: { uid: user.uid, gid: user.gid, additionalGids: user.additionalGids, umask: 0o022 },
  args: argv,
  env,
  cwd: folder,
  capabilities: capabilitiesOf(user.uid),
  // As under Docker: `su` and `sudo` work, and lead to no more than the container's own root.
  noNewPrivileges: false,
  rlimits: limits.map(({ name, max }) => ({ type: `RLIMIT_${name.toUpperCase()}`, hard: max, soft: max })),
});

const NAMESPACES = ["cgroup", "ipc", "mount", "network", "pid", "user", "uts"];
/** What says something of the host, or of all of its containers. */
const MASKED = [
  "acpi",
  "asound",
  "interrupts",
  "kcore",
  "keys",
  "kmsg",
  "latency_stats",
  "sched_debug",
  "scsi",
];
const MASKED_TIMERS = ["timer_list", "timer_stats"];
const READ_ONLY = ["bus", "fs", "irq", "sys", "sysrq-trigger"];
const inProc = (name: string) => `/proc/${name}`;

/** As a program of the image expects it: every user may take every port, and send pings. */
const SYSCTL = {
  "net.ipv4.ip_unprivileged_port_start": "0",
  "net.ipv4.ping_group_range": `0 ${RANGE_IDS - 1}`,
};

export function configOf(fields: ContainerFields) {
  const { name, firstId, group, resources, seccomp, joinsUserNamespace } = fields;
  const ids = [{ containerID: 0, hostID: firstId, size: RANGE_IDS }];
  return {
    ociVersion: "1.0.2",
    process: processOf(fields),
    root: { path: ROOT },
    hostname: name,
    mounts: mountsOf(fields),
    linux: {
      namespaces: NAMESPACES.map((type) =>
        type === "user" && joinsUserNamespace ? { type, path: USER_NAMESPACE } : { type },
      ),
      uidMappings: ids,
      gidMappings: ids,
      cgroupsPath: group,
      resources,
      sysctl: SYSCTL,
      maskedPaths: [...MASKED, ...MASKED_TIMERS].map(inProc),
      readonlyPaths: READ_ONLY.map(inProc),
      seccomp,
    },
  };
}
export type OciConfig = ReturnType<typeof configOf>;

function mountsOf({ hostFolders, helpers, shares }: ContainerFields): Mount[] {
  return [
    { destination: "/proc", type: "proc", source: "proc", options: ["nosuid", "nodev", "noexec"] },
    // runc binds in the user namespace, where the kernel binds no folder without what is mounted below; crun leaves that out, so it follows.
    { ...bind(DEVICES, "/dev"), options: ["rbind", "rprivate", "nosuid", "noexec"] },
    bind(`${DEVICES}/pts`, "/dev/pts", "nosuid", "noexec"),
    bind(`${DEVICES}/shm`, "/dev/shm", "nosuid", "nodev", "noexec"),
    bind(HELPERS, "/.berth", "ro", "nosuid", "nodev"),
    ...helpers.map((name) => bind(`${FILES}/${name}`, `/.berth/${name}`, "ro", "nosuid", "nodev")),
    ...["hostname", "hosts", "resolv.conf"].map((file) =>
      bind(`${ETC}/${file}`, `/etc/${file}`, "nosuid", "nodev", "noexec"),
    ),
    // An image's own files in these folders stay in view: only where the host's programs are used they are made for the container.
    ...(hostFolders.length === 0
      ? []
      : [memory("/tmp", "1777", "256m", "64k"), memory("/run", "755", "64m", "16k")]),
    ...hostFolders.map((folder) => bind(`${ROOT}.host${folder}`, folder, "ro", "nodev")),
    ...shares.map(({ path, isReadOnly }, at) =>
      bind(`${SHARES}/${at}`, path, isReadOnly ? "ro" : "rw", "nosuid", "nodev"),
    ),
  ];
}

const bind = (source: string, destination: string, ...options: string[]): Mount => ({
  destination,
  type: "bind",
  source,
  options: ["bind", "rprivate", ...options],
});

const memory = (destination: string, mode: string, size: string, files: string): Mount => ({
  destination,
  type: "tmpfs",
  source: "tmpfs",
  options: [`mode=${mode}`, `size=${size}`, `nr_inodes=${files}`, "nosuid", "nodev"],
});
