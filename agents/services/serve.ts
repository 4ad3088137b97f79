import { join } from "node:path";
import type { Logger } from "pino";
import { serverDomain } from "../../schemas/addresses.ts";
import type { DesiredAlias } from "../../schemas/hosting/desired.ts";
import { certificateFiles, endOf, type KeyAndChain } from "../../system/certificate-files.ts";
import { listenFailure } from "../../system/listen-failure.ts";
import { ReconcilerRunner } from "../../system/reconciler.ts";
import { SettingError } from "../../system/setting-error.ts";
import { Access, type ProtectedResource } from "../edge/auth/access.ts";
import type { EndedSessionList } from "../edge/auth/ended-sessions.ts";
import { ControlPlaneKeys } from "../edge/auth/keys.ts";
import { EdgeSessions } from "../edge/auth/sessions.ts";
import { ContainerTokens } from "../edge/auth/tokens.ts";
import { Edge } from "../edge/edge.ts";
import { normaliseHost } from "../edge/names.ts";
import { type EdgeContainer, findRoute, type RouteTable } from "../edge/routes.ts";
import { type Certificate, givenCertificate, localCertificate, trusted } from "../edge/tls/certificates.ts";
import { IssuedCertificates } from "../edge/tls/issued-certificates.ts";
import { curlTrust } from "../edge/tls/pin.ts";
import type { ExecTarget } from "../exec/target.ts";
import type { RequestHead } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import type { PresentContainer } from "../reconciler/container.ts";
import type { EdgeSettings, TerminalSettings } from "../settings.ts";
import { PtyHostClient } from "../terminal/pty-host/client.ts";
import { terminalBeside } from "../web/framing.ts";
import { Services } from "./services.ts";

export interface ServeOptions {
  readonly settings: EdgeSettings;
  readonly terminal: TerminalSettings;
  readonly server: string;
  /** The agent's folder. */
  readonly data: string;
  /** A container of this host; null if there is none with this id, or it is being deleted. */
  present(id: string): PresentContainer | null;
  /** Runs programs in a container. */
  execTarget(id: string): ExecTarget | null;
  /** Whether each container is a machine of its own. */
  readonly isIsolated: boolean;
  /** The host's address that containers' firewalls allow; undefined if containers have no addresses of their own. */
  readonly edgeAddress?: string | undefined;
  resolveAlias(label: string): DesiredAlias | undefined;
  resolveDomain?(name: string): DesiredAlias | undefined;
  readonly endedSessions: EndedSessionList;
  /** Called when a user has opened a terminal in a container. */
  terminalOpened(containerId: string, userId: string, terminalId: number): void;
  /** Requests the control plane's JWKS; rejects while it cannot be reached. */
  askForKeys(): Promise<string>;
  /** Requests certificates of this host's names; rejects while the control plane cannot be reached. */
  askForCertificates(query: string): Promise<string>;
  readonly log: Logger;
}

export interface Serving {
  /** Reads the control plane's keys now that it can be reached. */
  refreshKeys(): void;
  readonly edge: Edge;
  /** When the certificate of the edge ends. */
  readonly certificateEnd: Date;
  /** @param isEnd whether terminals end too; otherwise the next agent adopts them */
  close(isEnd: boolean): Promise<void>;
}

