import type {
  AskedSettings,
  AskedVariable,
  NamedSettings,
} from "../../../actors/hosting/container/settings.ts";
import { readServerSpecs } from "../../../actors/market/server/queries.ts";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import type { CreateContainer, UpdateContainer } from "../../../schemas/hosting/container.ts";
import {
  type ContainerPort,
  ENV_BYTES_MAX,
  type Env,
  placeOfSecret,
  RESOURCE_NAMES,
  type RestartPolicy,
  resourcesOf,
} from "../../../schemas/hosting/container-settings.ts";
import { type HealthCheck, NO_HEALTH_CHECK } from "../../../schemas/hosting/health-check.ts";
import type { SecretBox } from "../../../system/secret-box.ts";
import { sizeText } from "../../../system/size-text.ts";

type Body = Omit<UpdateContainer, "name">;

/**
 * The settings of a request in normal form, with encrypted secrets: the actor and all that it writes never have them in clear.
 *
 * @param secrets null: the operator has set no key
 * @throws ValidationError naming the field; SECRETS_NOT_CONFIGURED
 */
export const askedSettings = (body: Body, containerId: string, secrets: SecretBox | null): AskedSettings => ({
  ...given("command", body.command),
  ...given("args", body.args),
  ...given("env", body.env && variablesOf(body.env, containerId, secrets)),
  ...given("ports", body.ports && portsOf(body.ports)),
  ...given(
    "resources",
    body.resources && {
      ...{ cpu_cores: null, memory_bytes: null, disk_bytes: null, bandwidth_mbps: null },
      ...body.resources,
    },
  ),
  ...given("restartPolicy", body.restart_policy && restartPolicyOf(body.restart_policy)),
  ...given("stopGraceSeconds", body.stop_grace_seconds),
  ...given("stopSignal", body.stop_signal),
  ...given("healthCheck", body.health_check && healthCheckOf(body.health_check)),
  ...given("labels", body.labels),
});

/** The same for a change, which may have a name. */
export const changedSettings = (
  { name, ...body }: UpdateContainer,
  containerId: string,
  secrets: SecretBox | null,
): NamedSettings => ({ ...askedSettings(body, containerId, secrets), ...given("name", name) });

const given = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

function variablesOf(env: Env, containerId: string, secrets: SecretBox | null): AskedVariable[] {
  const listed = Array.isArray(env)
    ? env
    : Object.entries(env).map(([name, value]) => ({
        name,
        ...(typeof value === "string" ? { value } : value),
      }));
  const bytes = listed.reduce((sum, { name, value = "" }) => sum + Buffer.byteLength(name + value), 0);
  if (bytes > ENV_BYTES_MAX)
    throw new ValidationError(
      "body.env",
      `must have at most ${sizeText(ENV_BYTES_MAX)}, names and values together`,
    );
  const names = new Set<string>();
  return listed.map(({ name, value, secret = false }) => {
    const field = `body.env.${name}`;
    if (names.has(name)) throw new ValidationError(field, "must be given once");
    names.add(name);
    if (value === undefined) {
      if (!secret) throw new ValidationError(field, "needs a value, unless it is a secret that has one");
      return { name, keep: true };
    }
    if (!secret) return { name, value };
    if (secrets === null)
      throw new DomainError(
        "SECRETS_NOT_CONFIGURED",
        `${name} cannot be stored as a secret: the operator has set no key for secrets (BERTH_SECRETS_KEY_FILE)`,
      );
    return { name, sealed: secrets.seal(value, placeOfSecret(containerId, name)) };
  });
}

function portsOf(ports: NonNullable<Body["ports"]>): ContainerPort[] {
  ports.forEach(({ name }, index) => {
    if (ports.findIndex((one) => one.name === name) !== index)
      throw new ValidationError(`body.ports.${index}.name`, "must be different from the others");
  });
  return ports.map(({ name, port, protocol = "http" }) => ({ name, port, protocol }));
}

function restartPolicyOf({ name, max_retries = null }: NonNullable<Body["restart_policy"]>): RestartPolicy {
  if (max_retries !== null && name !== "on-failure")
    throw new ValidationError("body.restart_policy.max_retries", "belongs to the policy on-failure");
  return { name, max_retries };
}

function healthCheckOf(asked: NonNullable<Body["health_check"]>): HealthCheck {
  const check = { ...NO_HEALTH_CHECK, ...asked };
  if (!check.enabled && check.command.length > 0)
    throw new ValidationError("body.health_check.command", "belongs to a check that is enabled");
  return check;
}

/**
 * Refuses more than the specification of the server has; what that does not say has no bound here, and the host holds the container
 * to what it has itself.
 *
 * @throws ValidationError naming the field
 */
export async function assertFits(
  db: Sql,
  serverId: string,
  resources: CreateContainer["resources"],
): Promise<void> {
  if (resources === undefined) return;
  const has = resourcesOf((await readServerSpecs(db, serverId)) ?? {});
  for (const name of RESOURCE_NAMES) {
    const [asked, most] = [resources[name] ?? 0, has[name] ?? Number.POSITIVE_INFINITY];
    if (asked > most)
      throw new ValidationError(`body.resources.${name}`, `must be at most ${most}: its server has no more`);
  }
}
