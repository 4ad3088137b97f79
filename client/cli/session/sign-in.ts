import { hostname } from "node:os";
import { BerthError, secondFactorChallengeOf } from "../../errors.ts";
import type { Api, Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { plural } from "../output/format.ts";
import { reply } from "../read.ts";
import type { Context } from "./config.ts";
import type { Credential } from "./credentials.ts";
import { sessionCredential } from "./session.ts";

/** Two refusals that only say: not yet (RFC 8628 §3.5). */
const WAITING = ["AUTHORIZATION_PENDING", "SLOW_DOWN"];
/** How much later a program asks that was told to slow down (RFC 8628 §3.5). */
const SLOWER_SECONDS = 5;
const NAME_CHARS_MAX = 100;

export interface PasswordSignIn {
  readonly name: string;
  readonly password: string;
  readonly code: string | undefined;
}

/** Signs in with a password, and with the second factor of an account that has one. */
export async function signInByPassword(
  cli: Cli,
  { url }: Context,
  { name, password, code }: PasswordSignIn,
): Promise<Credential> {
  const api = await cli.anonymous(url);
  const who = name.includes("@") ? { email: name } : { username: name };
  try {
    const { data } = await reply(api.POST("/api/v1/auth/login", { body: { ...who, password } }));
    return sessionCredential(data);
  } catch (error) {
    const asked = secondFactorChallengeOf(error);
    if (asked === undefined) throw error;
    if (asked.methods.every((method) => method === "passkey"))
      throw new Refused("this account signs in with a passkey: run `berth login --browser`");
    return proveSecondFactor(cli, api, asked.challenge, code);
  }
}

async function proveSecondFactor(
  cli: Cli,
  api: Api,
  challenge: string,
  given: string | undefined,
): Promise<Credential> {
  const code = given ?? (await cli.ask("Code of your app, or a recovery code:", "--code"));
  const body = { challenge, code };
  const { data } = await reply(api.POST("/api/v1/auth/login/second-factor", { body }));
  return sessionCredential(data);
}

/** Signs in by a browser, on this machine or another one: passkeys work, and no password is typed here. */
export async function signInByBrowser(cli: Cli, { url }: Context): Promise<Credential> {
  const api = await cli.anonymous(url);
  const client_name = `berth on ${hostname()}`.slice(0, NAME_CHARS_MAX);
  const { data } = await reply(api.POST("/api/v1/auth/device", { body: { client_name } }));
  cli.print.note(`Open ${data.verification_uri_complete}`);
  cli.print.note(
    `and approve the code ${data.user_code}. This waits for ${plural(Math.round(data.expires_in / 60), "minute")}.`,
  );
  if (cli.io.isInteractive) openInBrowser(data.verification_uri_complete);
  return awaitApproval(cli, api, data.device_code, data.interval);
}

async function awaitApproval(
  cli: Cli,
  api: Api,
  device_code: string,
  intervalSeconds: number,
): Promise<Credential> {
  for (let seconds = intervalSeconds; ; ) {
    await wait(seconds, cli.io.interrupted);
    try {
      const { data } = await reply(api.POST("/api/v1/auth/device/token", { body: { device_code } }));
      return sessionCredential(data);
    } catch (error) {
      if (!(error instanceof BerthError) || !WAITING.includes(error.code)) throw error;
      if (error.code === "SLOW_DOWN") seconds += SLOWER_SECONDS;
    }
  }
}

/** Ends at once with an error when the command is interrupted. */
const wait = (seconds: number, interrupted: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(interrupted.reason);
    };
    const timer = setTimeout(() => {
      interrupted.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1_000);
    interrupted.addEventListener("abort", abort, { once: true });
  });
