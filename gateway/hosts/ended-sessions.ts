import { ENDED_SESSIONS_MAX, type EndedSessions } from "../../schemas/hosting/desired.ts";
import { agentSubject } from "../../schemas/subjects.ts";

type NotifyHosts = (userId: string, ids: readonly string[]) => Promise<void>;

/**
 * Notifies hosts that sessions of a user ended, so that an edge refuses a request that comes right after the reply.
 * Hosts that cannot be reached find it in their desired state.
 *
 * @param ask sends a request to an agent; rejects when it does not reply in time
 */
export const endedSessionsNotifier =
  (
    serversInReach: (userId: string) => Promise<string[]>,
    ask: (subject: string, text: string) => Promise<unknown>,
  ): NotifyHosts =>
  async (userId, ids) => {
    if (ids.length === 0) return;
    const ended_at = new Date().toISOString();
    const sessions = ids.slice(0, ENDED_SESSIONS_MAX).map((id) => ({ id, ended_at }));
    const requests = (await serversInReach(userId)).map((server_name) => {
      const doc: EndedSessions = { server_name, user_id: userId, sessions, refused_before: null };
      return ask(agentSubject(server_name, "ended-sessions"), JSON.stringify(doc));
    });
    await Promise.allSettled(requests);
  };
