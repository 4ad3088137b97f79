import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { pino } from "pino";
import { Access } from "../../../agents/edge/auth/access.ts";
import { EndedSessionList } from "../../../agents/edge/auth/ended-sessions.ts";
import { ControlPlaneKeys } from "../../../agents/edge/auth/keys.ts";
import { EdgeSessions } from "../../../agents/edge/auth/sessions.ts";
import { ContainerTokens } from "../../../agents/edge/auth/tokens.ts";
import { Edge, type EdgeOptions } from "../../../agents/edge/edge.ts";
import type { EdgeServices } from "../../../agents/edge/router.ts";
import type { EdgeContainer } from "../../../agents/edge/routes.ts";
import { localCertificate } from "../../../agents/edge/tls/certificates.ts";
import { EDGE_SESSION_SECONDS } from "../../../schemas/accounts/auth.ts";
import { serverDomain } from "../../../schemas/addresses.ts";
import type { DesiredAlias } from "../../../schemas/hosting/desired.ts";
import { trustedProxies } from "../../../system/trusted-proxies.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { newId } from "../network/nft/rules.ts";
import { RawClient } from "../pipe/raw-client.ts";

export const SERVER = "node-1";
export const DOMAIN = "berth.localhost";
export const HOSTS = serverDomain(SERVER, DOMAIN);

interface SignOptions {
  readonly typ?: string;
  readonly audience?: string;
  readonly seconds?: number;
  /** In place of those of a container's token. */
  readonly claims?: Record<string, unknown>;
}

/** What a control plane signs, and an edge believes. */
export async function signer() {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
  const jwks = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "EdDSA", use: "sig" }],
  });
  const sign = (claims: Record<string, unknown>, options: SignOptions = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    const seconds = options.seconds ?? 300;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "EdDSA", typ: options.typ ?? "at+jwt", kid: "k1" })
      .setIssuer("berth")
      .setAudience(options.audience ?? "berth-api")
      .setIssuedAt(Math.min(now, now + seconds - 300))
      .setExpirationTime(now + seconds)
      .sign(privateKey);
  };
  return {
    jwks,
    sign,
    access: (userId: string, options?: Parameters<typeof sign>[1]) =>
      sign({ sub: userId, sid: newId(), role: "user", username: "somebody" }, options),
    forContainer: (userId: string, containerId: string, options: SignOptions = {}) =>
      sign(
        {
          sub: userId,
          sid: newId(),
          container_id: containerId,
          session_exp: Math.floor(Date.now() / 1_000) + EDGE_SESSION_SECONDS,
          ...options.claims,
        },
        { typ: "container+jwt", audience: "berth-container", ...options },
      ),
  };
}

export type Signer = Awaited<ReturnType<typeof signer>>;

const NO_SERVICES: EdgeServices = {
  open: () => ({
    kind: "absent",
    status: 404,
    code: "PROGRAM_NOT_FOUND",
    message: "There is no such program.",
  }),
  isOpen: () => false,
  shape: (_service, _request, answer) => answer,
};

/** Of all edges of a process: making one takes longer than all else of an edge. */
let made: { folder: string; certificate: ReturnType<typeof localCertificate> } | undefined;
const certificateOfTests = () => {
  if (made === undefined) {
    const folder = join(temporaryFolder(), "tls");
    made = { folder, certificate: localCertificate(folder, HOSTS) };
  }
  return made;
};

/** An edge on free ports, whose table is the test's. */
export async function startEdge(
  options: Partial<EdgeOptions> & { services?: EdgeServices; signer?: Signer; isSynced?: boolean } = {},
) {
  const folder = temporaryFolder();
  const { folder: certificateFolder, certificate } = certificateOfTests();
  const aliases = new Map<string, DesiredAlias>();
  const containers = new Map<string, EdgeContainer>();
  const signs = options.signer ?? (await signer());
  const keys = new ControlPlaneKeys(async () => signs.jwks, join(folder, "jwks.json"));
  keys.start();
  await until(() => keys.current !== undefined);
  const ended = new EndedSessionList({
    server: SERVER,
    file: join(folder, "ended.json"),
    log: pino({ level: "silent" }),
  });
  if (options.isSynced !== false) ended.synced();
  const edge = new Edge({
    serverName: SERVER,
    containerDomain: DOMAIN,
    hostname: "127.0.0.1",
    httpsPort: 0,
    httpPort: 0,
    resolveAlias: (label) => aliases.get(label),
    container: (id) => containers.get(id),
    services: NO_SERVICES,
    access: new Access(
      new ContainerTokens(keys),
      EdgeSessions.open(join(folder, "session.key")),
      ended,
      (id) => containers.get(id),
    ),
    certificate: await certificate,
    logs: join(folder, "logs"),
    keepLogsDays: 30,
    log: pino({ level: "silent" }),
    proxies: trustedProxies(""),
    ...options,
  });
  const container = (fields: Partial<EdgeContainer> = {}): string => {
    const id = newId();
    containers.set(id, { projectId: newId(), address: "127.0.0.1", grants: [], ...fields });
    return id;
  };
  const shared = container();
  return {
    edge,
    aliases,
    containers,
    ended,
    /** Tells the edge that a session has ended, as the control plane does. */
    endSession: (userId: string, id: string) =>
      ended.add({
        server_name: SERVER,
        user_id: userId,
        sessions: [{ id, ended_at: new Date().toISOString() }],
        refused_before: null,
      }),
    signer: signs,
    folder,
    /** Where its certificate and authority are. */
    certificateFolder,
    container,
    /** Gives a name to a port. */
    expose(alias: string, port: number | null, fields: Partial<DesiredAlias> = {}): string {
      aliases.set(alias, {
        revision: 1,
        server_name: SERVER,
        id: newId(),
        project_id: newId(),
        container_id: shared,
        alias,
        program: "http",
        port,
        index: 1,
        target_path: null,
        allow_path_override: true,
        expires_at: null,
        enabled: true,
        ...fields,
      });
      return `${alias}.${HOSTS}`;
    },
    /** A client of the plain listener. */
    raw: () => RawClient.connect(edge.httpPort),
    /** One request over TLS, with any Host. */
    request(path: string, host: string, init: RequestInit = {}): Promise<Response> {
      return fetch(`https://127.0.0.1:${edge.httpsPort}${path}`, {
        redirect: "manual",
        // The pool of connections goes by address, and names are what matters here.
        keepalive: false,
        tls: { rejectUnauthorized: false },
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), host: `${host}:${edge.httpsPort}` },
      } as RequestInit);
    },
    async [Symbol.asyncDispose]() {
      edge.close();
      keys.close();
    },
  };
}

export type EdgeUnderTest = Awaited<ReturnType<typeof startEdge>>;
