import type { components } from "../../../../../client/index.ts";
import { option } from "../../lib/commands.ts";
import { settingWords, volumeWords } from "./setting-words.ts";

type Schemas = components["schemas"];
type Body = Omit<Schemas["UpdateContainer"], "name"> &
  Pick<Schemas["CreateContainer"], "name" | "server_id" | "image" | "image_id" | "volumes">;

/** The command for the same container; null where it has a setting that is for the API alone. */
export function createWords(
  body: Body,
  { server, project }: { server: string | undefined; project: string | undefined },
): string[] | null {
  const { name, server_id, image, image_id, volumes = [], command, args, ...settings } = body;
  const words = settingWords(settings);
  if (words === null) return null;
  const [entrypoint, ...rest] = command ?? [];
  const given = [...rest, ...(args ?? [])];
  return [
    ...["containers", "create", name || "…"],
    ...option("server", server ?? server_id),
    ...option("project", project),
    ...option("image", image ?? image_id),
    ...words,
    ...volumeWords(volumes),
    ...option("entrypoint", entrypoint),
    ...(given.length === 0 ? [] : ["--", ...given]),
  ];
}
