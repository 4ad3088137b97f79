import type { Container, CreateContainer } from "../index.ts";
import { areSameVolumes, changesOf, fieldNamesOf, reasonToReplace } from "./compare.ts";
import { FileError, type Place } from "./file-error.ts";
import type { Present } from "./present.ts";
import type { WantedProject, WantedShare } from "./project.ts";
import { compareRules, textOf as ruleText } from "./rules.ts";
import { compareSecrets } from "./secrets.ts";
import { SERVICE_LABEL, type WantedContainer as Wanted } from "./service.ts";
import * as make from "./steps.ts";
import type { Target } from "./target.ts";
import { sizeText } from "./units.ts";

const fault = ({ file }: WantedProject, at: Place, message: string) => new FileError(file, at, message);

/** One change: what a person reads of it, and how it is made. */
export interface Step {
  readonly line: string;
  run(): Promise<unknown>;
}

export interface PlanOptions {
  /** Send values of secrets that are there already. */
  readonly withSecrets: boolean;
  readonly removeOrphans: boolean;
}

/** Ids of what there is, and of what the steps make. */
export interface Ids {
  projectId: string;
  readonly containers: Map<string, string>;
  readonly shares: Map<string, string>;
}

export const idsOf = ({ projectId = "", containers, shares }: Present): Ids => ({
  projectId,
  containers: new Map(containers.map(({ name, id }) => [name, id])),
  shares: new Map(shares.map(({ name, id }) => [name, id])),
});

/** Everything that has to change, in the order in which it is done. Nothing has changed where there are no steps. @throws FileError */
export function planOf(
  target: Target,
  wanted: WantedProject,
  present: Present,
  ids: Ids,
  options: PlanOptions,
): Step[] {
  return [
    ...(present.projectId === undefined
      ? [{ line: `+ project ${wanted.name}`, run: () => make.project(target, wanted.name, ids) }]
      : []),
    ...wanted.shares.flatMap((share) => shareSteps(target, share, wanted, present, ids)),
    ...wanted.containers.flatMap((one) => containerSteps(target, one, present, ids, options)),
    ...wanted.containers.flatMap((one) => firewallSteps(target, one, present, ids)),
    ...wanted.containers.flatMap((one) => aliasSteps(target, one, wanted, present, ids)),
    ...(options.removeOrphans ? orphansOf(wanted, present).map((one) => removal(target, one)) : []),
  ];
}

/** Containers of an earlier version of the file. */
export const orphansOf = (wanted: WantedProject, { containers }: Present): Container[] =>
  containers.filter(
    ({ name, labels }) =>
      labels[SERVICE_LABEL] !== undefined && !wanted.containers.some((one) => one.name === name),
  );

/** Containers whose secrets may differ from the file's: nobody here can tell. */
export const uncomparedOf = (wanted: WantedProject, present: Present): string[] =>
  wanted.containers
    .filter((one) => {
      const known = knownOf(one, present);
      return known !== undefined && compareSecrets(known, one) === "unknown";
    })
    .map(({ name }) => name);

export const removal = (target: Target, { id, name }: Container): Step => ({
  line: `- container ${name} and everything in it`,
  run: () => make.deletion(target, id, name),
});

function shareSteps(
  target: Target,
  share: WantedShare,
  wanted: WantedProject,
  present: Present,
  ids: Ids,
): Step[] {
  const { name, server, size_bytes, at } = share;
  const known = present.shares.find((one) => one.name === name);
  const server_id = present.serverIds.get(server) ?? "";
  if (known === undefined) {
    if (size_bytes === null) throw fault(wanted, at, "a new share has a size: `x-berth: { size: 10G }`");
    const run = () => make.share(target, { name, server_id, size_bytes }, ids);
    return [{ line: `+ share ${name} with ${sizeText(size_bytes)} on ${server}`, run }];
  }
  if (known.server_id !== server_id)
    throw fault(wanted, at, `is on the server ${known.subserver_name ?? known.server_name}, and cannot move`);
  if (size_bytes === null || size_bytes === known.size_bytes) return [];
  if (size_bytes < known.size_bytes)
    throw fault(wanted, at, `has ${sizeText(known.size_bytes)}, and a share cannot shrink`);
  const run = () => make.growth(target, known.id, size_bytes);
  return [{ line: `~ share ${name} grows to ${sizeText(size_bytes)}`, run }];
}

const knownOf = (one: Wanted, { containers }: Present) => containers.find(({ name }) => name === one.name);

const catalogueIdOf = ({ image }: Wanted, { catalogue }: Present) =>
  image === null ? undefined : catalogue.get(image);

/** Why the container that is there cannot become the wanted one. */
function replacement(one: Wanted, present: Present): string | undefined {
  const known = knownOf(one, present);
  const serverId = present.serverIds.get(one.server);
  return known && reasonToReplace(known, { image: one.image, serverId }, catalogueIdOf(one, present));
}

