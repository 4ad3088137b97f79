import { type ComposeDocument, type Environment, isFields, type Path, readDocument } from "./document.ts";
import type { Place } from "./file-error.ts";
import { type Service, serviceOf, type WantedContainer } from "./service.ts";
import { assertKeys, sizeOf, textOf } from "./values.ts";

export interface WantedShare {
  readonly name: string;
  readonly server: string;
  /** Null: it is expected to be there. */
  readonly size_bytes: number | null;
  readonly at: Place;
}

/** A project as its file wants it. Containers stand behind those that they depend on. */
export interface WantedProject {
  /** Of the file, for errors. */
  readonly file: string;
  readonly name: string;
  readonly containers: readonly WantedContainer[];
  readonly shares: readonly WantedShare[];
}

export interface ProjectOptions {
  readonly file: string;
  /** The name of the project, where the file has none for it. */
  readonly defaultName: string;
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

/** @throws FileError that names the line */
export async function readProject(
  text: string,
  { file, defaultName, project, server, isForDeletion = false }: ProjectOptions,
  environment: Environment,
): Promise<WantedProject> {
  const document = await readDocument(text, file, environment);
  const content = assertKeys(document, document.content, [], KEYS, REASONS);
  const common = assertKeys(document, content["x-berth"], ["x-berth"], ["server"]);
  const commonServer =
    server ??
    (common.server === undefined ? undefined : textOf(document, common.server, ["x-berth", "server"]));
  if (!isFields(content.services))
    throw document.fault(["services"], "services are expected, as in a compose file");
  const services = Object.entries(content.services).map(([name, one]) => {
    const service = serviceOf(document, name, one, environment);
    const where = isForDeletion ? "" : (service.server ?? commonServer);
    if (where === undefined)
      throw document.fault(
        service.path,
        "name its server: `x-berth.server` of the service or of the file, or one for all services",
      );
    return { ...service, server: where };
  });
  const named = content.name === undefined ? undefined : textOf(document, content.name, ["name"]);
  return {
    file,
    name: project ?? named ?? defaultName,
    containers: inOrder(document, services).map(containerOf),
    shares: sharesOf(document, content.volumes, services),
  };
}

type Placed = Service & { readonly server: string };

const containerOf = ({ path: _path, dependsOn: _dependsOn, volumes, ...one }: Placed): WantedContainer => ({
  ...one,
  volumes: volumes.map(({ at: _at, ...volume }) => volume),
});

/** @throws FileError for one that is unknown, and for a circle */
function inOrder(document: ComposeDocument, services: readonly Placed[]): Placed[] {
  const done = new Map<string, Placed>();
  const add = (one: Placed, above: readonly string[]): void => {
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
function sharesOf(document: ComposeDocument, value: unknown, services: readonly Placed[]): WantedShare[] {
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
    const size_bytes = size === undefined ? null : sizeOf(document, size, [...at, "x-berth", "size"]);
    return { name, server: first.server, size_bytes, at: document.placeOf(at) };
  });
}
