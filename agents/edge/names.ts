import { SERVICE_LABELS, type Service, type ServiceName } from "../../schemas/addresses.ts";

/** The meaning of a host name: a service of a container, or an alias. */
export type Name =
  | ({ readonly kind: "service" } & ServiceName)
  | { readonly kind: "alias"; readonly label: string };

/** A normalised host. The port is empty, or begins with a colon. */
export interface Host {
  readonly name: string;
  readonly port: string;
}

const HOST = /^([a-z0-9.-]{1,255}?)\.?(:\d{1,5})?$/;
const SERVICE = /^([0-9a-f]{24})-([0-9a-f]{24})-([a-z]+)-([1-9]\d{0,3})$/;
/** The shortest label of that form. */
const SERVICE_CHARS_MIN = 53;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SERVICES = new Map<string, Service>(
  Object.entries(SERVICE_LABELS).map(([service, label]) => [label, service as Service]),
);

/** Normalises a Host field: lower case, without the dot at the end. Undefined when the field is not a host name. */
export function normaliseHost(host: string): Host | undefined {
  const [, name, port = ""] = HOST.exec(host.toLowerCase()) ?? [];
  return name === undefined ? undefined : { name, port };
}

/**
 * Reads the requested name, `<label>.<domain>`. Undefined for all other names, which are not of this host.
 * @param name normalised
 * @param domain the domain of this server: `<server>.<container_domain>`
 */
export function readName(name: string, domain: string): Name | undefined {
  const labelEnd = name.length - domain.length - 1;
  if (!name.endsWith(domain) || name[labelEnd] !== ".") return undefined;
  const label = name.slice(0, labelEnd);
  const [, projectId, containerId, of, instance] =
    label.length < SERVICE_CHARS_MIN ? [] : (SERVICE.exec(label) ?? []);
  const service = SERVICES.get(of ?? "");
  if (projectId !== undefined && containerId !== undefined && service !== undefined) {
    return { kind: "service", projectId, containerId, service, instance: Number(instance) };
  }
  return LABEL.test(label) ? { kind: "alias", label } : undefined;
}
