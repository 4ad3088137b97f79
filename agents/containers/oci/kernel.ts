import { dlopen, ptr, read } from "bun:ffi";

/** Calls of the Linux kernel that neither Bun nor Debian 12's programs offer: mounts that map ids, and opening a path below a root. */

const { symbols: libc } = dlopen("libc.so.6", {
  syscall: { args: ["i64", "i64", "i64", "i64", "i64", "i64", "i64"], returns: "i64" },
  mount: { args: ["cstring", "cstring", "cstring", "u64", "cstring"], returns: "i32" },
  umount2: { args: ["cstring", "i32"], returns: "i32" },
  mknod: { args: ["cstring", "u32", "u64"], returns: "i32" },
  lremovexattr: { args: ["cstring", "cstring"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
});

/** The same numbers on x86-64 and arm64. */
const OPEN_TREE = 428;
const MOVE_MOUNT = 429;
const OPENAT2 = 437;
const MOUNT_SETATTR = 442;

const AT_FDCWD = -100;
const AT_EMPTY_PATH = 0x1000;
const OPEN_TREE_CLONE = 1;
const OPEN_TREE_CLOEXEC = 0o2000000;
const MOVE_MOUNT_F_EMPTY_PATH = 4;
const RESOLVE_NO_MAGICLINKS = 0x02;
const RESOLVE_IN_ROOT = 0x10;
const O_CLOEXEC = 0o2000000;

/** Flags of `mount`. */
export const MS = {
  rdonly: 1,
  nosuid: 2,
  nodev: 4,
  noexec: 8,
  remount: 32,
  bind: 4_096,
} as const;
/** Attributes of `mount_setattr`. */
export const ATTRIBUTE = { rdonly: 1n, nosuid: 2n, nodev: 4n, idmap: 0x100000n } as const;

/** The kernel refused a call. */
export class KernelError extends Error {
  override readonly name = "KernelError";

  constructor(
    readonly call: string,
    readonly errno: number,
  ) {
    super(`${call}: error ${errno} of the kernel`);
  }
}

const text = (value: string) => Buffer.from(`${value}\0`);
const errno = (): number => read.i32(libc.__errno_location() as NonNullable<ReturnType<typeof ptr>>, 0);

function call(name: string, number: number, ...args: (number | Uint8Array)[]): number {
  const words = args.map((arg) => (typeof arg === "number" ? arg : ptr(arg)));
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = words;
  const result = Number(libc.syscall(number, a, b, c, d, e, f));
  if (result < 0) throw new KernelError(name, errno());
  return result;
}

/** @throws KernelError */
export function mount(source: string, target: string, type: string, flags: number, options = ""): void {
  const done = libc.mount(text(source), text(target), text(type), flags, text(options));
  if (done !== 0) throw new KernelError(`mount ${type} on ${target}`, errno());
}

/** Detaches a mount, also one that is still in use. @throws KernelError */
export function unmount(target: string): void {
  const MNT_DETACH = 2;
  if (libc.umount2(text(target), MNT_DETACH) !== 0) throw new KernelError(`umount ${target}`, errno());
}

/** Removes an extended attribute of a file, if it has it. A link is not followed. @throws KernelError */
export function removeAttribute(path: string, name: string): void {
  const ENODATA = 61;
  const EOPNOTSUPP = 95;
  if (libc.lremovexattr(text(path), text(name)) === 0) return;
  const error = errno();
  if (error !== ENODATA && error !== EOPNOTSUPP) throw new KernelError(`removexattr ${path}`, error);
}

/** Makes a node of a character device. @throws KernelError */
export function makeDevice(path: string, major: number, minor: number): void {
  const S_IFCHR = 0o020000;
  const EVERYBODY = 0o666;
  if (libc.mknod(text(path), S_IFCHR | EVERYBODY, major * 256 + minor) !== 0)
    throw new KernelError(`mknod ${path}`, errno());
}

/**
 * Binds a folder on another one, with attributes of its own.
 *
 * @param userNamespace an open one, by which the ids of files are mapped; null: they stay
 * @throws KernelError
 */
export function bindWithAttributes(
  source: string,
  target: string,
  attributes: bigint,
  userNamespace: number | null,
): void {
  const flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  const tree = call("open_tree", OPEN_TREE, AT_FDCWD, text(source), flags);
  const set = userNamespace === null ? attributes : attributes | ATTRIBUTE.idmap;
  const attr = Buffer.from(new BigUint64Array([set, 0n, 0n, BigInt(userNamespace ?? 0)]).buffer);
  call("mount_setattr", MOUNT_SETATTR, tree, text(""), AT_EMPTY_PATH, attr, attr.length);
  call("move_mount", MOVE_MOUNT, tree, text(""), AT_FDCWD, text(target), MOVE_MOUNT_F_EMPTY_PATH);
}

/**
 * Opens a path as a process sees it whose root is the open folder: links that lead out lead to that root again.
 *
 * @throws KernelError
 */
export function openInRoot(root: number, path: string, flags: number): number {
  const how = Buffer.from(
    new BigUint64Array([BigInt(flags | O_CLOEXEC), 0n, BigInt(RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS)])
      .buffer,
  );
  return call(`open ${path}`, OPENAT2, root, text(path), how, how.length);
}
