import { type Static, Type } from "@sinclair/typebox";
import { Id, Strict } from "../primitives.ts";
import { Text } from "../text.ts";

/** Volumes of containers: where the files of storage shares appear in them. */

/** As long as a path may be on Linux would fit no report; no program needs more than this. */
const PATH_LENGTH_MAX = 512;
/** Each is a mount at the container's start. */
const VOLUMES_MAX = 16;

/** What the host makes at each start: no share takes their place, and none lies below those that end with a slash. */
const RESERVED = ["/proc/", "/sys/", "/dev/", "/.berth/", "/etc"];

export const Volume = Strict({
  share_id: Id,
  path: Text({
    minLength: 2,
    maxLength: PATH_LENGTH_MAX,
    pattern: "^/[^\\u0000-\\u001f\\u007f]*$",
    description:
      "absolute, without `.` and `..`; not `/`, not `/etc`, not in `/proc`, `/sys`, `/dev` or `/.berth`; not within another volume's path",
    examples: ["/var/lib/postgresql/data"],
  }),
  read_only: Type.Boolean({ description: "true: programs of the container cannot change the files" }),
});
export type Volume = Static<typeof Volume>;

export const VolumeRequest = Strict({
  ...Volume.properties,
  read_only: Type.Optional(Type.Boolean({ description: "false unless told" })),
});
export type VolumeRequest = Static<typeof VolumeRequest>;
export const VolumeRequests = Type.Array(VolumeRequest, {
  maxItems: VOLUMES_MAX,
  description:
    "storage shares of the container's project on its server, and where they are mounted from its next start on",
});
export const SetVolumes = Strict({ volumes: VolumeRequests });

/** A volume as it is stored. */
export const volumeOf = ({ share_id, path, read_only = false }: VolumeRequest): Volume => ({
  share_id,
  path,
  read_only,
});

/** What is wrong with the paths of volumes: which volume, and words that follow its field's name; undefined: nothing. */
export function faultOfVolumes(
  volumes: readonly Pick<Volume, "path">[],
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
