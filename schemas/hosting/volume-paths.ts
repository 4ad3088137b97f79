/**
 * Where volumes may be in a container. It loads no package: a program that starts with each container reads this, and starts in a quarter of the time.
 */

/** What the host makes at each start: no share takes their place, and none lies below those that end with a slash. */
const RESERVED = ["/proc/", "/sys/", "/dev/", "/.berth/", "/etc"];

/** What is wrong with the paths of volumes: which volume, and words that follow its field's name; undefined: nothing. */
export function faultOfVolumes(
  volumes: readonly { readonly path: string }[],
): { readonly at: number; readonly fault: string } | undefined {
  for (const [at, { path }] of volumes.entries()) {
    const fault = faultOfPath(path);
    if (fault !== undefined) return { at, fault };
    const other = volumes.findIndex((one, number) => number !== at && isWithin(path, one.path));
    if (other !== -1) return { at, fault: `lies within the path of volume ${other}` };
  }
  return undefined;
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function faultOfPath(path: string): string | undefined {
  const parts = path.split("/").slice(1);
  if (parts.some((part) => part === "." || part === "..")) return "must not have the parts . and ..";
  if (parts.some((part) => part === "")) return "must have a name after each /";
  const reserved = RESERVED.find((folder) => `${path}/`.startsWith(folder) && folder.endsWith("/"));
  if (reserved !== undefined) return `must not lie in ${reserved.slice(0, -1)}, which its host makes`;
  return RESERVED.includes(path)
    ? `must not be ${path}, where its host writes names and resolvers`
    : undefined;
}
