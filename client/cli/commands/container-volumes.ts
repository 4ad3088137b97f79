import { Option } from "@commander-js/extra-typings";
import type { CreateContainer, StorageShare } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import { page, readRows, reply } from "../read.ts";

/** Storage shares as the volumes of a container: `data:/var/lib/data`, or `data:/srv:ro`. */

export type Volume = NonNullable<CreateContainer["volumes"]>[number];

export const volumeOption = () =>
  new Option(
    "-v, --volume <share:path...>",
    "storage shares and where they are mounted, such as data:/srv, or data:/srv:ro to read alone",
  );

type Place = Pick<CreateContainer, "project_id" | "server_id">;

/** @throws UsageError, and Refused where the project has no such share on the server */
export async function volumesOf(
  cli: Cli,
  texts: readonly string[] | undefined,
  place: Place,
): Promise<Volume[]> {
  if (texts === undefined || texts.length === 0) return [];
  const wanted = texts.map(partsOf);
  const shares = await readShares(cli, place);
  return wanted.map(({ name, path, read_only }) => {
    const share = shares.find((one) => one.id === name || one.name === name);
    if (share === undefined)
      throw new Refused(
        `the project has no storage share "${name}" on this server: \`berth share list\` shows those there are`,
      );
    return { share_id: share.id, path, read_only };
  });
}

async function readShares(cli: Cli, { project_id, server_id }: Place): Promise<StorageShare[]> {
  return readRows(await cli.api(), async (api, query) => {
    const params = { query: { ...query, project_id, server_id } };
    const { data } = await reply(api.GET("/api/v1/storage-shares", { params }));
    return page(data.storage_shares, data.pagination);
  });
}

function partsOf(text: string) {
  const [, name = "", path = "", mode] = /^([^:]+):(\/[^:]*)(?::(ro|rw))?$/.exec(text) ?? [];
  if (name === "") throw new UsageError(`"${text}" is not a volume such as data:/srv or data:/srv:ro`);
  return { name, path, read_only: mode === "ro" };
}
