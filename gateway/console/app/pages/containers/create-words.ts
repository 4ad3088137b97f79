import type { Schemas } from "../../lib/api.ts";
import { option, options, sizeWord } from "../../lib/commands.ts";

type Body = Omit<Schemas["UpdateContainer"], "name"> &
  Pick<Schemas["CreateContainer"], "name" | "server_id" | "image" | "image_id" | "volumes">;

/** What the command line has an option for. */
const WITH_OPTION: ReadonlySet<string> = new Set([
  ...["name", "server_id", "image", "image_id", "command", "env", "ports", "resources", "labels", "volumes"],
  "restart_policy",
]);

/** The command for the same container; undefined where it has a setting that is for the API alone. */
export function createWords(
  body: Body,
  { server, project }: { server: string | undefined; project: string | undefined },
): string[] | undefined {
  if (Object.keys(body).some((name) => !WITH_OPTION.has(name))) return undefined;
  const {
    name,
    image,
    image_id,
    command = [],
    env = [],
    ports = [],
    resources,
    labels = {},
    volumes = [],
  } = body;
  const [entrypoint, ...args] = command;
  const { restart_policy: policy } = body;
  // The form sends a list, and not names with values.
  const variables = Array.isArray(env) ? env : [];
  return [
    ...["containers", "create", name || "…"],
    ...option("server", server),
    ...option("project", project),
    ...option("image", image ?? image_id),
    ...options(
      "env",
      variables.filter(({ secret }) => !secret).map(({ name, value }) => `${name}=${value}`),
    ),
    // The value is taken from the environment of the command.
    ...options(
      "secret",
      variables.filter(({ secret }) => secret).map(({ name }) => name),
    ),
    ...options(
      "port",
      ports.map(({ name, port, protocol }) => `${name}:${port}${protocol ? `/${protocol}` : ""}`),
    ),
    ...options(
      "label",
      Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ),
    ...option("cpu", resources?.cpu_cores),
    ...option("memory", sizeWord(resources?.memory_bytes)),
    ...option("disk", sizeWord(resources?.disk_bytes)),
    ...option("restart", policy && `${policy.name}${policy.max_retries ? `:${policy.max_retries}` : ""}`),
    ...options(
      "volume",
      volumes.map(({ share_id, path, read_only }) => `${share_id}:${path}${read_only ? ":ro" : ""}`),
    ),
    ...option("entrypoint", entrypoint),
    ...(args.length === 0 ? [] : ["--", ...args]),
  ];
}
