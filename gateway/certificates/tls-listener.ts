import type { Server } from "bun";
import type { AnyElysia } from "elysia";
import type { Logger } from "pino";
import { listGatewayCertificates } from "../../actors/hosting/certificate/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { placeOfKey } from "../../schemas/hosting/certificate.ts";
import {
  certificateFiles,
  endOf,
  type KeyAndChain,
  readKeyAndChain,
} from "../../system/certificate-files.ts";
import { listenFailure } from "../../system/listen-failure.ts";
import { Gauge, type Registry } from "../../system/prometheus.ts";
import type { Reconciler } from "../../system/reconciler.ts";
import type { SecretBox } from "../../system/secret-box.ts";
import type { TlsSettings } from "./settings.ts";

/** How soon a certificate that was issued or renewed is used. */
const INTERVAL_MS = 2_000;
/** RFC 6797 §6.1: a year. */
const STRICT_TRANSPORT = "max-age=31536000";

/** A certificate, and the name that a client asks for; undefined: it serves every name. */
interface Served extends KeyAndChain {
  readonly name?: string;
}

export interface TlsListenerOptions {
  readonly settings: TlsSettings;
  readonly hostname: string;
  readonly app: AnyElysia;
  readonly idleSeconds: number;
  readonly db: Sql;
  readonly secrets: SecretBox | null;
  readonly log: Logger;
  readonly registry: Registry;
}

export interface TlsListener {
  /** Brings new certificates into use. */
  readonly reconciler: Reconciler;
  stop(): Promise<void>;
}

/**
 * Serves the API by TLS too, with HTTP/2 for the clients that offer it. It begins to listen with the first certificate.
 *
 * @throws Error that names the setting when a file or the port cannot be used
 */
export function tlsListener(options: TlsListenerOptions): TlsListener {
  const { settings, hostname, app, idleSeconds, db, secrets, log, registry } = options;
  let server: Server<undefined> | undefined;
  let served: readonly Served[] = [];

  function listen(certificates: readonly Served[]): void {
    const former = server;
    // Connections that are open go on; the port is free for the new listener at once.
    void former?.stop(false);
    const at = (used: readonly Served[]) =>
      Bun.serve({
        port: settings.port,
        hostname,
        http2: true,
        development: false,
        idleTimeout: idleSeconds,
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        tls: used.map(({ name, key, chain }) => ({
          key,
          cert: chain,
          ...(name === undefined ? {} : { serverName: name }),
        })),
        async fetch(request) {
          // The framework finds the path of an address by the length of `http://`.
          Object.defineProperty(request, "url", { value: request.url.replace(/^https:/, "http:") });
          const response = await app.fetch(request);
          response.headers.set("strict-transport-security", STRICT_TRANSPORT);
          return response;
        },
      });
    try {
      server = at(certificates);
      served = certificates;
    } catch (cause) {
      if (served.length > 0) server = at(served);
      throw listenFailure("BERTH_TLS_PORT", [settings.port], cause);
    }
    log.info({ port: settings.port, names: served.map(({ name }) => name) }, "TLS is served");
  }

  async function issued(): Promise<Served[]> {
    const kept = await listGatewayCertificates(db);
    return kept.flatMap(({ name, chain, sealed_key }) => {
      const key = secrets?.open(sealed_key ?? "", placeOfKey(name)) ?? null;
      return chain === null || key === null ? [] : [{ name, key, chain }];
    });
  }

  new Gauge({
    name: "berth_certificate_expiry_timestamp_seconds",
    help: "When the certificate of the gateway that ends first does so",
    registers: [registry],
    collect() {
      const ends = served.map((certificate) => endOf(certificate).getTime());
      if (ends.length > 0) this.set(Math.min(...ends) / 1_000);
    },
  });

  new Gauge({
    name: "berth_tls_listening",
    help: "Whether the gateway has a certificate and serves TLS; without TLS there is no such gauge",
    registers: [registry],
    collect() {
      this.set(server === undefined ? 0 : 1);
    },
  });

  const { files } = settings;
  let reconciler: Reconciler;
  if (files === undefined) {
    reconciler = {
      name: "tls-certificates",
      intervalMs: INTERVAL_MS,
      async reconcile() {
        const now = await issued();
        const isSame =
          now.length === served.length && now.every(({ chain }, i) => chain === served[i]?.chain);
        if (!isSame && now.length > 0) listen(now);
      },
    };
  } else {
    const own = read(files);
    listen([own]);
    reconciler = certificateFiles({ files, current: own, replace: (next) => listen([next]), log });
  }
  return {
    reconciler,
    async stop() {
      await server?.stop(false);
    },
  };
}

function read(files: NonNullable<TlsSettings["files"]>): KeyAndChain {
  try {
    return readKeyAndChain(files);
  } catch (cause) {
    throw new Error(`BERTH_TLS_CERT, BERTH_TLS_KEY: ${(cause as Error).message}`, { cause });
  }
}
