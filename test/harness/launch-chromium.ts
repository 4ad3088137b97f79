import { dlopen, ptr } from "bun:ffi";

/**
 * Becomes a browser that is unaware of changes of the machine's network: `bun launch-chromium.ts PROGRAM ARGUMENT…`.
 *
 * Tests of containers make and remove network links all the time. The kernel tells Chromium of each by a netlink socket, and Chromium then gives up
 * requests that are under way (`ERR_NETWORK_CHANGED`). Here it gets no such socket, and takes the network as one that never changes.
 * The kernel also kills the browser when whoever started it has ended.
 */

// From prctl.h.
const PR_SET_PDEATHSIG = 1;
const PR_SET_SECCOMP = 22;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9;
const SECCOMP_MODE_FILTER = 2;

const AF_NETLINK = 16;
const EAFNOSUPPORT = 97;
const SECCOMP_RET_ERRNO = 0x50000;
const SECCOMP_RET_ALLOW = 0x7fff0000;
/** The number of the call `socket`. */
const SOCKET: Partial<Record<string, number>> = { x64: 41, arm64: 198 };

/** By these the browser and Playwright speak. Bun has them closed when another program takes its place, and so has `process.execve`. */
const PLAYWRIGHT_PIPES = [3, 4];
const F_SETFD = 2;

/** Where a filter finds the call's number and its first argument. */
const CALL_NUMBER = 0;
const FIRST_ARGUMENT = 16;
// From bpf_common.h: loads a word, and goes on or skips as it compares.
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;

const [program = "", ...args] = process.argv.slice(2);
const { symbols: libc } = dlopen("libc.so.6", {
  prctl: { args: ["int", "u64", "u64", "u64", "u64"], returns: "int" },
  fcntl: { args: ["int", "int", "int"], returns: "int" },
  execv: { args: ["ptr", "ptr"], returns: "int" },
});
libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
refuseNetlink();
for (const pipe of PLAYWRIGHT_PIPES) libc.fcntl(pipe, F_SETFD, 0);
const words = [program, ...args].map((word) => Buffer.from(`${word}\0`));
libc.execv(ptr(words[0] as Buffer), ptr(new BigUint64Array([...words.map((word) => BigInt(ptr(word))), 0n])));
throw new Error(`${program} cannot be started`);

/** Both settings last for this thread, what it becomes, and all that this starts. */
function refuseNetlink(): void {
  const socket = SOCKET[process.arch];
  if (socket === undefined) return;
  const filter = new Uint8Array([
    ...instruction(LOAD, 0, 0, CALL_NUMBER),
    ...instruction(JUMP_IF_EQUAL, 0, 3, socket),
    ...instruction(LOAD, 0, 0, FIRST_ARGUMENT),
    ...instruction(JUMP_IF_EQUAL, 0, 1, AF_NETLINK),
    ...instruction(RETURN, 0, 0, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
    ...instruction(RETURN, 0, 0, SECCOMP_RET_ALLOW),
  ]);
  const INSTRUCTION_BYTES = 8;
  const length = BigInt(filter.length / INSTRUCTION_BYTES);
  const statement = new BigUint64Array([length, BigInt(ptr(filter))]);
  libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ptr(statement), 0, 0) !== 0)
    throw new Error("the kernel takes no filter of calls");
}

/** As the kernel reads it: the operation, how many instructions to skip if true and if false, and a number. */
function instruction(operation: number, ifTrue: number, ifFalse: number, value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setUint16(0, operation, true);
  bytes.setUint8(2, ifTrue);
  bytes.setUint8(3, ifFalse);
  bytes.setUint32(4, value, true);
  return new Uint8Array(bytes.buffer);
}
