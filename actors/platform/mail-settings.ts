import { readFileSync } from "node:fs";
import { type Environment, integer, oneOf } from "./environment.ts";

/** The mail server that takes what Berth sends, and who it is from. */
export interface MailSettings {
  readonly server: MailServer;
  readonly from: MailAddress;
  /** The URL of the console, without a slash at its end: links lead there. */
  readonly publicUrl: string;
  /** How long an answer of the mail server may take. */
  readonly timeoutMs: number;
  readonly firstRetryMs: number;
  readonly giveUpMs: number;
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps`). */
  readonly isImplicitTls: boolean;
  /** Whether nothing is sent without TLS and a certificate that holds. */
  readonly isTlsRequired: boolean;
  /** PEM of an authority of the operator's own. */
  readonly authority: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const PORTS: Readonly<Record<string, number>> = { "smtp:": 587, "smtps:": 465 };
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const FROM = /^(?:"?([^"<>\r\n]*?)"?\s*<)?([^\s@<>,;"]+@[^\s@<>,;"]+)>?$/;
/** Settings that say nothing without a mail server. */
const NEED_SERVER = ["BERTH_SMTP_PASSWORD_FILE", "BERTH_SMTP_CA_FILE", "BERTH_SMTP_TLS"];

/** Who mail is from; undefined: none is sent. Gateways offer what needs mail where it is set. @throws Error with one line */
export function readMailFrom(env: Environment): MailAddress | undefined {
  const text = env.BERTH_MAIL_FROM ?? "";
  if (text === "") return undefined;
  const [, name = "", address] = FROM.exec(text) ?? [];
  if (address === undefined)
    throw new Error(
      `BERTH_MAIL_FROM is "${text}": it may be an address such as Berth <no-reply@berth.example>`,
    );
  return { name, address };
}

/** Undefined where the operator sends no mail. @throws Error with one line that names the variable */
export function readMail(env: Environment): MailSettings | undefined {
  const from = readMailFrom(env);
  const url = env.BERTH_SMTP_URL ?? "";
  if (url === "") {
    const needs = [...NEED_SERVER, ...(from === undefined ? [] : ["BERTH_MAIL_FROM"])].find(
      (one) => env[one],
    );
    if (needs === undefined) return undefined;
    throw new Error(`${needs} needs BERTH_SMTP_URL, the mail server that takes what Berth sends`);
  }
  if (from === undefined)
    throw new Error("BERTH_SMTP_URL needs BERTH_MAIL_FROM, the address that mail comes from");
  return {
    server: readServer(env, url),
    from,
    publicUrl: readPublicUrl(env),
    timeoutMs: integer(env, "BERTH_MAIL_TIMEOUT_MS", 20_000, 100, 120_000),
    firstRetryMs: integer(env, "BERTH_MAIL_FIRST_RETRY_MS", 15_000, 10, 3_600_000),
    giveUpMs: integer(env, "BERTH_MAIL_GIVE_UP_SECONDS", 24 * 60 * 60, 1, 7 * 24 * 60 * 60) * 1_000,
  };
}

function readServer(env: Environment, text: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const port = url && PORTS[url.protocol];
  // The text is left out: it may hold a password.
  if (url === undefined || port === undefined || url.hostname === "" || url.search + url.hash !== "")
    throw new Error(
      "BERTH_SMTP_URL is no such address: give one such as smtp://user:password@mail.example:587, or smtps://",
    );
  const isLocal = LOOPBACK.test(url.hostname);
  const tls = oneOf(env, "BERTH_SMTP_TLS", isLocal ? "if-offered" : "required", ["required", "if-offered"]);
  const user = decodeURIComponent(url.username) || undefined;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || port,
    isImplicitTls: url.protocol === "smtps:",
    isTlsRequired: tls === "required",
    authority: readFile(env, "BERTH_SMTP_CA_FILE"),
    user,
    password: readPassword(env, decodeURIComponent(url.password), user),
  };
}

/** From the address or from a file; never both, so that nobody wonders which one counts. */
function readPassword(env: Environment, inUrl: string, user: string | undefined): string | undefined {
  const inFile = readFile(env, "BERTH_SMTP_PASSWORD_FILE")?.trim();
  if (inFile !== undefined && inUrl !== "")
    throw new Error("BERTH_SMTP_PASSWORD_FILE: the password stands in BERTH_SMTP_URL already");
  const password = inFile ?? (inUrl === "" ? undefined : inUrl);
  if ((password === undefined) !== (user === undefined))
    throw new Error("BERTH_SMTP_URL: give a user name and a password, or neither");
  return password;
}

function readFile(env: Environment, variable: string): string | undefined {
  const path = env[variable] ?? "";
  if (path === "") return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`${variable}: ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function readPublicUrl(env: Environment): string {
  const text = env.BERTH_PUBLIC_URL ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error("BERTH_SMTP_URL needs BERTH_PUBLIC_URL, such as https://berth.example: links lead there");
  return url.href.replace(/\/+$/, "");
}
