import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from "smtp-server";
import { temporaryFolder } from "./servers.ts";
import { until } from "./until.ts";

export const MAIL_USER = "berth";
export const MAIL_PASSWORD = "p@ss word:/1";

/** A mail that the server has taken. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** As it came: headers and both bodies. */
  readonly raw: string;
  /** The plain text, decoded. */
  readonly text: string;
  readonly html: string;
  readonly subject: string;
}

/** Each sign-up brings a mail as well. */
const RECOVERIES = ["Set a new password", "Your password cannot be set by mail"];

/** What the server does with a recipient: takes it, or says a code. */
export type Verdict = "take" | number;

export interface TestMailServer {
  readonly port: number;
  /** For the environment of actor hosts and gateways. */
  readonly env: Readonly<Record<string, string>>;
  readonly received: readonly ReceivedMail[];
  /** How often a recipient was named. */
  readonly asked: (address: string) => number;
  /** What becomes of the next mails to an address, the first one first; then they are taken. */
  answer(address: string, ...verdicts: Verdict[]): void;
  /** The newest recovery mail to an address, once there are so many; with a subject, of that one. */
  mailTo(address: string, count?: number, subject?: string): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

export interface MailServerOptions {
  /** Whether the server knows STARTTLS; it does unless told. */
  readonly hasTls?: boolean;
}

/** A real SMTP server with STARTTLS and a sign-in, in the test's own process. */
export async function mailServer({ hasTls = true }: MailServerOptions = {}): Promise<TestMailServer> {
  const { key, cert, certFile, passwordFile } = credentials();
  const received: ReceivedMail[] = [];
  const asked = new Map<string, number>();
  const verdicts = new Map<string, Verdict[]>();
  const options: SMTPServerOptions = {
    key,
    cert,
    disableReverseLookup: true,
    disabledCommands: hasTls ? [] : ["STARTTLS"],
    // Without TLS no password is asked for: nobody sends one in plain text.
    authOptional: !hasTls,
    onAuth({ username, password }, _session, callback) {
      if (username === MAIL_USER && password === MAIL_PASSWORD) callback(null, { user: username });
      else callback(Object.assign(new Error("wrong password"), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, callback) {
      asked.set(address, (asked.get(address) ?? 0) + 1);
      const verdict = verdicts.get(address)?.shift() ?? "take";
      if (verdict === "take") callback();
      else callback(Object.assign(new Error("not now"), { responseCode: verdict }));
    },
    onData(stream, { envelope, secure }, callback) {
      void readAll(stream).then((raw) => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, isEncrypted: secure, raw, ...partsOf(raw) });
        callback();
      });
    },
  };
  const server = new SMTPServer(options);
  // A client that does not trust the certificate hangs up.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const to = (address: string, subject: string | undefined) =>
    received.filter(
      (mail) =>
        mail.to.includes(address) && (subject === undefined ? RECOVERIES : [subject]).includes(mail.subject),
    );
  return {
    port,
    env: {
      BERTH_SMTP_URL: `smtp://${MAIL_USER}@127.0.0.1:${port}`,
      BERTH_SMTP_PASSWORD_FILE: passwordFile,
      BERTH_SMTP_TLS: "required",
      BERTH_SMTP_CA_FILE: certFile,
      BERTH_MAIL_FROM: "Berth <no-reply@berth.example>",
      BERTH_MAIL_FIRST_RETRY_MS: "50",
      BERTH_PUBLIC_URL: "https://berth.example",
    },
    received,
    asked: (address) => asked.get(address) ?? 0,
    answer: (address, ...given) => void verdicts.set(address, given),
    mailTo: (address, count = 1, subject = undefined) =>
      until(() => {
        const mails = to(address, subject);
        return mails.length >= count ? mails.at(-1) : undefined;
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A certificate of 127.0.0.1 that is its own authority, and the file of the password. */
function credentials() {
  const folder = temporaryFolder();
  const [keyFile, certFile, passwordFile] = ["key.pem", "cert.pem", "password"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  Bun.spawnSync([
    "openssl",
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"],
    ...["-subj", "/CN=mail", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyFile, "-out", certFile],
  ]);
  writeFileSync(passwordFile, `${MAIL_PASSWORD}\n`, { mode: 0o600 });
  return { key: readFileSync(keyFile), cert: readFileSync(certFile), certFile, passwordFile };
}

async function readAll(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** The decoded parts of a mail of Berth's: `multipart/alternative`, each part in quoted-printable or as it is. */
function partsOf(raw: string): Pick<ReceivedMail, "text" | "html" | "subject"> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? "";
  const parts = raw.split(`\r\n--${boundary}`);
  const partOf = (type: string) => {
    const part = parts.find((one) => one.startsWith(`\r\nContent-Type: ${type}`)) ?? "";
    const [headers = "", ...rest] = part.split("\r\n\r\n");
    const body = rest.join("\r\n\r\n");
    if (/base64/i.test(headers)) return Buffer.from(body, "base64").toString("utf8");
    return /quoted-printable/i.test(headers) ? decodeQuoted(body) : body;
  };
  const subject = /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? "";
  return { text: partOf("text/plain"), html: partOf("text/html"), subject };
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
