import type { Context } from "../runtime/definition.ts";

/** The outbox topic of users of whom a session or an API token ended: `{ user_id }`. Hosts are told what has ended by then. */
export const ENDED_SESSIONS_TOPIC = "ended-sessions";

export interface SessionsEnded {
  readonly user_id: string;
}

/** Has hosts told that sessions of a user ended, after the commit that ends them. */
export function announceEndedSessions<State>(ctx: Context<State>, userId: string): void {
  ctx.emit(ENDED_SESSIONS_TOPIC, { user_id: userId } satisfies SessionsEnded);
}
