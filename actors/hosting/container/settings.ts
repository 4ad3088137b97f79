import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "@sinclair/typebox";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { SETTINGS_AT_START } from "../../../schemas/hosting/container.ts";
import {
  Args,
  Command,
  ContainerName,
  ContainerPort,
  Labels,
  Resources,
  RestartPolicy,
  STOP_GRACE_SECONDS,
  StopGraceSeconds,
  StopSignal,
} from "../../../schemas/hosting/container-settings.ts";
import { HealthCheck, NO_HEALTH_CHECK } from "../../../schemas/hosting/health-check.ts";
import { Strict } from "../../../schemas/primitives.ts";
import type { ContainerRecord } from "./rules.ts";
import { withChange } from "./setting-changes.ts";

/** A variable as it is stored: of a secret the encrypted value alone (docs/decisions/0056-container-settings.md). */
const StoredVariable = Type.Union([
  Strict({ name: Type.String(), value: Type.String() }),
  Strict({ name: Type.String(), sealed: Type.String() }),
]);
export type StoredVariable = Static<typeof StoredVariable>;
/** A secret that is named without a value keeps the value that it has. */
const AskedVariable = Type.Union([StoredVariable, Strict({ name: Type.String(), keep: Type.Literal(true) })]);
export type AskedVariable = Static<typeof AskedVariable>;

const settings = {
  command: Command,
  args: Args,
  env: Type.Array(AskedVariable),
  ports: Type.Array(ContainerPort),
  resources: Resources,
  restartPolicy: RestartPolicy,
  stopGraceSeconds: StopGraceSeconds,
  stopSignal: StopSignal,
  healthCheck: HealthCheck,
  labels: Labels,
};
/** Settings as the gateway sends them: in normal form, with encrypted secrets. Those that are left out stay as they are. */
export const AskedSettings = Strict(Type.Partial(Type.Object(settings)).properties);
export type AskedSettings = Static<typeof AskedSettings>;
export const NamedSettings = Strict({ ...AskedSettings.properties, name: Type.Optional(ContainerName) });
export type NamedSettings = Static<typeof NamedSettings>;

export type ContainerSettings = {
  readonly [K in Exclude<keyof typeof settings, "env">]: Static<(typeof settings)[K]>;
} & { readonly name: string; readonly env: readonly StoredVariable[] };

/** What a container has that was created without a word about it. */
const DEFAULTS: Omit<ContainerSettings, "name"> = {
  command: [],
  args: [],
  env: [],
  ports: [],
  resources: { cpu_cores: null, memory_bytes: null, disk_bytes: null, bandwidth_mbps: null },
  restartPolicy: { name: "always", max_retries: null },
  stopGraceSeconds: STOP_GRACE_SECONDS,
  stopSignal: null,
  healthCheck: NO_HEALTH_CHECK,
  labels: {},
};
/** What its host does not learn: a change is no new desired state. */
const NOT_FOR_HOSTS: readonly string[] = ["ports", "labels"];

/** The settings of a new container. @throws ValidationError for a secret without a value */
export const newSettings = (name: string, asked: AskedSettings): ContainerSettings => ({
  name,
  ...DEFAULTS,
  ...resolved(asked, []),
});

/**
 * Changes settings; each that is given takes the place of the whole former one. Where nothing differs, the revision stays.
 *
 * @param revisions those that the caller has seen; null: any
 * @throws PRECONDITION_FAILED, ValidationError for a secret without a value
 */
export function updateSettings(
  container: ContainerRecord,
  asked: NamedSettings,
  revisions: readonly number[] | null,
): ContainerRecord {
  const revision = container.settingsRevision;
  if (revisions !== null && !revisions.includes(revision))
    throw new DomainError(
      "PRECONDITION_FAILED",
      `the container's settings have the revision ${revision} by now: read them, and decide again`,
      { revision },
    );
  const next = { ...container, ...resolved(asked, container.env) };
  const changed = (Object.keys(asked) as (keyof NamedSettings)[]).filter(
    (key) => !isDeepStrictEqual(next[key], container[key]),
  );
  if (changed.length === 0) return container;
  const isForHost = changed.some((key) => !NOT_FOR_HOSTS.includes(key));
  const desiredRevision = container.desiredRevision + (isForHost ? 1 : 0);
  const atStart = SETTINGS_AT_START.filter((key) => changed.includes(key));
  return {
    ...next,
    settingsRevision: revision + 1,
    desiredRevision,
    settingChanges: {
      ...container.settingChanges,
      ...Object.fromEntries(
        atStart.map((key) => [
          key,
          withChange(container.settingChanges[key], {
            from: container[key],
            to: next[key],
            revision: desiredRevision,
          }),
        ]),
      ),
    },
  };
}

/** With the values of the secrets that are kept. */
function resolved({ env, ...others }: NamedSettings, before: readonly StoredVariable[]) {
  if (env === undefined) return others;
  const secrets = new Map(before.flatMap((one) => ("sealed" in one ? [[one.name, one]] : [])));
  const keep = (one: AskedVariable): StoredVariable => {
    if (!("keep" in one)) return one;
    const secret = secrets.get(one.name);
    if (secret === undefined)
      throw new ValidationError(`body.env.${one.name}`, "needs a value: there is no secret of this name yet");
    return secret;
  };
  return { ...others, env: env.map(keep) };
}
