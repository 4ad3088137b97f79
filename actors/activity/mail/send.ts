import { createTransport } from "nodemailer";
import type { MailSettings } from "../../platform/mail-settings.ts";
import { layOut, type MailText } from "./layout.ts";

/** Connections to the mail server that a host keeps, and mails over one of them: relays end those that send without end. */
export const CONNECTIONS_MAX = 4;
const MAILS_PER_CONNECTION_MAX = 100;

export interface Letter {
  /** The mail's id: a receiver that gets it twice can see that it is one. */
  readonly id: string;
  readonly to: string;
  readonly content: MailText;
}

export interface Mailer {
  /** Settles when the mail server has taken the mail. @throws what nodemailer throws */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** A pool of connections to the operator's mail server. */
export function connectMailer({ server, from, timeoutMs }: MailSettings): Mailer {
  const { host, port, user, password, authority, isImplicitTls, isTlsRequired } = server;
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    host,
    port,
    secure: isImplicitTls,
    requireTLS: isTlsRequired,
    // Encryption that is not required is better than none, whoever the certificate names (RFC 7435).
    tls: { rejectUnauthorized: isTlsRequired, ...(authority === undefined ? {} : { ca: authority }) },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Texts are Berth's own: nothing is read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.indexOf("@") + 1);
  return {
    async send({ id, to, content }) {
      await transport.sendMail({
        envelope: { from: from.address, to: [to] },
        from,
        // An object, so that no part of an address is read as a second one.
        to: { name: "", address: to },
        subject: content.subject,
        messageId: `<${id}@${domain}>`,
        // No answering machine answers (RFC 3834).
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "All",
          ...unsubscribeHeaders(content.unsubscribeUrl),
        },
        ...layOut(content),
      });
    },
    close: () => transport.close(),
  };
}

/** One click in a mail program sends a POST there (RFC 8058), which takes an address of HTTPS; others open the page. */
export function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  const link = { "List-Unsubscribe": `<${url}>` };
  return url.startsWith("https:") ? { ...link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : link;
}
