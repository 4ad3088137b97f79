import type { Logger } from "pino";
import type { Sql } from "../actors/db/sql.ts";
import type { FirewallLimits } from "../actors/firewall/rules.ts";
import type { Definitions } from "../actors/registry.ts";
import type { ActorsOf } from "../actors/runtime/client.ts";
import type { CodehostBonus } from "../actors/settings.ts";
import type { EdgeAddress } from "../schemas/addresses.ts";
import type { AliasAsked } from "../schemas/desired.ts";
import type { AiCredits } from "./ai-credit/index.ts";
import type { AppliedFirewalls } from "./applied-firewalls.ts";
import type { CodehostClient } from "./codehost/client.ts";
import type { EventFeed } from "./event-feed.ts";
import type { FirewallCountsOf } from "./firewall-counts.ts";
import type { LiveUsage } from "./live-usage.ts";
import type { Payments } from "./payments/settings.ts";
import type { AddressOf } from "./plugins/client-address.ts";
import type { Credentials } from "./plugins/credentials.ts";
import type { TokenIssuer } from "./plugins/tokens.ts";

/** What routes work with: reads, actors, and who may call. */
export interface Berth {
  /** For the reads of `actors/<noun>/queries.ts`. */
  readonly db: Sql;
  readonly actors: ActorsOf<Definitions>;
  readonly tokens: Credentials;
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
  readonly firewallCounts: FirewallCountsOf;
  readonly firewallLimits: FirewallLimits;
  /** Where containers and aliases have their addresses. */
  readonly edge: EdgeAddress;
  /** Settles when a host's agent knows of an alias's change; soon all the same where it does not answer. */
  aliasReached(serverName: string, asked: AliasAsked): Promise<void>;
  readonly payments: Payments;
  /** The platform's share of a transfer, as the actors take it. */
  readonly aiCreditFeeBps: number;
  readonly log: Logger;
  /** Where this very gateway is reached from its own machine. */
  readonly ownUrl: string;
  /** Events as they happen, for those who follow. */
  readonly eventFeed: EventFeed;
  /** Whom limits count: the client, behind whatever proxies the operator trusts. */
  readonly addressOf: AddressOf;
  /** Tells every gateway, this one too, that a session ended. */
  sessionEnded(sessionId: string): void;
  newId(): string;
}
