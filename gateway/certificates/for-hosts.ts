import { createHash } from "node:crypto";
import { readOwnerOfLabel } from "../../actors/hosting/alias/queries.ts";
import {
  countNewNames,
  type KeptCertificate,
  readCertificates,
  readKeyAuthorization,
} from "../../actors/hosting/certificate/queries.ts";
import { readOwnerOfDomain } from "../../actors/hosting/domain/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import type { ActorsFor } from "../../actors/senders.ts";
import { serverDomain } from "../../schemas/addresses.ts";
import {
  HOST_QUERY_LENGTH_MAX,
  type HostCertificate,
  HostCertificatesQuery,
  type HostCertificatesReply,
  placeOfKey,
} from "../../schemas/hosting/certificate.ts";
import { ID_LENGTH } from "../../schemas/primitives.ts";
import { storableJsonOf } from "../../schemas/received.ts";
import type { SecretBox } from "../../system/secret-box.ts";

export const readHostCertificatesQuery = storableJsonOf(HostCertificatesQuery, HOST_QUERY_LENGTH_MAX);

/** New names in an hour. Public authorities take 300 new orders in three hours. */
const NEW_NAMES_PER_USER = 10;
const NEW_NAMES = 60;

export interface HostCertificatesOptions {
  readonly db: Sql;
  readonly actors: Pick<ActorsFor<"gateway">, "certificate">;
  readonly secrets: SecretBox | null;
  readonly containerDomain: string;
  /** Whether the operator has chosen an ACME authority. */
  readonly isOn: boolean;
}

/**
 * Replies to a host with the certificates of its own names, and with the answers to challenges for these. A name that a client waits
 * for gets its certificate ordered, if it leads to the host and its owner has not added too many names of late.
 */
export function hostCertificates(options: HostCertificatesOptions) {
  const { db, actors, secrets, containerDomain, isOn } = options;

  /** Who may have a certificate for a single name of this host; undefined: nobody. */
  async function ownerOf(serverName: string, name: string): Promise<string | undefined> {
    const suffix = `.${serverDomain(serverName, containerDomain)}`;
    if (!name.endsWith(suffix)) return readOwnerOfDomain(db, serverName, name);
    return readOwnerOfLabel(db, serverName, name.slice(0, -suffix.length));
  }

  async function order(name: string, userId: string): Promise<boolean> {
    const { own, all } = await countNewNames(db, userId);
    if (own >= NEW_NAMES_PER_USER || all >= NEW_NAMES) return false;
    const id = createHash("sha256").update(name).digest("hex").slice(0, ID_LENGTH);
    await actors.certificate(id).want({ name, purpose: "name", user_id: userId });
    return true;
  }

  async function certificate(
    serverName: string,
    { name, have, wanted }: HostCertificatesQuery["names"][number],
    kept: ReadonlyMap<string, KeptCertificate>,
  ): Promise<HostCertificate> {
    const wildcard = `*.${serverDomain(serverName, containerDomain)}`;
    const found = kept.get(name);
    const owner = name === wildcard ? "" : await ownerOf(serverName, name);
    if (owner === undefined) return { name, state: "none" };
    if (found === undefined) {
      // One certificate for all names of the host is about to serve this one too.
      const isCovered = name.endsWith(wildcard.slice(1)) && kept.has(wildcard);
      const isOrdered = wanted && isOn && name !== wildcard && !isCovered && (await order(name, owner));
      return { name, state: isOrdered ? "pending" : "none" };
    }
    const { chain, sealed_key } = found;
    if (chain === null || sealed_key === null)
      return { name, state: found.error === null ? "pending" : "none" };
    if (createHash("sha256").update(chain).digest("hex") === have) return { name, state: "unchanged" };
    const key = secrets?.open(sealed_key, placeOfKey(name)) ?? null;
    return key === null ? { name, state: "none" } : { name, state: "issued", chain, key };
  }

  return async (
    serverName: string,
    { names, token }: HostCertificatesQuery,
  ): Promise<HostCertificatesReply> => {
    const wildcard = `*.${serverDomain(serverName, containerDomain)}`;
    const rows =
      names.length === 0 ? [] : await readCertificates(db, [...names.map(({ name }) => name), wildcard]);
    const kept = new Map(rows.map((row) => [row.name, row]));
    return {
      is_on: isOn,
      certificates: await Promise.all(names.map((asked) => certificate(serverName, asked, kept))),
      key_authorization: token === null ? null : ((await readKeyAuthorization(db, token)) ?? null),
    };
  };
}
