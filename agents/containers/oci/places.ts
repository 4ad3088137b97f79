/**
 * Where things are in the mount namespace of a container's supervisor, which is the host's but for these. Everybody may enter the
 * folders that lead there: the runtime looks for the root as a user of the container.
 */

/** A file system in memory, of this container alone. On the host it is an empty folder. */
export const STAGE = "/run/berth-container";
/** The container's user namespace, as a file that keeps it. */
export const USER_NAMESPACE = `${STAGE}/user-namespace`;
/** The container's root. */
export const ROOT = `${STAGE}/root`;
/** Files of /etc that the host decides. */
export const ETC = `${STAGE}/etc`;
/** The container's `/.berth`: static programs that work in every image. */
export const HELPERS = `${STAGE}/helpers`;
/** The container's own, in place of the host's: also the runtime and the relay of terminals use these. */
export const DEVICES = "/dev";
/** The host's programs that are mounted below the container's `/.berth`. */
export const FILES = `${STAGE}/files`;
/** The file systems of storage shares, and where the files of each appear with the container's ids. */
export const DISKS = `${STAGE}/disks`;
export const SHARES = `${STAGE}/shares`;
/** The host's programs, where a container has no image: folders are mounted, and links as in a merged /usr are made. */
export const PROGRAM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
