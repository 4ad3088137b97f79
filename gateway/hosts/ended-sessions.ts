import { ENDED_SESSIONS_MAX, type EndedSessions } from "../../schemas/hosting/desired.ts";
import { agentSubject } from "../../schemas/subjects.ts";

type NotifyHosts = (userId: string, ids: readonly string[]) => Promise<void>;

/**
 * Tells hosts at once that sessions of a user ended: a request to an edge right after the answer is refused. The desired state has it as
 * well, for hosts that are away.
 *
 * @param ask an agent; rejects when it does not answer in time
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
