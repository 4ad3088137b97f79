import type { Context } from "../runtime/definition.ts";

/**
 * The outbox topic of users with an ended session or API token: `{ user_id }`. The handler publishes what has ended
 * by then to the hosts.
 */
export const ENDED_SESSIONS_TOPIC = "ended-sessions";

export interface SessionsEnded {
  readonly user_id: string;
}

/** Announces the end of a user's sessions to the hosts, after the commit that ends them. */
export function announceEndedSessions<State>(ctx: Context<State>, userId: string): void {
  ctx.emit(ENDED_SESSIONS_TOPIC, { user_id: userId } satisfies SessionsEnded);
}
