/** Host names under which an edge serves (container services §1; control plane §2 "Proxy alias"). */

/** The services of a container that have an address of their own, with the label that stands for each in it. */
export const SERVICE_LABELS = { terminal: "terminal", pipe: "pipe", notifications: "n" } as const;
export type Service = keyof typeof SERVICE_LABELS;

export interface ServiceName {
  readonly projectId: string;
  readonly containerId: string;
  readonly service: Service;
  /** From 1. */
  readonly instance: number;
}

/** The first label of a service's host name. */
export const serviceLabel = ({ projectId, containerId, service, instance }: ServiceName): string =>
  `${projectId}-${containerId}-${SERVICE_LABELS[service]}-${instance}`;

/** What the host names of a server end with, besides the dot before it. */
export const serverDomain = (serverName: string, containerDomain: string): string =>
  `${serverName}.${containerDomain}`;

const HTTPS_PORT = 443;

/** Where a label of a server is reached from outside. */
export const edgeUrl = (
  label: string,
  { serverName, containerDomain, port }: { serverName: string; containerDomain: string; port: number },
): string =>
  `https://${label}.${serverDomain(serverName, containerDomain)}${port === HTTPS_PORT ? "" : `:${port}`}`;
