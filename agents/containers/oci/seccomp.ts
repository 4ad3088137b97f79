import { readFileSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/**
 * Which system calls a container's programs may make: those that the profile of Debian's containers-common allows, as Podman does,
 * without these. Nobody in a container makes a user namespace, in which they would have every capability, or reaches the host's keys
 * and counters; no network filter sees what goes over vsock or AF_XDP, and no filter of system calls what io_uring does.
 */

export const PROFILE = "/usr/share/containers/seccomp.json";

/** Unknown to the program's kernel, as it were: programs fall back to what an older one has. */
const ENOSYS = 38;
const EPERM = 1;
const EAFNOSUPPORT = 97;

/** clone3 has its flags in memory, where no filter can look: programs fall back to clone. */
const UNKNOWN = ["clone3", "io_uring_enter", "io_uring_register", "io_uring_setup", "userfaultfd"];
const FORBIDDEN = [
  "add_key",
  "bpf",
  "keyctl",
  "open_by_handle_at",
  "perf_event_open",
  "request_key",
  // With root in a user namespace these would pass the kernel's own test.
  "mount",
  "mount_setattr",
  "move_mount",
  "fsconfig",
  "fsmount",
  "fsopen",
  "fspick",
  "open_tree",
  "pivot_root",
  "setns",
  "umount",
  "umount2",
];
/** The kinds of namespaces: of mounts, control groups, host names, IPC, users, processes and network, and of time. */
const CLONE_NAMESPACES = 0x7e02_0000;
const CLONE_NEWTIME = 0x80;
/** AF_ALG, and after it the families of virtual machines, of XDP and of rare hardware. */
const FIRST_REFUSED_FAMILY = 38;

const Argument = Type.Object({
  index: Type.Integer(),
  value: Type.Number(),
  valueTwo: Type.Optional(Type.Number()),
  op: Type.String(),
});
const Condition = Type.Optional(
  Type.Object({
    caps: Type.Optional(Type.Array(Type.String())),
    arches: Type.Optional(Type.Array(Type.String())),
    minKernel: Type.Optional(Type.String()),
  }),
);
const Profile = Type.Object({
  defaultErrnoRet: Type.Integer(),
  syscalls: Type.Array(
    Type.Object({
      names: Type.Array(Type.String()),
      action: Type.String(),
      args: Type.Optional(Type.Union([Type.Array(Argument), Type.Null()])),
      errnoRet: Type.Optional(Type.Integer()),
      includes: Condition,
      excludes: Condition,
    }),
  ),
});
type ProfileRule = Static<typeof Profile>["syscalls"][number];

/** A rule as the OCI's runtime specification has it. */
interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: readonly Static<typeof Argument>[];
}

export interface Seccomp {
  readonly defaultAction: string;
  readonly defaultErrnoRet: number;
  readonly architectures: readonly string[];
  readonly syscalls: readonly Rule[];
}

const ARCHITECTURES: Readonly<Record<string, readonly [golang: string, ...seccomp: string[]]>> = {
  x64: ["amd64", "SCMP_ARCH_X86_64", "SCMP_ARCH_X86"],
  arm64: ["arm64", "SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"],
};

/**
 * @param capabilities what containers have: some system calls come with one
 * @throws RangeError when the profile is another one than expected, or the architecture is not known
 */
export function seccompOf(
  capabilities: readonly string[],
  profile: unknown = JSON.parse(readFileSync(PROFILE, "utf8")),
  architecture: string = process.arch,
): Seccomp {
  if (!Value.Check(Profile, profile)) throw new RangeError(`${PROFILE} is no profile of system calls`);
  const [golang, ...architectures] = ARCHITECTURES[architecture] ?? [];
  if (golang === undefined) throw new RangeError(`no system calls are known for ${architecture}`);
  const own = new Set([...UNKNOWN, ...FORBIDDEN, "clone", "unshare", "socket", "socketpair"]);
  const allowed = profile.syscalls
    .filter((rule) => rule.action === "SCMP_ACT_ALLOW" && applies(rule, capabilities, golang))
    .map(({ names, args }): Rule => {
      const kept = names.filter((name) => !own.has(name));
      return { names: kept, action: "SCMP_ACT_ALLOW", ...(args?.length ? { args } : {}) };
    })
    .filter(({ names }) => names.length > 0);
  return {
    defaultAction: "SCMP_ACT_ERRNO",
    defaultErrnoRet: profile.defaultErrnoRet,
    architectures,
    syscalls: [...allowed, ...OWN_RULES],
  };
}

const without = (names: string[], index: number, mask: number): Rule => ({
  names,
  action: "SCMP_ACT_ALLOW",
  args: [{ index, value: mask, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
});
const refused = (names: readonly string[], errnoRet: number): Rule => ({
  names,
  action: "SCMP_ACT_ERRNO",
  errnoRet,
});

const OWN_RULES: readonly Rule[] = [
  without(["clone"], 0, CLONE_NAMESPACES),
  without(["unshare"], 0, CLONE_NAMESPACES | CLONE_NEWTIME),
  {
    names: ["socket", "socketpair"],
    action: "SCMP_ACT_ALLOW",
    args: [{ index: 0, value: FIRST_REFUSED_FAMILY, op: "SCMP_CMP_LT" }],
  },
  {
    names: ["socket", "socketpair"],
    action: "SCMP_ACT_ERRNO",
    errnoRet: EAFNOSUPPORT,
    args: [{ index: 0, value: FIRST_REFUSED_FAMILY, op: "SCMP_CMP_GE" }],
  },
  refused(UNKNOWN, ENOSYS),
  refused(FORBIDDEN, EPERM),
];

function applies(
  { includes = {}, excludes = {} }: ProfileRule,
  capabilities: readonly string[],
  golang: string,
): boolean {
  if (includes.caps?.some((name) => !capabilities.includes(name))) return false;
  if (includes.arches?.includes(golang) === false) return false;
  if (excludes.caps?.some((name) => capabilities.includes(name))) return false;
  return excludes.arches?.includes(golang) !== true;
}
