import { type Static, Type } from "@sinclair/typebox";
import { Id, Strict } from "../primitives.ts";
import { Text } from "../text.ts";

/** Volumes of containers: where the files of storage shares appear in them. */

/** As long as a path may be on Linux would fit no report; no program needs more than this. */
const PATH_LENGTH_MAX = 512;
/** Each is a mount at the container's start. */
const VOLUMES_MAX = 16;

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
