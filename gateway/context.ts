import type { Logger } from "pino";
import type { Sql } from "../actors/platform/db/sql.ts";
import type { CodehostBonus, FirewallLimits } from "../actors/platform/settings.ts";
import type { ActorsFor } from "../actors/senders.ts";
import type { Quotas } from "../schemas/accounts/quota.ts";
import type { EdgeAddress } from "../schemas/addresses.ts";
import type { AliasRevisionQuery } from "../schemas/hosting/desired.ts";
import type { AiCredits } from "./ai-credit/index.ts";
import type { TokenIssuer } from "./auth/access-tokens.ts";
import type { CodehostClient } from "./auth/codehost-client.ts";
import type { Credentials } from "./auth/credentials.ts";
import type { EventFeedConnection } from "./events/feed-connection.ts";
import type { AppliedFirewalls } from "./hosts/applied-firewalls.ts";
import type { FirewallCountsOf } from "./hosts/firewall-counts.ts";
import type { JoinedHosts } from "./hosts/joined-hosts.ts";
import type { LiveUsage } from "./hosts/live-usage.ts";
import type { AddressOf } from "./http/client-address.ts";
import type { Payments } from "./payments/settings.ts";

/** What routes work with: reads, actors, and who may call. */
export interface GatewayContext {
  /** For the reads of `actors/<noun>/queries.ts`. */
  readonly db: Sql;
  readonly actors: ActorsFor<"gateway">;
  readonly credentials: Credentials;
  readonly issuer: TokenIssuer;
  readonly aiCredits: AiCredits;
  /** Undefined where the operator has registered at none. */
  readonly codehost: CodehostClient | undefined;
  /** Undefined while it is not offered. */
  readonly codehostBonus: CodehostBonus | undefined;
  /** Where users' browsers find this API, without a slash at its end. */
  readonly publicUrl: string;
  readonly appliedFirewalls: AppliedFirewalls;
  readonly liveUsage: LiveUsage;
  readonly joinedHosts: JoinedHosts;
  readonly firewallCounts: FirewallCountsOf;
  readonly firewallLimits: FirewallLimits;
  readonly quotas: Quotas;
  /** Where containers and aliases have their addresses. */
  readonly edge: EdgeAddress;
  /** Settles when a host's agent knows of an alias's change; soon all the same where it does not answer. */
  awaitAliasApplied(serverName: string, asked: AliasRevisionQuery): Promise<void>;
  readonly payments: Payments;
  /** The platform's share of a transfer, as the actors take it. */
  readonly aiCreditFeeBps: number;
  readonly log: Logger;
  /** Where this very gateway is reached from its own machine. */
  readonly ownUrl: string;
  /** Events as they happen, for clients that subscribe to them. */
  readonly eventFeed: EventFeedConnection;
  /** Whom limits count: the client, behind whatever proxies the operator trusts. */
  readonly addressOf: AddressOf;
  /**
   * Tells every gateway, this one first, and the hosts on which the user may use containers, that sessions or API tokens of a user ended.
   * Settles when the hosts have heard it; soon all the same where one does not answer.
   */
  announceEndedSessions(userId: string, ids: readonly string[]): Promise<void>;
  newId(): string;
}