/**
 * Starts the edge of this host, and behind it the services of its containers.
 *
 * @throws SettingError when a port cannot be opened or a certificate cannot be read
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { settings, server, data, present, resolveAlias, log } = options;
  const folder = join(data, "edge");
  const table: RouteTable = {
    serverName: server,
    containerDomain: settings.containerDomain,
    resolveAlias,
    ...(options.resolveDomain === undefined ? {} : { resolveDomain: options.resolveDomain }),
    container: (id) => edgeContainer(present(id), options.edgeAddress),
  };
  let edge: Edge | undefined;
  const issued = new IssuedCertificates({
    folder: join(folder, "certificates"),
    wildcard:
      settings.certificate === null ? `*.${serverDomain(server, settings.containerDomain)}` : undefined,
    isNameHere: (name) => findRoute(name, table) !== undefined,
    ask: (query) => options.askForCertificates(query),
    onWildcard: (next) => replaceCertificate(next),
    log,
  });
  let certificate =
    issued.wildcard === undefined
      ? await certificateOf(settings, join(folder, "tls"), server, log)
      : trusted(issued.wildcard);
  const replaceCertificate = (next: KeyAndChain) => {
    edge?.replaceCertificate(trusted(next));
    certificate = trusted(next);
  };
  const keys = new ControlPlaneKeys(options.askForKeys, join(folder, "jwks.json"));
  const access = new Access(
    new ContainerTokens(keys),
    EdgeSessions.open(join(folder, "session.key")),
    options.endedSessions,
    table.container,
  );
  const pipeOf = (containerId: string, { headers }: RequestHead): ProtectedResource | undefined => {
    const host = normaliseHost(headers.get("host") ?? "");
    if (host === undefined) return undefined;
    const address = `${host.name}${host.port}`;
    const project = present(containerId)?.desired.project_id;
    const terminal = terminalBeside(address, project && `${project}-${containerId}`);
    return {
      containerId,
      service: "pipe",
      name: host.name,
      origin: `https://${address}`,
      terminal,
      exists: true,
    };
  };
  const ptyHost = new PtyHostClient(
    join(data, "pty-host"),
    (message, error) => log.warn({ err: error }, message),
    { isForContainers: options.edgeAddress !== undefined },
  );
  const services = new Services({
    present,
    ptyHost,
    terminal: options.terminal,
    execTarget: (id) => options.execTarget(id),
    authorizePipe: (containerId, request) => authorizePipe(access, request, pipeOf(containerId, request)),
    sharePipe: async (containerId, request, path) => {
      const resource = pipeOf(containerId, request);
      return resource === undefined ? undefined : access.share(request, resource, path);
    },
    get curlTrust() {
      return curlTrust(certificate);
    },
    isPipeOf: (containerId, name) => {
      const route = findRoute(name, table);
      return route?.containerId === containerId && route.to.kind === "service" && route.to.service === "pipe";
    },
    isIsolated: options.isIsolated,
    terminalOpened: (...opened) => options.terminalOpened(...opened),
    data: join(folder, "services"),
    log,
  });
  // Before the edge listens, so that no page reconnects too early.
  await services.adopt();
  const listening = open(
    settings,
    () =>
      new Edge({
        ...table,
        ...settings,
        services,
        access,
        certificate,
        issued,
        challengeAnswer: (token) => issued.answerTo(token),
        logs: join(folder, "logs"),
        log,
      }),
  );
  edge = listening;
  keys.start();
  log.info(
    { https: listening.httpsPort, http: listening.httpPort, authority: certificate.authorityFile },
    "the edge listens",
  );
  const reconcilers = new ReconcilerRunner({ log });
  if (settings.certificate !== null)
    reconcilers.start(
      certificateFiles({
        files: settings.certificate,
        current: certificate,
        replace: replaceCertificate,
        log,
      }),
    );
  reconcilers.start(issued.reconciler());
  return {
    edge: listening,
    get certificateEnd() {
      return endOf(certificate);
    },
    refreshKeys: () => keys.start(),
    async close(isEnd) {
      reconcilers.stop();
      keys.close();
      listening.close();
      services.close();
      if (isEnd) await ptyHost.endAll();
      ptyHost.close();
    },
  };
}

const edgeContainer = (
  present: PresentContainer | null,
  edgeAddress: string | undefined,
): EdgeContainer | undefined =>
  present === null
    ? undefined
    : {
        projectId: present.desired.project_id,
        address: present.spec.address,
        edgeAddress,
        grants: present.desired.grants ?? [],
        limitedGrants: present.desired.limited_grants,
      };

/** Authorizes a request on a connection that was given to a pipe: later requests on it must be authorized too. */
async function authorizePipe(
  access: Access,
  request: RequestHead,
  resource: ProtectedResource | undefined,
): Promise<void> {
  if (resource === undefined) throw new Refusal(400, "A request has exactly one Host.");
  const verdict = await access.check(request, resource);
  if (verdict.kind === "enter") return;
  const { status, fields } = verdict.answer;
  const { Location, "Set-Cookie": cookie } = fields;
  const headers = { ...(Location ? { Location } : {}), ...(cookie ? { "Set-Cookie": cookie } : {}) };
  throw new Refusal(
    status,
    "This pipe is for people with access to its container. `POST /api/v1/containers/{id}/access` of the API makes a token for it.",
    headers,
  );
}

async function certificateOf(
  { certificate, containerDomain }: EdgeSettings,
  folder: string,
  server: string,
  log: Logger,
): Promise<Certificate> {
  if (certificate === null)
    return localCertificate(folder, serverDomain(server, containerDomain), (line) => log.warn(line));
  try {
    return givenCertificate(certificate.cert, certificate.key);
  } catch (cause) {
    throw new SettingError(`BERTH_EDGE_CERT, BERTH_EDGE_KEY: ${(cause as Error).message}`, { cause });
  }
}

function open({ httpsPort, httpPort }: EdgeSettings, listen: () => Edge): Edge {
  try {
    return listen();
  } catch (cause) {
    throw listenFailure("BERTH_EDGE_PORT, BERTH_EDGE_HTTP_PORT", [httpsPort, httpPort], cause);
  }
}
