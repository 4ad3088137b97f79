import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import { serverDomain } from "../../../schemas/addresses.ts";
import { placeOfAccountKey, placeOfKey } from "../../../schemas/hosting/certificate.ts";
import { Backoff } from "../../../system/backoff.ts";
import { Gauge, type Registry } from "../../../system/prometheus.ts";
import type { SecretBox } from "../../../system/secret-box.ts";
import type { AcmeSettings } from "../../platform/acme-settings.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import { type Authority, newAccountKey, openAuthority, type Proof } from "./acme.ts";
import { dnsHook } from "./dns-hook.ts";
import {
  countCertificates,
  type DueCertificate,
  hasDue,
  listDue,
  listHostsInUse,
  listKept,
} from "./queries.ts";
import { idOf } from "./rules.ts";

/** A client may be waiting for the certificate of its name. */
const INTERVAL_MS = 1_000;
/** Names of the settings and of hosts are compared less often, whether or not a certificate is to be renewed. */
const COMPARISON_MS = 5_000;
/** Orders that an actor host has in progress. */
const ORDERS_MAX = 4;
/** Between attempts to reach the authority. */
const CONNECT_FIRST_MS = 1_000;
const CONNECT_MS_MAX = 5 * 60_000;
/** Read at once; most may belong to other actor hosts. */
const DUE_MAX = 200;

export interface CertificatesOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  readonly registry: Registry;
  readonly settings: AcmeSettings;
  readonly secrets: SecretBox;
  readonly containerDomain: string;
  owns(kind: string, id: string): boolean;
}

/**
 * Orders and renews certificates. Those of a partition are ordered by its owner: the lease of the partition is that of the order.
 */
export function certificateReconciler(options: CertificatesOptions): DueReconciler {
  const { db, actors, log, settings, secrets, containerDomain, owns } = options;
  const measure = gauges(options.registry);
  const inProgress = new Set<string>();
  let authority: Authority | undefined;
  const backoff = new Backoff(CONNECT_FIRST_MS, CONNECT_MS_MAX);
  let connectAt = 0;
  let compareAt = 0;

  async function connect(): Promise<Authority> {
    const { directoryUrl, email, rootFile } = settings;
    const place = placeOfAccountKey(directoryUrl);
    const { value } = await actors
      .acme_account(idOf(directoryUrl))
      .create({ directory_url: directoryUrl, sealed_key: secrets.seal(await newAccountKey(), place) });
    const key = secrets.open(value.sealed_key, place);
    if (key === null)
      throw new Error("the key of the ACME account was encrypted with another key of secrets");
    const root = rootFile === undefined ? undefined : readFileSync(rootFile, "utf8");
    return openAuthority({ directoryUrl, email, root }, key);
  }

  /** An authority that does not answer is no failure of a name: it is asked again, and the round fails. */
  async function connected(): Promise<Authority | undefined> {
    if (authority !== undefined || performance.now() < connectAt) return authority;
    connectAt = performance.now() + backoff.next();
    try {
      authority = await connect();
    } catch (error) {
      log.error({ err: error, url: settings.directoryUrl }, (error as Error).message);
      measure.reached(false);
      throw error;
    }
    measure.reached(true);
    return authority;
  }

  const proofOf = ({ id, name }: DueCertificate): Proof => {
    if (name.startsWith("*.")) {
      if (settings.dnsHook === undefined) throw new Error("a name with * needs BERTH_ACME_DNS_HOOK");
      return dnsHook(settings.dnsHook);
    }
    return {
      type: "http-01",
      publish: async (challenge) => void (await actors.certificate(id).record_challenge({ challenge })),
      withdraw: async () => void (await actors.certificate(id).record_challenge({ challenge: null })),
    };
  };

  async function order(from: Authority, due: DueCertificate): Promise<void> {
    const { id, name } = due;
    try {
      const { chain, key, notBefore, notAfter } = await from.order(name, proofOf(due));
      await actors.certificate(id).record_issued({
        chain,
        sealed_key: secrets.seal(key, placeOfKey(name)),
        not_before: notBefore.toISOString(),
        not_after: notAfter.toISOString(),
      });
      log.info({ name, end: notAfter }, "a certificate was issued");
    } catch (error) {
      log.error({ err: error, name, end: due.not_after }, "a certificate was not issued; it is tried again");
      await actors.certificate(id).record_failure({ error: (error as Error).message });
    }
  }

  /** Orders certificates for the names of the API, and for all names of each host if the operator has a hook for DNS. */
  async function compare(): Promise<void> {
    const hosts = settings.dnsHook === undefined ? [] : await listHostsInUse(db);
    const names = [
      ...settings.names.map((name) => ({ name, purpose: "gateway" as const })),
      ...hosts.map((host) => ({
        name: `*.${serverDomain(host, containerDomain)}`,
        purpose: "edge" as const,
      })),
    ];
    const kept = await listKept(
      db,
      names.map(({ name }) => idOf(name)),
    );
    for (const { name, purpose } of names) {
      const id = idOf(name);
      if (!kept.has(id) && owns("certificate", id))
        await actors.certificate(id).want({ name, purpose, user_id: null });
    }
    measure.counted(await countCertificates(db));
  }

  return {
    name: "certificates",
    intervalMs: INTERVAL_MS,
    backstopMs: COMPARISON_MS,
    isDue: (look) => hasDue(look, new Date()),
    async reconcile() {
      if (performance.now() >= compareAt) {
        compareAt = performance.now() + COMPARISON_MS - INTERVAL_MS;
        await compare();
      }
      const own = (await listDue(db, new Date(), DUE_MAX)).filter(({ id }) => owns("certificate", id));
      const from = own.length === 0 ? undefined : await connected();
      if (from === undefined) return;
      for (const due of own) {
        if (inProgress.size >= ORDERS_MAX) break;
        if (inProgress.has(due.id)) continue;
        inProgress.add(due.id);
        // An order takes seconds, or minutes by DNS: the others do not wait for it.
        void order(from, due)
          .catch((error) => log.warn({ err: error, name: due.name }, "the end of an order was not recorded"))
          .finally(() => inProgress.delete(due.id));
      }
    },
  };
}

interface Gauges {
  counted(counts: Awaited<ReturnType<typeof countCertificates>>): void;
  reached(isUp: boolean): void;
}

function gauges(registry: Registry): Gauges {
  const count = new Gauge({
    name: "berth_acme_certificates",
    help: "Certificates from the ACME authority, by state, of the whole cluster: `failing` ones were not issued or renewed when they should",
    labelNames: ["state"],
    registers: [registry],
  });
  const end = new Gauge({
    name: "berth_acme_first_expiry_timestamp_seconds",
    help: "When the first certificate from the ACME authority ends, of the whole cluster",
    registers: [registry],
  });
  const up = new Gauge({
    name: "berth_acme_authority_up",
    help: "1: the ACME authority took this actor host's account, or has not been asked yet; 0: it does not answer, or refuses",
    registers: [registry],
  });
  up.set(1);
  return {
    counted({ issued, pending, failing, firstEnd }) {
      count.set({ state: "issued" }, issued);
      count.set({ state: "pending" }, pending);
      count.set({ state: "failing" }, failing);
      if (firstEnd !== null) end.set(firstEnd.getTime() / 1_000);
    },
    reached: (isUp) => up.set(isUp ? 1 : 0),
  };
}
