import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { BerthError } from "./api.ts";
import { leaveEnded } from "./session.ts";

/** Events say what has changed, so that nothing is read again for its age alone while the connection is good. */
const STALE_MS = 5 * 60_000;

/** A session that has ended elsewhere shows at the next request. */
function leaveIfEnded(error: unknown): void {
  if (error instanceof BerthError && error.status === 401) void leaveEnded();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfEnded }),
  mutationCache: new MutationCache({ onError: leaveIfEnded }),
  defaultOptions: {
    // The client tries again by itself where that helps.
    queries: { staleTime: STALE_MS, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
