import { api } from "./api.ts";
import { forget } from "./session.ts";

/** Ends the session for good, here and in all tabs. */
export async function signOut(): Promise<void> {
  await api.POST("/api/v1/auth/logout").catch(() => {});
  await forget();
}
