import { createHash, randomBytes } from "node:crypto";
import {
  type JoinedHost,
  listEndedAccounts,
  listJoinedHosts,
  readEnrolment,
  readJoinedHost,
} from "../../actors/hosting/host/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import type { ActorsFor } from "../../actors/senders.ts";
import { DomainError } from "../../schemas/errors.ts";
import {
  ENROLMENT_TOKEN,
  type EnrolHost,
  type HostCredential,
  invalidEnrolment,
} from "../../schemas/hosting/host.ts";
import type { HostAccounts } from "./nats-accounts.ts";

const SECRET_BYTES = 32;

/** What an agent is told besides its credential. */
export interface AgentAddresses {
  /** Where hosts reach NATS. */
  readonly natsUrl: string;
  readonly containerDomain: string;
}

/** How machines join, and how their credentials are renewed and end. */
export interface Enrolments {
  /** A one-time token for a host, and the hash under which its actor knows it. */
  newToken(hostId: string): { token: string; hash: string };
  /** A machine joins by its token. @throws ENROLMENT_INVALID, ENROLMENT_UNAVAILABLE */
  enrol(asked: EnrolHost): Promise<HostCredential>;
  /** A new credential of the host of this name; undefined if it has not joined by a token. */
  renew(serverName: string): Promise<string | undefined>;
  /** Brings NATS to the records: accounts of joined hosts exist, those of removed hosts are refused. */
  sync(): Promise<void>;
}

/** @param accounts undefined where the users of NATS are kept by hand */
export function enrolments(
  db: Sql,
  actors: Pick<ActorsFor<"gateway">, "host">,
  accounts: HostAccounts | undefined,
  addresses: AgentAddresses,
): Enrolments {
  async function sync(): Promise<void> {
    if (accounts === undefined) return;
    for (const { id, accounts: ended } of await listEndedAccounts(db)) {
      for (const account of ended) {
        await accounts.revoke(account);
        await actors.host(id).record_ended_account({ account });
      }
    }
    await accounts.publish(await listJoinedHosts(db));
  }

  return {
    newToken(hostId) {
      const token = `${hostId}.${randomBytes(SECRET_BYTES).toString("base64url")}`;
      return { token, hash: hashOf(token) };
    },

    async enrol({ token, public_key, facts, expected_name }) {
      if (accounts === undefined) throw unavailable();
      const [, hostId = ""] = ENROLMENT_TOKEN.exec(token) ?? [];
      const known = await readEnrolment(db, hostId);
      if (known?.enrolment?.token_hash !== hashOf(token)) throw invalidEnrolment();
      if (expected_name !== undefined && expected_name !== known.name)
        throw new DomainError(
          "ENROLMENT_INVALID",
          `The token is for the host ${known.name}, not for ${expected_name}`,
          {
            host: known.name,
          },
        );
      const account = accounts.newAccount();
      await actors.host(hostId).enrol({ token_hash: hashOf(token), account, public_key, facts });
      await sync();
      const host: JoinedHost = { id: hostId, name: known.name, account, public_key };
      return {
        server_name: known.name,
        nats_url: addresses.natsUrl,
        jwt: await accounts.credentialFor(host),
        container_domain: addresses.containerDomain,
      };
    },

    async renew(serverName) {
      const host = await readJoinedHost(db, serverName);
      return host === undefined ? undefined : accounts?.credentialFor(host);
    },

    sync,
  };
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

const unavailable = () =>
  new DomainError(
    "ENROLMENT_UNAVAILABLE",
    "The NATS users of this installation are kept by hand: give the host an account there (docs/operations.md, NATS)",
  );