function containerSteps(
  target: Target,
  one: Wanted,
  present: Present,
  ids: Ids,
  options: PlanOptions,
): Step[] {
  const known = knownOf(one, present);
  const serverId = present.serverIds.get(one.server);
  const catalogueId = catalogueIdOf(one, present);
  const creation = (): CreateContainer => ({
    name: one.name,
    project_id: ids.projectId,
    server_id: serverId ?? "",
    ...(catalogueId === undefined
      ? one.image === null
        ? {}
        : { image: one.image }
      : { image_id: catalogueId }),
    ...one.settings,
    env: one.env.map((variable) => ({ ...variable })),
    volumes: make.volumesOf(one, ids),
  });
  const shown = `${one.name} of ${one.image ?? "its server's own programs"} on ${one.server}`;
  if (known === undefined)
    return [{ line: `+ container ${shown}`, run: () => make.container(target, creation(), ids) }];
  const reason = replacement(one, present);
  const itsAliases = present.aliases.filter(({ container_id }) => container_id === known.id);
  if (reason !== undefined)
    return [
      {
        line: `± container ${one.name} is deleted and made again, with everything in it: ${reason}`,
        run: async () => {
          for (const { id } of itsAliases) await make.aliasDeletion(target, id);
          await make.deletion(target, known.id, known.name);
          await make.container(target, creation(), ids);
        },
      },
    ];
  return changeSteps(target, one, known, ids, options);
}

function changeSteps(
  target: Target,
  one: Wanted,
  known: Container,
  ids: Ids,
  { withSecrets }: PlanOptions,
): Step[] {
  const changes = changesOf(known, one, withSecrets);
  const fields = Object.keys(changes);
  const hasNewVolumes = !areSameVolumes(known.volumes, make.volumesOf(one, ids));
  const changed = [...fields, ...(hasNewVolumes ? ["volumes"] : [])];
  const isStopped = known.state === "stopped" || known.state === "error";
  const steps: Step[] = [];
  if (fields.length > 0)
    steps.push({
      line: `~ container ${one.name}: ${fieldNamesOf(known, changes).join(", ")}`,
      run: () => make.change(target, known.id, changes),
    });
  if (hasNewVolumes)
    steps.push({
      line: `~ container ${one.name}: volumes`,
      run: () => make.volumes(target, known.id, one, ids),
    });
  const pending = [
    ...changed.filter((field) => make.NEEDS_RESTART.includes(field)),
    ...known.restart_required,
  ];
  if (isStopped)
    steps.push({ line: `~ container ${one.name} is started`, run: () => make.start(target, known.id) });
  else if (pending.length > 0)
    steps.push({
      line: `~ container ${one.name} is restarted: ${[...new Set(pending)].join(", ")}`,
      run: () => make.restart(target, known.id),
    });
  return steps;
}

function firewallSteps(target: Target, one: Wanted, present: Present, ids: Ids): Step[] {
  if (one.firewall === null) return [];
  const isNew = replacement(one, present) !== undefined;
  const known = isNew ? undefined : present.firewalls.get(ids.containers.get(one.name) ?? "");
  const { added, removed } = compareRules(known ?? [], one.firewall);
  if (added.length + removed.length === 0) return [];
  const lines = [
    ...removed.map((rule) => `- rule of ${one.name}: ${ruleText(rule)}`),
    ...added.map((rule) => `+ rule of ${one.name}: ${ruleText(rule)}`),
  ];
  return [{ line: lines.join("\n"), run: () => make.firewall(target, one, ids) }];
}

function aliasSteps(target: Target, one: Wanted, wanted: WantedProject, present: Present, ids: Ids): Step[] {
  return one.aliases.flatMap(({ name, program, port, at }): Step[] => {
    const number =
      typeof port === "string" ? one.settings.ports.find((named) => named.name === port)?.port : port;
    if (number === undefined) throw fault(wanted, at, `${one.service} has no port named "${port}"`);
    const known = present.aliases.find(({ alias }) => alias === name);
    const fields = { program, ...(number === null ? {} : { port: number }) };
    const shown = `${name} to ${program}${number === null ? "" : ` port ${number}`} of ${one.name}`;
    const owner = present.containers.find(({ id }) => id === known?.container_id);
    if (known !== undefined && owner?.name !== one.name)
      throw fault(wanted, at, `the alias ${name} is of another container`);
    if (known === undefined || replacement(one, present) !== undefined)
      return [{ line: `+ alias ${shown}`, run: () => make.alias(target, one.name, name, fields, ids) }];
    if (isSameAlias(known, fields)) return [];
    return [{ line: `~ alias ${shown}`, run: () => make.aliasChange(target, known, fields) }];
  });
}

const isSameAlias = (
  known: { program: string; index: number; enabled: boolean },
  fields: { program: string; port?: number },
) =>
  known.enabled &&
  known.program === fields.program &&
  (fields.port === undefined || known.index === fields.port);
