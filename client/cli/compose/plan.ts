import type { Container, CreateContainer } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { patch } from "../commands/containers.ts";
import { compareRules, textOf as ruleText } from "../commands/firewall-file.ts";
import { serverOf } from "../nouns.ts";
import { bytes } from "../output/format.ts";
import { areSameVolumes, changesOf, fieldNamesOf, reasonToReplace } from "./compare.ts";
import type { Present } from "./present.ts";
import type { WantedProject, WantedShare } from "./project.ts";
import { compareSecrets } from "./secrets.ts";
import { SERVICE_LABEL } from "./service.ts";
import * as make from "./steps.ts";

type Wanted = WantedProject["containers"][number];

/** One change: what a person reads of it, and how it is made. */
export interface Step {
  readonly line: string;
  run(): Promise<unknown>;
}

export interface PlanOptions {
  /** Send values of secrets that are there already. */
  readonly withSecrets: boolean;
  readonly removeOrphans: boolean;
  /** Return from a restart when it has happened. */
  readonly isAwaited: boolean;
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

/** Everything that has to change, in the order in which it is done. Nothing has changed where there are no steps. @throws UsageError */
export function planOf(
  cli: Cli,
  wanted: WantedProject,
  present: Present,
  ids: Ids,
  options: PlanOptions,
): Step[] {
  return [
    ...(present.projectId === undefined
      ? [{ line: `+ project ${wanted.name}`, run: () => make.project(cli, wanted.name, ids) }]
      : []),
    ...wanted.shares.flatMap((share) => shareSteps(cli, share, wanted, present, ids)),
    ...wanted.containers.flatMap((one) => containerSteps(cli, one, present, ids, options)),
    ...wanted.containers.flatMap((one) => firewallSteps(cli, one, present, ids)),
    ...wanted.containers.flatMap((one) => aliasSteps(cli, one, wanted, present, ids)),
    ...(options.removeOrphans ? orphansOf(wanted, present).map((one) => removal(cli, one)) : []),
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

export const removal = (cli: Cli, { id, name }: Container): Step => ({
  line: `- container ${name} and everything in it`,
  run: () => make.deletion(cli, id, name),
});

function shareSteps(cli: Cli, share: WantedShare, wanted: WantedProject, present: Present, ids: Ids): Step[] {
  const { name, server, sizeBytes, at } = share;
  const known = present.shares.find((one) => one.name === name);
  const server_id = present.serverIds.get(server) ?? "";
  if (known === undefined) {
    if (sizeBytes === null) throw wanted.fault(at, "a new share has a size: `x-berth: { size: 10G }`");
    const run = () => make.share(cli, { name, server_id, size_bytes: sizeBytes }, ids);
    return [{ line: `+ share ${name} with ${bytes(sizeBytes)} on ${server}`, run }];
  }
  if (known.server_id !== server_id)
    throw wanted.fault(at, `is on the server ${serverOf(known)}, and cannot move`);
  if (sizeBytes === null || sizeBytes === known.size_bytes) return [];
  if (sizeBytes < known.size_bytes)
    throw wanted.fault(at, `has ${bytes(known.size_bytes)}, and a share cannot shrink`);
  const run = () => make.growth(cli, known.id, sizeBytes);
  return [{ line: `~ share ${name} grows to ${bytes(sizeBytes)}`, run }];
}

const knownOf = (one: Wanted, { containers }: Present) => containers.find(({ name }) => name === one.name);

const catalogueIdOf = ({ image }: Wanted, { catalogue }: Present) =>
  image === undefined ? undefined : catalogue.get(image);

/** Why the container that is there cannot become the wanted one. */
function replacement(one: Wanted, present: Present): string | undefined {
  const known = knownOf(one, present);
  const serverId = present.serverIds.get(one.server);
  return known && reasonToReplace(known, { image: one.image, serverId }, catalogueIdOf(one, present));
}

function containerSteps(cli: Cli, one: Wanted, present: Present, ids: Ids, options: PlanOptions): Step[] {
  const known = knownOf(one, present);
  const serverId = present.serverIds.get(one.server);
  const catalogueId = catalogueIdOf(one, present);
  const creation = (): CreateContainer => ({
    name: one.name,
    project_id: ids.projectId,
    server_id: serverId ?? "",
    ...(catalogueId === undefined
      ? one.image === undefined
        ? {}
        : { image: one.image }
      : { image_id: catalogueId }),
    ...one.settings,
    env: one.env.map((variable) => ({ ...variable })),
    volumes: make.volumesOf(one, ids),
  });
  const shown = `${one.name} of ${one.image ?? "its server's own programs"} on ${one.server}`;
  if (known === undefined)
    return [{ line: `+ container ${shown}`, run: () => make.container(cli, creation(), ids) }];
  const reason = replacement(one, present);
  const itsAliases = present.aliases.filter(({ container_id }) => container_id === known.id);
  if (reason !== undefined)
    return [
      {
        line: `± container ${one.name} is deleted and made again, with everything in it: ${reason}`,
        run: async () => {
          for (const { id } of itsAliases) await make.aliasDeletion(cli, id);
          await make.deletion(cli, known.id, known.name);
          await make.container(cli, creation(), ids);
        },
      },
    ];
  return changeSteps(cli, one, known, ids, options);
}

function changeSteps(
  cli: Cli,
  one: Wanted,
  known: Container,
  ids: Ids,
  { withSecrets, isAwaited }: PlanOptions,
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
      run: () => patch(cli, known.id, changes),
    });
  if (hasNewVolumes)
    steps.push({
      line: `~ container ${one.name}: volumes`,
      run: () => make.volumes(cli, known.id, one, ids),
    });
  const pending = [
    ...changed.filter((field) => make.NEEDS_RESTART.includes(field)),
    ...known.restart_required,
  ];
  if (isStopped)
    steps.push({ line: `~ container ${one.name} is started`, run: () => make.start(cli, known.id) });
  else if (pending.length > 0)
    steps.push({
      line: `~ container ${one.name} is restarted: ${[...new Set(pending)].join(", ")}`,
      run: () => make.restart(cli, known.id, isAwaited),
    });
  return steps;
}

function firewallSteps(cli: Cli, one: Wanted, present: Present, ids: Ids): Step[] {
  if (one.firewall === undefined) return [];
  const isNew = replacement(one, present) !== undefined;
  const known = isNew ? undefined : present.firewalls.get(ids.containers.get(one.name) ?? "");
  const { added, removed } = compareRules(known?.rules ?? [], one.firewall);
  if (added.length + removed.length === 0) return [];
  const lines = [
    ...removed.map((rule) => `- rule of ${one.name}: ${ruleText(rule)}`),
    ...added.map((rule) => `+ rule of ${one.name}: ${ruleText(rule)}`),
  ];
  return [{ line: lines.join("\n"), run: () => make.firewall(cli, one, ids) }];
}

function aliasSteps(cli: Cli, one: Wanted, wanted: WantedProject, present: Present, ids: Ids): Step[] {
  return one.aliases.flatMap(({ name, program, port, at }): Step[] => {
    const number =
      typeof port === "string" ? one.settings.ports.find((named) => named.name === port)?.port : port;
    if (number === undefined) throw wanted.fault(at, `${one.service} has no port named "${port}"`);
    const known = present.aliases.find(({ alias }) => alias === name);
    const fields = { program, ...(number === null ? {} : { port: number }) };
    const shown = `${name} to ${program}${number === null ? "" : ` port ${number}`} of ${one.name}`;
    const owner = present.containers.find(({ id }) => id === known?.container_id);
    if (known !== undefined && owner?.name !== one.name)
      throw wanted.fault(at, `the alias ${name} is of another container`);
    if (known === undefined || replacement(one, present) !== undefined)
      return [{ line: `+ alias ${shown}`, run: () => make.alias(cli, one.name, name, fields, ids) }];
    if (isSameAlias(known, fields)) return [];
    return [{ line: `~ alias ${shown}`, run: () => make.aliasChange(cli, known, fields) }];
  });
}

const isSameAlias = (
  known: { program: string; index: number; enabled: boolean },
  fields: { program: string; port?: number },
) =>
  known.enabled &&
  known.program === fields.program &&
  (fields.port === undefined || known.index === fields.port);
