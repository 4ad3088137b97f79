import { File, type Setting, Text, Url, Whole, Word } from "./setting.ts";

/** Outgoing mail. */
export const mail: readonly Setting[] = [
  {
    name: "BERTH_MAIL_FROM",
    roles: ["gateway", "actors"],
    type: Text,
    meaning:
      "the address that [mail](operations/mail.md) comes from, `Berth <no-reply@berth.example>`. Without it no mail is sent, and no page offers what needs mail. The same for all gateways and actor hosts",
  },
  {
    name: "BERTH_SMTP_URL",
    roles: ["actors"],
    type: Url,
    meaning:
      "the mail server that takes it, `smtp://user:password@mail.example:587` (STARTTLS) or `smtps://…:465`; it needs `BERTH_MAIL_FROM` and `BERTH_PUBLIC_URL`",
    isSecret: true,
  },
  {
    name: "BERTH_SMTP_PASSWORD_FILE",
    roles: ["actors"],
    type: File,
    meaning: "a file with the password of that user, instead of the one in the address",
  },
  {
    name: "BERTH_SMTP_TLS",
    roles: ["actors"],
    type: Word("required", "if-offered"),
    standardIs: "`required`; a server on this machine: `if-offered`",
    meaning:
      "`required`: nothing is sent without TLS and a valid certificate. `if-offered` encrypts where the server can, whoever the certificate names, and sends plain text where it cannot",
  },
  {
    name: "BERTH_SMTP_CA_FILE",
    roles: ["actors"],
    type: File,
    meaning: "PEM file with the authority of the mail server's certificate, where it is one of your own",
  },
  {
    name: "BERTH_MAIL_TIMEOUT_MS",
    roles: ["actors"],
    type: Whole(100, 120_000),
    standard: "20000",
    meaning: "how long an answer of the mail server may take",
  },
  {
    name: "BERTH_MAIL_FIRST_RETRY_MS",
    roles: ["actors"],
    type: Whole(10, 3_600_000),
    standard: "15000",
    meaning: "the wait after the first failed attempt, doubled with each, up to an hour",
  },
  {
    name: "BERTH_MAIL_GIVE_UP_SECONDS",
    roles: ["actors"],
    type: Whole(1, 604_800),
    standard: "86400",
    meaning: "after so long a mail is given up; a mail with a link after an hour at most",
  },
];
