import type { Logger } from "pino";
import type { Sql } from "../actors/platform/db/sql.ts";
import type { CodehostBonus, FirewallLimits } from "../actors/platform/settings.ts";
import type { ActorsFor } from "../actors/senders.ts";
import type { Quotas } from "../schemas/accounts/quota.ts";
import type { EdgeAddress } from "../schemas/addresses.ts";
import type { AliasRevisionQuery } from "../schemas/hosting/desired.ts";
import type { Networks } from "../system/networks.ts";
import type { SecretBox } from "../system/secret-box.ts";
import type { AiCredits } from "./ai-credit/index.ts";
import type { TokenIssuer } from "./auth/access-tokens.ts";
import type { CodehostClient } from "./auth/codehost-client.ts";
import type { Credentials } from "./auth/credentials.ts";
import type { EventFeedConnection } from "./events/feed-connection.ts";
import type { AppliedFirewalls } from "./hosts/applied-firewalls.ts";
import type { RunHostCommand } from "./hosts/container-commands.ts";
import type { ReadLog } from "./hosts/container-logs.ts";
import type { Enrolments } from "./hosts/enrolments.ts";
import type { FirewallCountsOf } from "./hosts/firewall-counts.ts";
import type { JoinedHosts } from "./hosts/joined-hosts.ts";
import type { LiveUsage } from "./hosts/live-usage.ts";
import type { LogStreams } from "./hosts/log-streams.ts";
import type { ReadMetrics } from "./hosts/usage-history.ts";
import type { AddressOf } from "./http/client-address.ts";
import type { Payments } from "./payments/settings.ts";

/** What routes work with: reads, actors, credentials, and the services of this gateway. */
export interface GatewayContext {
  /** For the reads of `actors/<domain>/<noun>/queries.ts`. */
  readonly db: Sql;
  readonly actors: ActorsFor<"gateway">;
  readonly credentials: Credentials;
  readonly issuer: TokenIssuer;
  readonly aiCredits: AiCredits;
  /** Undefined when no code host is configured. */
  readonly codehost: CodehostClient | undefined;
  /** Undefined when the operator offers no bonus. */
  readonly codehostBonus: CodehostBonus | undefined;
  /** The URL of this API for users' browsers, without a slash at its end. */
  readonly publicUrl: string;
  readonly appliedFirewalls: AppliedFirewalls;
  readonly liveUsage: LiveUsage;
  readonly readLog: ReadLog;
  readonly readMetrics: ReadMetrics;
  readonly runHostCommand: RunHostCommand;
  /** The logs that clients follow. */
  readonly logStreams: LogStreams;
  readonly joinedHosts: JoinedHosts;
  readonly enrolments: Enrolments;
  readonly firewallCounts: FirewallCountsOf;
  readonly firewallLimits: FirewallLimits;
  readonly quotas: Quotas;
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: Networks;
  /** Whether mail is sent: without it no page offers what needs it. */
  readonly sendsMail: boolean;
  readonly passwordMemoryMb: number;
  /** Encrypts what the database must not show; null: the operator has set no key. */
  readonly secrets: SecretBox | null;
  /** The domain and ports of the addresses of containers and aliases. */
  readonly edge: EdgeAddress;
  /** The authorities that have signed the certificates of these addresses, in PEM; undefined: public ones. */
  readEdgeAuthority(): Promise<string | undefined>;
  /**
   * Settles when the host's agent has applied a change of an alias, or after a short time limit if it does not reply.
   */
  awaitAliasApplied(serverName: string, asked: AliasRevisionQuery): Promise<void>;
  readonly payments: Payments;
  /** The platform's fee on a transfer, in basis points; the same setting as the actor hosts'. */
  readonly aiCreditFeeBps: number;
  readonly log: Logger;
  /** The URL of this gateway on its own machine. */
  readonly ownUrl: string;
  /** The live event feed, for clients that subscribe. */
  readonly eventFeed: EventFeedConnection;
  /**
   * The client's address, by which limits count: read from `X-Forwarded-For` behind proxies that the operator trusts.
   */
  readonly addressOf: AddressOf;
  /**
   * Announces the end of sessions or API tokens of a user to every gateway, this one first, and to the hosts on which
   * the user may use containers. Settles when the hosts have confirmed it, or after a short time limit if one does
   * not reply.
   */
  announceEndedSessions(userId: string, ids: readonly string[]): Promise<void>;
  newId(): string;
}
