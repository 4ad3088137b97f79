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

/** Where the edges of all servers are reached. */
export interface EdgeAddress {
  readonly containerDomain: string;
  readonly httpsPort: number;
}

const HTTPS_PORT = 443;

/** Where a label of a server is reached from outside. */
export const edgeUrl = (
  label: string,
  serverName: string,
  { containerDomain, httpsPort }: EdgeAddress,
): string =>
  `https://${label}.${serverDomain(serverName, containerDomain)}${httpsPort === HTTPS_PORT ? "" : `:${httpsPort}`}`;

/** Where the services of a container are. */
export function serviceUrls(
  container: { readonly id: string; readonly project_id: string; readonly server_name: string },
  edge: EdgeAddress,
): Record<Service, string> {
  const { id: containerId, project_id: projectId, server_name } = container;
  const url = (service: Service) =>
    edgeUrl(serviceLabel({ projectId, containerId, service, instance: 1 }), server_name, edge);
  return { terminal: url("terminal"), pipe: url("pipe"), notifications: url("notifications") };
}
