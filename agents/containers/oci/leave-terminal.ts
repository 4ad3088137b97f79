import { dlopen, ptr } from "bun:ffi";
import { openSync, unlinkSync } from "node:fs";

/**
 * Becomes another program, after it has given up the terminal that it leads: its first child in the container leads it instead, whose
 * session and job control are then as on any terminal.
 *
 * Arguments: the file that says what the runtime is to start, which goes at once and becomes descriptor 9; the runtime's command.
 */

const TIOCNOTTY = 0x5422;
/** Where the runtime is told to find the file. */
const DESCRIPTOR = 9;
const SIGHUP = 1;
const SIG_DFL = 0n;
const SIG_IGN = 1n;

const { symbols: libc } = dlopen("libc.so.6", {
  ioctl: { args: ["i32", "u64", "i32"], returns: "i32" },
  signal: { args: ["i32", "u64"], returns: "u64" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  execvp: { args: ["cstring", "ptr"], returns: "i32" },
});
const [file = "", program = "", ...rest] = process.argv.slice(2);
const words = [program, ...rest].map((word) => Buffer.from(`${word}\0`));
// By a call of its own: what Bun opens is closed when another program takes its place.
libc.dup2(openSync(file, "r"), DESCRIPTOR);
unlinkSync(file);
// Who gives a terminal up is hung up on.
libc.signal(SIGHUP, SIG_IGN);
libc.ioctl(0, TIOCNOTTY, 0);
libc.signal(SIGHUP, SIG_DFL);
libc.execvp(words[0] as Buffer, ptr(new BigUint64Array([...words.map((word) => BigInt(ptr(word))), 0n])));
console.error(`${program} cannot be run`);
process.exit(127);
