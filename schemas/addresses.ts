/** Host names under which an edge serves (container services §1; control plane §2 "Proxy alias"). */

/** The services of a container with an address of their own, and the label of each in that address. */
export const SERVICE_LABELS = { terminal: "terminal", pipe: "pipe", notifications: "n" } as const;
export type Service = keyof typeof SERVICE_LABELS;

export interface ServiceName {
  readonly projectId: string;
  readonly containerId: string;
  readonly service: Service;
  /** Counted from 1. */
  readonly instance: number;
}

/** The first label of a service's host name. */
export const serviceLabel = ({ projectId, containerId, service, instance }: ServiceName): string =>
  `${projectId}-${containerId}-${SERVICE_LABELS[service]}-${instance}`;

/** The suffix of all host names of a server, without its leading dot. */
export const serverDomain = (serverName: string, containerDomain: string): string =>
  `${serverName}.${containerDomain}`;

/** The domain and port under which clients reach the edges of all servers. */
export interface EdgeAddress {
  readonly containerDomain: string;
  readonly httpsPort: number;
}

const HTTPS_PORT = 443;

/** The public URL of a label in a server's domain. */
export const edgeUrl = (
  label: string,
  serverName: string,
  { containerDomain, httpsPort }: EdgeAddress,
): string =>
  `https://${label}.${serverDomain(serverName, containerDomain)}${httpsPort === HTTPS_PORT ? "" : `:${httpsPort}`}`;

/** The URLs of a container's services. */
export function serviceUrls(
  container: { readonly id: string; readonly project_id: string; readonly server_name: string },
  edge: EdgeAddress,
): Record<Service, string> {
  const { id: containerId, project_id: projectId, server_name } = container;
  const url = (service: Service) =>
    edgeUrl(serviceLabel({ projectId, containerId, service, instance: 1 }), server_name, edge);
  return { terminal: url("terminal"), pipe: url("pipe"), notifications: url("notifications") };
}
