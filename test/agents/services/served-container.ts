import { join } from "node:path";
import { pino } from "pino";
import type { ContainerDriver } from "../../../agents/containers/driver.ts";
import type { Images } from "../../../agents/containers/images/images.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { EndedSessionList } from "../../../agents/edge/auth/ended-sessions.ts";
import type { PacketFilter } from "../../../agents/network/nft/apply.ts";
import { HostReconciler } from "../../../agents/reconciler/reconciler.ts";
import { serve } from "../../../agents/services/serve.ts";
import type { TerminalSettings } from "../../../agents/settings.ts";
import { edgeUrl, serviceUrls } from "../../../schemas/addresses.ts";
import type { DesiredAlias, DesiredContainer, DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import { trustedProxies } from "../../../system/trusted-proxies.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { DOMAIN, SERVER, signer } from "../edge/edge-under-test.ts";
import { newId } from "../network/nft/rules.ts";

/** A host in this process, without a control plane: one container that runs, behind an edge on free ports. */
export async function servedContainer(
  driver: ContainerDriver,
  terminal: TerminalSettings = { urlArg: false },
  filter: PacketFilter | null = null,
  made: { readonly images: Images; readonly image: string } | null = null,
) {
  const data = temporaryFolder();
  const log = pino({ level: "silent" });
  const reports = new Map<string, string>();
  /** What stood in the way of the container, for whoever looks at a failed test. */
  const errors: string[] = [];
  const reconciler = new HostReconciler({
    server: SERVER,
    driver,
    filter,
    ...(made === null ? {} : { images: made.images }),
    limits: DEFAULT_LIMITS,
    data,
    reports: {
      container: (id, { state, error }) => {
        reports.set(id, state);
        if (error !== null) errors.push(error);
      },
      firewall: () => undefined,
    },
    log,
  });
  await reconciler.start();
  const aliases = new Map<string, DesiredAlias>();
  const openings: [containerId: string, userId: string, terminalId: number][] = [];
  const signs = await signer();
  const endedSessions = new EndedSessionList({ server: SERVER, file: join(data, "ended.json"), log });
  endedSessions.synced();
  const serving = await serve({
    settings: {
      httpsPort: 0,
      httpPort: 0,
      publicHttpsPort: undefined,
      hostname: "127.0.0.1",
      containerDomain: DOMAIN,
      keepLogsDays: 30,
      certificate: null,
      proxies: trustedProxies(""),
    },
    terminal,
    server: SERVER,
    data,
    present: (id) => reconciler.present(id),
    execTarget: (id) => reconciler.execTarget(id),
    endedSessions,
    isIsolated: driver.kind !== "process",
    edgeAddress: driver.addresses?.edge,
    resolveAlias: (label) => aliases.get(label),
    terminalOpened: (...opened) => void openings.push(opened),
    askForCertificates: () => Promise.reject(new Error("there is no control plane")),
    askForKeys: async () => signs.jwks,
    log,
  });
  const user = newId();
  let wanted: DesiredContainer = {
    revision: 0,
    server_name: SERVER,
    id: newId(),
    project_id: newId(),
    name: "web",
    state: "running",
    generation: 0,
    command: [],
    grants: [user],
    ...(made === null ? {} : { image: made.image }),
  };
  const { id } = wanted;
  /** Asks for a change of the container, and waits until it is so. */
  const want = async (change: Partial<DesiredContainer>) => {
    wanted = { ...wanted, ...change, revision: wanted.revision + 1 };
    reconciler.desire(`container.${id}`, wanted);
    await reconciler.settled();
    await until(() => reports.get(id) === wanted.state);
  };
  await want({});
  const address = { containerDomain: DOMAIN, httpsPort: serving.edge.httpsPort };
  return {
    id,
    user,
    edge: serving.edge,
    signer: signs,
    want,
    /** Puts rules in force. */
    async filter(firewall: Pick<DesiredFirewall, "revision" | "rules" | "closed">) {
      const desired = { ...firewall, server_name: SERVER, container_id: id, attached: true };
      reconciler.desire(`firewall.${id}`, desired);
      await reconciler.settled();
    },
    urls: serviceUrls(wanted, address),
    present: () => reconciler.present(id),
    execTarget: () => reconciler.execTarget(id),
    token: (userId = user) => signs.forContainer(userId, id),
    expose(alias: string, program: string, fields: Partial<DesiredAlias> = {}): string {
      aliases.set(alias, {
        revision: 1,
        server_name: SERVER,
        id: newId(),
        project_id: wanted.project_id,
        container_id: id,
        alias,
        program,
        port: null,
        index: 1,
        target_path: null,
        allow_path_override: true,
        expires_at: null,
        enabled: true,
        ...fields,
      });
      return edgeUrl(alias, SERVER, address);
    },
    aliases,
    errors,
    openings,
    folder: join(data, "containers", id),
    /** A request to an address of the container, wherever its name would lead. */
    request(url: string, init: RequestInit = {}): Promise<Response> {
      const { host, pathname, search } = new URL(url);
      return fetch(`https://127.0.0.1:${serving.edge.httpsPort}${pathname}${search}`, {
        redirect: "manual",
        // The pool of connections goes by address, and names are what matters here.
        keepalive: false,
        tls: { rejectUnauthorized: false },
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), host },
      } as RequestInit);
    },
    async [Symbol.asyncDispose]() {
      await want({ state: "deleted" });
      await serving.close(true);
      await reconciler.close();
      await reconciler.shutdown();
    },
  };
}

export type ServedContainer = Awaited<ReturnType<typeof servedContainer>>;
