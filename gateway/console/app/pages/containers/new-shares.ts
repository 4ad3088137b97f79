import { refresh } from "../../lib/actions.ts";
import { api, BerthError, dataOf, type Schemas } from "../../lib/api.ts";
import { type Command, option, sizeWord } from "../../lib/commands.ts";
import type { Values } from "../../ui/form.tsx";
import { sizeOf } from "../storage/size-field.tsx";
import { NEW_SHARE, volumesOf } from "./volume-fields.tsx";

type Share = Schemas["StorageShare"];

/** Storage shares that are made with a container, for its volumes. */

const wantedShares = (values: Values) =>
  volumesOf(values).flatMap(({ share_id }, index) =>
    share_id === NEW_SHARE
      ? [
          {
            index,
            name: values[`volumes.${index}.name`] ?? "",
            size_bytes: sizeOf({ size: values[`volumes.${index}.size`] ?? "" }),
          },
        ]
      : [],
  );

/**
 * Makes them, one after the other. @returns the values with the shares that are there now
 *
 * @param made gets each as it is made: where something is refused later, it is not made again
 */
export async function makeShares(
  values: Values,
  project_id: string,
  made: Record<number, Share>,
): Promise<Values> {
  const { server_id = "" } = values;
  const named: Record<string, string> = {};
  for (const { index, ...share } of wantedShares(values)) {
    const body = { ...share, project_id, server_id };
    const one = await dataOf(api.POST("/api/v1/storage-shares", { body })).catch((error) => {
      throw ofRow(error, index);
    });
    named[`volumes.${index}.share_id`] = one.id;
    made[index] = one;
    await refresh(["storage"]);
  }
  return { ...values, ...named };
}

/** The refusal is about a share, and not about the container of the form. */
function ofRow(error: unknown, index: number): unknown {
  if (!(error instanceof BerthError)) return error;
  const { message, status, code, data, requestId } = error;
  const field = code === "NAME_TAKEN" || data.field === "body.name" ? "name" : "size";
  return new BerthError(message, status, "UNKNOWN", { field: `body.volumes.${index}.${field}` }, requestId);
}

/** The commands that make them. */
export const shareCommands = (
  values: Values,
  { server, project }: { server: string | undefined; project: string | undefined },
): Command[] =>
  wantedShares(values).map(({ index: _, name, size_bytes }) => ({
    method: "POST",
    path: "/api/v1/storage-shares",
    body: { name, size_bytes, project_id: values.project || "…", server_id: values.server_id ?? "" },
    berth: [
      ...["share", "create", name || "…"],
      ...option("server", server),
      ...option("project", project),
      ...option("size", sizeWord(size_bytes)),
    ],
  }));

/** For a command: a share that is not there yet has no id, and its name stands for it. */
export const withNames = (values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    wantedShares(values).map(({ index, name }) => [`volumes.${index}.share_id`, name || "…"]),
  ),
});
