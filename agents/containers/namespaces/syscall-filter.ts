import { which } from "bun";

/**
 * What the kernel refuses to a container's programs besides what their capabilities do (seccomp). Nobody in a container makes a
 * user namespace: in one of their own they would have every capability, and so reach the host's control groups, which are
 * files of uid 0. Keys, `bpf` and `perf_event_open` are the host's; no network filter sees what goes over vsock or AF_XDP, and no
 * filter of system calls what io_uring does.
 */

/** Numbers of system calls, by architecture; from the kernel's tables. */
const CALLS = {
  x64: {
    audit: 0xc000003e,
    seccomp: 317,
    clone: 56,
    unshare: 272,
    socket: 41,
    refused: [248, 249, 250, 298, 321, 323],
  },
  arm64: {
    audit: 0xc00000b7,
    seccomp: 277,
    clone: 220,
    unshare: 97,
    socket: 198,
    refused: [217, 218, 219, 241, 280, 282],
  },
} as const;
/** The same on both. Its flags stand in memory, where a filter cannot look: programs fall back to clone. */
const CLONE3 = 435;
/** Likewise: io_uring_setup, _enter, _register. Without them programs do as they do on an older kernel. */
const IO_URING = [425, 426, 427];
/** x86-64 has a second set of numbers from here on. */
const X32 = 0x40000000;
const CLONE_NEWUSER = 0x10000000;
const AF_VSOCK = 40;
const AF_XDP = 44;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Instructions of classic BPF over `struct seccomp_data`: load a word, compare, test bits, return. */
const LOAD = 0x20;
const EQUALS = 0x15;
const AT_LEAST = 0x35;
const HAS = 0x45;
const RETURN = 0x06;
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const ALLOW = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 | errno;

type Step = readonly [code: number, value: number, whenSo?: string | number, otherwise?: string | number];

/** The filter as the kernel takes it, `<number of seccomp>:<hex>`; null on an architecture whose numbers are not known here. */
export function syscallFilter(architecture: string = process.arch): string | null {
  if (architecture !== "x64" && architecture !== "arm64") return null;
  const calls = CALLS[architecture];
  const blocks: [string, Step[]][] = [
    [
      "start",
      [
        [LOAD, ARCHITECTURE],
        [EQUALS, calls.audit, 0, "unknown"],
        [LOAD, NUMBER],
      ],
    ],
    [
      "numbers",
      [
        [AT_LEAST, X32, "unknown"],
        ...[CLONE3, ...IO_URING].map((number): Step => [EQUALS, number, "unknown"]),
      ],
    ],
    [
      "flags of",
      [
        [EQUALS, calls.unshare, "flags"],
        [EQUALS, calls.clone, "flags"],
      ],
    ],
    ["families of", [[EQUALS, calls.socket, "family"]]],
    ["others", calls.refused.map((number): Step => [EQUALS, number, "forbidden"])],
    ["allowed", [[RETURN, ALLOW]]],
    [
      "flags",
      [
        [LOAD, FIRST_ARGUMENT],
        [HAS, CLONE_NEWUSER, "forbidden", "fine"],
      ],
    ],
    [
      "family",
      [
        [LOAD, FIRST_ARGUMENT],
        [EQUALS, AF_VSOCK, "unsupported"],
        [EQUALS, AF_XDP, "unsupported", "fine"],
      ],
    ],
    ["fine", [[RETURN, ALLOW]]],
    ["forbidden", [[RETURN, refuse(EPERM)]]],
    ["unsupported", [[RETURN, refuse(EAFNOSUPPORT)]]],
    ["unknown", [[RETURN, refuse(ENOSYS)]]],
  ];
  return `${calls.seccomp}:${assemble(blocks)}`;
}

/** Eight bytes a step: the code, how many to skip when it is so and when it is not, and the value. */
function assemble(blocks: readonly (readonly [string, readonly Step[]])[]): string {
  const starts = new Map<string, number>();
  let at = 0;
  for (const [name, steps] of blocks) {
    starts.set(name, at);
    at += steps.length;
  }
  const bytes = Buffer.alloc(at * 8);
  const steps = blocks.flatMap(([, own]) => own);
  for (const [index, [code, value, whenSo = 0, otherwise = 0]] of steps.entries()) {
    const skip = (to: string | number) =>
      typeof to === "number" ? to : (starts.get(to) as number) - index - 1;
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(skip(whenSo), index * 8 + 2);
    bytes.writeUInt8(skip(otherwise), index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes.toString("hex");
}

/**
 * Puts the filter in force and becomes the program that follows it. Perl is on every Debian and calls the kernel without a
 * library; it is the host's own, and runs before a file of the container's is in view.
 */
const LOADER = [
  "my ($call, $code) = split /:/, shift;",
  'my $filter = pack("H*", $code);',
  'my $program = pack("S x6 P", length($filter) / 8, $filter);',
  'syscall(0 + $call, 1, 0, $program) == 0 or die "the filter of system calls: $!\\n";',
  'exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";',
].join(" ");

/** The filter for containers of this host; null where it cannot be loaded. */
const HOST_FILTER = which("perl") === null ? null : syscallFilter();

/** Whether containers of this host have the filter. */
export const isFiltered = HOST_FILTER !== null;

/** The command that runs another one, and all that it starts, under the filter. */
export const filtered = (argv: readonly string[]): string[] =>
  HOST_FILTER === null ? [...argv] : ["perl", "-e", LOADER, HOST_FILTER, ...argv];
