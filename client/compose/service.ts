import type { CreateContainer } from "../index.ts";
import { type ComposeDocument, type Environment, isFields, type Path } from "./document.ts";
import { type BerthPart, berthPartOf, type WantedAlias } from "./extension.ts";
import type { WantedRule } from "./rules.ts";
import {
  healthCheckOf,
  portsOf,
  resourcesOf,
  restartPolicyOf,
  volumesOf,
  type WantedVolume,
} from "./settings.ts";
import { assertKeys, listOf, pairsOf, secondsOf, textOf, wordsOf } from "./values.ts";

type Settings = Required<
  Pick<
    CreateContainer,
    | "args"
    | "command"
    | "labels"
    | "ports"
    | "resources"
    | "restart_policy"
    | "stop_grace_seconds"
    | "health_check"
  >
> & { readonly stop_signal: string | null };

export interface WantedVariable {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

/** A container as the file wants it: what the file leaves out has its standard value. */
export interface WantedContainer {
  readonly name: string;
  readonly service: string;
  /** The name of its server. */
  readonly server: string;
  /** Null: the programs of its server. */
  readonly image: string | null;
  readonly settings: Settings;
  readonly env: readonly WantedVariable[];
  readonly volumes: readonly Omit<WantedVolume, "at">[];
  /** Null: the rules stay as they are. */
  readonly firewall: readonly WantedRule[] | null;
  readonly aliases: readonly WantedAlias[];
}

/** A service as it stands in the file. */
export interface Service extends Omit<WantedContainer, "server" | "volumes">, Pick<BerthPart, "server"> {
  readonly path: Path;
  readonly volumes: readonly WantedVolume[];
  readonly dependsOn: readonly string[];
}

/** By this label `up` knows which containers a file has made. */
export const SERVICE_LABEL = "berth.service";

const KEYS = [
  ...["image", "command", "entrypoint", "environment", "ports", "volumes", "deploy", "restart", "labels"],
  ...["cpus", "mem_limit", "container_name", "depends_on", "stop_grace_period", "stop_signal", "healthcheck"],
  ...["expose", "x-berth"],
];
const REASONS = {
  build: "images are not built here: build and push one, and name it by `image`",
  env_file: "is not read: export its variables, and name them under `environment`",
  networks: "remove it: containers of a project find each other by name",
  network_mode: "cannot be chosen: remove it",
  privileged: "no container has the rights of its host",
  cap_add: "the rights of containers are the same for all",
  secrets: "name variables whose values are secret under `x-berth.secrets`",
  user: "is that of the image",
  working_dir: "is that of the image",
};

export function serviceOf(
  file: ComposeDocument,
  service: string,
  value: unknown,
  environment: Environment,
): Service {
  const path: Path = ["services", service];
  const given = assertKeys(file, value, path, KEYS, REASONS);
  const at = (key: string): Path => [...path, key];
  const berth = berthPartOf(file, given["x-berth"], at("x-berth"));
  const optional = <Value>(
    key: string,
    standard: Value,
    read: (value: unknown, path: Path) => Value,
  ): Value => (given[key] === undefined || given[key] === null ? standard : read(given[key], at(key)));
  const text = (one: unknown, where: Path) => textOf(file, one, where);
  const labels = pairsOf(file, given.labels, at("labels")).map(([name, one]) => [name, one ?? ""]);
  return {
    server: berth.server,
    firewall: berth.firewall ?? null,
    aliases: berth.aliases,
    path,
    service,
    name: optional("container_name", service, text),
    image: optional<string | null>("image", null, text),
    env: variablesOf(file, given.environment, at("environment"), berth.secrets, environment),
    volumes: volumesOf(file, given.volumes, at("volumes")),
    dependsOn: isFields(given.depends_on)
      ? Object.keys(given.depends_on)
      : listOf(file, given.depends_on, at("depends_on")).map((one, index) =>
          textOf(file, one, [...at("depends_on"), index]),
        ),
    settings: {
      ...programOf(file, given.entrypoint, given.command, at),
      labels: { ...Object.fromEntries(labels), [SERVICE_LABEL]: service },
      ports: portsOf(file, given.ports, at("ports")),
      resources: resourcesOf(file, given, path, berth.diskBytes),
      restart_policy: restartPolicyOf(file, given.restart, at("restart")),
      stop_grace_seconds: optional("stop_grace_period", 5, (one, where) => secondsOf(file, one, where)),
      stop_signal: optional<string | null>("stop_signal", null, (one, where) =>
        text(one, where).replace(/^(?!SIG)/, "SIG"),
      ),
      health_check: healthCheckOf(file, given.healthcheck, at("healthcheck")),
    },
  };
}

/** What runs. An empty entry point takes the image's away, so that `command` is the program, as compose does it. */
function programOf(
  file: ComposeDocument,
  entrypoint: unknown,
  command: unknown,
  at: (key: string) => Path,
): Pick<Settings, "command" | "args"> {
  const program = wordsOf(file, entrypoint, at("entrypoint"));
  const args = wordsOf(file, command, at("command"));
  const isImages = entrypoint === undefined || entrypoint === null;
  if (isImages || program.length > 0) return { command: program, args };
  if (args.length === 0)
    throw file.fault(at("entrypoint"), "takes the image's program away: say under `command` what is to run");
  return { command: args, args: [] };
}

/** A name without a value is taken from here, as compose does it; so is every secret. */
function variablesOf(
  file: ComposeDocument,
  value: unknown,
  path: Path,
  secrets: readonly string[],
  env: Environment,
): WantedVariable[] {
  const fromHere = (name: string, where: Path): string => {
    const known = env[name];
    if (known === undefined) throw file.fault(where, `set the variable ${name}`);
    return known;
  };
  const given = pairsOf(file, value, path);
  const named = new Set(given.map(([name]) => name));
  return [
    ...given.map(([name, one]) => ({
      name,
      value: one ?? fromHere(name, [...path, name]),
      secret: secrets.includes(name),
    })),
    ...secrets
      .filter((name) => !named.has(name))
      .map((name) => ({
        name,
        value: fromHere(name, [...path.slice(0, -1), "x-berth", "secrets"]),
        secret: true,
      })),
  ];
}
