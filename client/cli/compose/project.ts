import { basename, dirname, resolve } from "node:path";
import type { Io } from "../io.ts";
import { type ComposeDocument, isFields, type Path, readDocument } from "./document.ts";
import { serviceOf, type WantedContainer } from "./service.ts";
import { assertKeys, sizeOf, textOf } from "./values.ts";

export interface WantedShare {
  readonly name: string;
  readonly server: string;
  /** Null: it is expected to be there. */
  readonly sizeBytes: number | null;
  readonly at: Path;
}

/** A project as its file wants it. Containers stand behind those that they depend on. */
export interface WantedProject {
  readonly name: string;
  readonly containers: readonly (WantedContainer & { readonly server: string })[];
  readonly shares: readonly WantedShare[];
  readonly fault: ComposeDocument["fault"];
}

export interface ProjectOptions {
  readonly file: string;
  readonly project?: string | undefined;
  readonly server?: string | undefined;
  /** What is to be deleted is found by its project: servers are not read, and each is "". */
  readonly isForDeletion?: boolean;
}

const KEYS = ["name", "version", "services", "volumes", "x-berth"];
const REASONS = {
  networks: "remove it: containers of a project find each other by name",
  include: "is not supported: put all into one file",
};

/** @throws UsageError that names the line */
export async function readProject(
  text: string,
  { file, project, server, isForDeletion = false }: ProjectOptions,
  io: Pick<Io, "env">,
): Promise<WantedProject> {
  const document = await readDocument(text, file, io.env);
  const content = assertKeys(document, document.content, [], KEYS, REASONS);
  const common = assertKeys(document, content["x-berth"], ["x-berth"], ["server"]);
  const commonServer =
    server ??
    (common.server === undefined ? undefined : textOf(document, common.server, ["x-berth", "server"]));
  if (!isFields(content.services))
    throw document.fault(["services"], "services are expected, as in a compose file");
  const services = Object.entries(content.services).map(([name, one]) => {
    const service = serviceOf(document, name, one, io);
    const where = isForDeletion ? "" : (service.server ?? commonServer);
    if (where === undefined)
      throw document.fault(
        service.path,
        "name its server: `x-berth.server` of the service or of the file, or --server",
      );
    return { ...service, server: where };
  });
  const named = content.name === undefined ? undefined : textOf(document, content.name, ["name"]);
  return {
    name: project ?? named ?? (file === "-" ? "default" : basename(dirname(resolve(file)))),
    containers: inOrder(document, services),
    shares: sharesOf(document, content.volumes, services),
    fault: document.fault,
  };
}

type Service = WantedProject["containers"][number];

/** @throws UsageError for one that is unknown, and for a circle */
function inOrder(document: ComposeDocument, services: readonly Service[]): Service[] {
  const done = new Map<string, Service>();
  const add = (one: Service, above: readonly string[]): void => {
    if (done.has(one.service)) return;
    for (const name of one.dependsOn) {
      const needed = services.find(({ service }) => service === name);
      const at = [...one.path, "depends_on"];
      if (needed === undefined) throw document.fault(at, `there is no service "${name}"`);
      if (name === one.service || above.includes(name))
        throw document.fault(at, `${name} and ${one.service} depend on each other`);
      add(needed, [...above, one.service]);
    }
    done.set(one.service, one);
  };
  for (const one of services) add(one, []);
  return [...done.values()];
}

/** Every share that a service mounts; it is on the server of those that mount it. */
function sharesOf(document: ComposeDocument, value: unknown, services: readonly Service[]): WantedShare[] {
  const declared = isFields(value) ? value : {};
  const used = services.flatMap(({ server, volumes }) => volumes.map((one) => ({ server, ...one })));
  const names = [...new Set(used.map(({ share }) => share))];
  return names.map((name) => {
    const users = used.filter(({ share }) => share === name);
    const [first, other] = [users[0], users.find(({ server }) => server !== users[0]?.server)];
    if (first === undefined || !Object.hasOwn(declared, name))
      throw document.fault(first?.at ?? [], `declare ${name} under the volumes of the file`);
    if (other !== undefined)
      throw document.fault(
        other.at,
        `${name} is on the server ${first.server}, and a share is on one server`,
      );
    const at: Path = ["volumes", name];
    const given = assertKeys(document, declared[name], at, ["x-berth"]);
    const { size } = assertKeys(document, given["x-berth"], [...at, "x-berth"], ["size"]);
    const sizeBytes = size === undefined ? null : sizeOf(document, size, [...at, "x-berth", "size"]);
    return { name, server: first.server, sizeBytes, at };
  });
}
