import type { Container, UpdateContainer } from "../index.ts";
import { compareSecrets, SECRETS_LABEL } from "./secrets.ts";
import type { WantedContainer } from "./service.ts";

/** What has to change in a container that is there, so that it is as its file says. */

/** A change of these needs a new container. Undefined: none has changed. */
export function reasonToReplace(
  present: Container,
  wanted: Pick<WantedContainer, "image"> & { readonly serverId: string | undefined },
  catalogueId: string | undefined,
): string | undefined {
  if (present.server_id !== wanted.serverId) return "it moves to another server";
  const now = present.image?.reference ?? "none";
  const same =
    catalogueId !== undefined
      ? present.image_id === catalogueId
      : wanted.image === null
        ? present.image === null
        : present.image !== null && referencesOf(wanted.image).includes(now);
  return same ? undefined : `image ${now} becomes ${wanted.image ?? "none"}`;
}

/** The whole forms that a short reference may have. */
function referencesOf(image: string): string[] {
  const tagged = /[:@]/.test(image.slice(image.lastIndexOf("/") + 1)) ? image : `${image}:latest`;
  return [tagged, `docker.io/${tagged}`, `docker.io/library/${tagged}`];
}

/** The fields of a change, without those that are as they should be. @param withSecrets send all values of secrets */
export function changesOf(
  present: Container,
  wanted: WantedContainer,
  withSecrets: boolean,
): UpdateContainer {
  const now = comparable(present);
  const settings = Object.entries({
    ...wanted.settings,
    labels: labelsOf(present, wanted, withSecrets),
  }).filter(([key, value]) => canonical(value) !== canonical(now[key as keyof typeof now]));
  const env = changedEnv(present, wanted, withSecrets || compareSecrets(present, wanted) === "changed");
  return { ...(Object.fromEntries(settings) as UpdateContainer), ...(env === undefined ? {} : { env }) };
}

/** Of secrets that are not sent, the label stays. */
function labelsOf(present: Container, wanted: WantedContainer, withSecrets: boolean) {
  const { [SECRETS_LABEL]: mark, ...labels } = wanted.settings.labels;
  const isSent = withSecrets || compareSecrets(present, wanted) !== "unknown";
  const kept = isSent ? mark : present.labels[SECRETS_LABEL];
  return { ...labels, ...(kept === undefined ? {} : { [SECRETS_LABEL]: kept }) };
}

/** What a person reads of a change: labels of their own, and not that of secrets. */
export function fieldNamesOf(present: Container, { labels, env, ...others }: UpdateContainer): string[] {
  const plain = ({ [SECRETS_LABEL]: _mark, ...rest }: Readonly<Record<string, string>>) => canonical(rest);
  const isOwn = labels !== undefined && plain(labels) !== plain(present.labels);
  return [...Object.keys(others), ...(isOwn ? ["labels"] : []), ...(env === undefined ? [] : ["env"])];
}

const comparable = (present: Container) => ({
  command: present.command,
  args: present.args,
  labels: present.labels,
  ports: present.ports,
  resources: {
    cpu_cores: present.resources.cpu_cores,
    memory_bytes: present.resources.memory_bytes,
    disk_bytes: present.resources.disk_bytes,
    bandwidth_mbps: present.resources.bandwidth_mbps ?? null,
  },
  restart_policy: present.restart_policy,
  stop_grace_seconds: present.stop_grace_seconds,
  stop_signal: present.stop_signal,
  health_check: present.health_check,
});

/** The value of a secret cannot be read, so one that is there counts as the same unless secrets are sent again. */
function changedEnv(present: Container, { env }: WantedContainer, withSecrets: boolean) {
  const kept = new Set(present.env.filter(({ secret }) => secret === true).map(({ name }) => name));
  const shown = ({
    name,
    value,
    secret,
  }: {
    name: string;
    value?: string | undefined;
    secret?: boolean | undefined;
  }) => [name, secret === true ? null : (value ?? ""), secret === true] as const;
  const sorted = (rows: readonly (readonly [string, string | null, boolean])[]) =>
    canonical([...rows].sort(([one], [other]) => (one < other ? -1 : 1)));
  const isSame = sorted(env.map(shown)) === sorted(present.env.map(shown));
  if (isSame && !(withSecrets && env.some(({ secret }) => secret))) return undefined;
  return env.map(({ name, value, secret }) =>
    secret && kept.has(name) && !withSecrets ? { name, secret } : { name, value, secret },
  );
}

export const areSameVolumes = (one: Container["volumes"], other: Container["volumes"]): boolean =>
  canonical(byPath(one)) === canonical(byPath(other));

const byPath = (volumes: Container["volumes"]) =>
  [...volumes].sort((one, other) => (one.path < other.path ? -1 : 1));

/** JSON with its keys in order, and null for what is left out. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(
          Object.entries(one)
            .filter(([, inner]) => inner !== undefined)
            .sort(([first], [second]) => (first < second ? -1 : 1)),
        )
      : one,
  );
}
