import { useSyncExternalStore } from "react";
import { BerthError, errorOf } from "../../../../client/errors.ts";
import { SESSION_PATH } from "../../paths.ts";
import type { Schemas } from "./api.ts";

/** Who is signed in. The access token is in this page's memory alone; the refresh token in a cookie that no script can read. */
export interface Session {
  readonly user: Schemas["User"];
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A token is replaced before it expires, so that no request is sent with one that expires on its way. */
const RENEW_BEFORE_MS = 60_000;
export type Ending = "ended" | "suspended";

/** Says that the browser has the cookie. Without it nobody is signed in, and there is nothing to ask for. */
const HINT = "berth-signed-in";

let session: Session | undefined;
/** How the last session has ended without a word of this browser's user. */
let ending: Ending | undefined;
let renewing: Promise<Session | undefined> | undefined;
const listeners = new Set<() => void>();
const otherTabs = new BroadcastChannel("berth-session");
otherTabs.onmessage = ({ data }) => {
  if (data !== "signed-in") end(data === "signed-out" ? undefined : data);
  else if (session === undefined) void resume();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => session);

/** For the page of sign-in, which says why it is shown. */
export const useEnding = (): Ending | undefined => useSyncExternalStore(subscribe, () => ending);

export const currentSession = (): Session | undefined => session;

/** Continues the session of the cookie, if there is one. */
export async function resume(): Promise<Session | undefined> {
  return localStorage.getItem(HINT) === null ? undefined : renew();
}

export const signIn = (name: string, password: string): Promise<void> =>
  begin("", { [name.includes("@") ? "email" : "username"]: name, password });

/** Answers the challenge of a sign-in with the second factor. */
export const proveSecondFactor = (body: Schemas["LoginSecondFactor"]): Promise<void> =>
  begin("/second-factor", body);

export const signInByPasskey = (body: Schemas["LoginPasskey"]): Promise<void> => begin("/passkey", body);

export const signUp = (body: Schemas["Signup"]): Promise<void> => begin("/sign-up", body);

let hasEntered = false;
/** Whether somebody has signed in on this page since it was last asked. */
export function takeEntrance(): boolean {
  const entered = hasEntered;
  hasEntered = false;
  return entered;
}

async function begin(path: string, body: unknown): Promise<void> {
  const next = read(await ask("POST", path, body));
  hasEntered = true;
  set(next);
  otherTabs.postMessage("signed-in");
}

let signedOut = () => {};
/** For whoever signs out on purpose: the next user does not begin where this one was. */
export function whenSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** Signs out in all tabs. The request ends the session for good. */
export async function signOut(): Promise<void> {
  endInAllTabs();
  await ask("DELETE", "").catch(() => {});
}

/** The API has said that the session is over: it was ended elsewhere, it is too old, or the account is suspended. */
export async function leaveEnded(): Promise<void> {
  endInAllTabs("ended");
  const error = await ask("POST", "/refresh").catch((error) => error);
  if (isSuspension(error)) endInAllTabs("suspended");
  await ask("DELETE", "").catch(() => {});
}

const isSuspension = (error: unknown): boolean =>
  error instanceof BerthError && error.code === "ACCOUNT_SUSPENDED";

function endInAllTabs(how?: Ending): void {
  end(how);
  otherTabs.postMessage(how ?? "signed-out");
}

/** @param how undefined: by the user, who knows it. What a late request says about the session then is no news. */
function end(how?: Ending): void {
  const isNews = session !== undefined || ending !== undefined;
  // Each tab is told by its own requests as well, and not all of them know why.
  if (how === undefined || !isNews) ending = undefined;
  else if (ending !== "suspended") ending = how;
  localStorage.removeItem(HINT);
  const isChosen = how === undefined && session !== undefined;
  set(undefined);
  if (isChosen) signedOut();
}

/** A token that is good for a while; undefined: nobody is signed in. */
export async function accessToken(): Promise<string | undefined> {
  if (session === undefined) return undefined;
  if (session.expiresAtMs - RENEW_BEFORE_MS > Date.now()) return session.token;
  return (await renew())?.token;
}

/** Each refresh token is good once, so that tabs refresh one after the other. */
function renew(): Promise<Session | undefined> {
  renewing ??= alone("berth-session", async () => {
    try {
      set(read(await ask("POST", "/refresh")));
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      if (error.status !== 401 && !isSuspension(error)) throw error;
      ending = isSuspension(error) ? "suspended" : "ended";
      end(ending);
    }
    return session;
  }).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** Web Locks exist in secure contexts only. On plain http of another machine each tab is by itself. */
export const alone = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  navigator.locks === undefined ? work() : navigator.locks.request(name, work);

interface Begun {
  readonly user: Schemas["User"];
  readonly access_token: string;
  readonly expires_in: number;
}

async function ask(method: string, path: string, body?: unknown): Promise<Begun> {
  const response = await fetch(SESSION_PATH + path, {
    method,
    // Also where the tab is closed right after the press that asks.
    keepalive: true,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const reply = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response, reply);
  return reply.data;
}

const read = ({ user, access_token, expires_in }: Begun): Session => ({
  user,
  token: access_token,
  expiresAtMs: Date.now() + expires_in * 1_000,
});

function set(next: Session | undefined): void {
  session = next;
  if (next !== undefined) {
    ending = undefined;
    localStorage.setItem(HINT, "1");
  }
  for (const listener of listeners) listener();
}
