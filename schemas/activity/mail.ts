import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Amount, Decimal, Nullable, Strict } from "../primitives.ts";

/** Mail that Berth sends (docs/decisions/0130-outgoing-mail.md). */

export type MailKind = "recovery" | "verification" | "notice";

/** A link that was mailed is good for so long: the time that somebody who waits for it takes, with a slow server in between. */
export const MAILED_LINK_MINUTES = 60;

/** Links for one address within the life of one: a person needs one or two. */
export const RECOVERY_MAILS_MAX = 3;

/** A link that verifies an address is good for longer: nobody waits for it. */
export const VERIFICATION_HOURS = 7 * 24;

/** Mails to one user in an hour, beside recovery links. What comes beyond them is in the inbox alone. */
export const MAILS_PER_HOUR_MAX = { verification: 5, notice: 30 } as const;

/** What notices by mail are about. */
export const MAIL_TOPICS = {
  security:
    "a sign-in from somewhere new, and changes of the password, the e-mail address, the second factor and API tokens",
  money:
    "a server that is ready, a rental that ends soon or extends itself, a reservation that could not be delivered, a payment that failed or is under review, a low balance",
  containers: "a container or a firewall that its host reports as failing",
} as const;
export type MailTopic = keyof typeof MAIL_TOPICS;

/** The topics in a sentence: "notices about …". */
export const MAIL_TOPIC_NAMES: Readonly<Record<MailTopic, string>> = {
  security: "the security of your account",
  money: "money",
  containers: "containers",
};

const Wanted = (topic: MailTopic) => Type.Boolean({ description: MAIL_TOPICS[topic] });
export const MailNotices = Strict({
  security: Wanted("security"),
  money: Wanted("money"),
  containers: Wanted("containers"),
});
export type MailNotices = Static<typeof MailNotices>;

/** What must not be missed is mailed unless its user says otherwise. */
export const STANDARD_MAIL_NOTICES: MailNotices = { security: true, money: true, containers: false };

/** A balance that a notice is sent below. */
const LowBalance = Nullable(
  Type.Unsafe<string>({
    ...Decimal,
    description: "a notice is sent when the balance falls below it; null: never",
  }),
);

/** What a change leaves out stays. */
export const PatchMailSettings = Strict({
  ...Type.Partial(MailNotices).properties,
  low_balance_below: Type.Optional(
    Nullable(Type.Unsafe<string>({ ...Amount, description: "USD; null: no notice of a low balance" })),
  ),
});

export const MailSettings = Type.Object({
  ...MailNotices.properties,
  low_balance_below: LowBalance,
  email: Type.String({ description: "where mail goes" }),
  email_verified: Type.Boolean({ description: "notices are sent to a verified address alone" }),
  sends_mail: Type.Boolean({ description: "whether this Berth sends mail" }),
});
export const MailSettingsReply = Reply(MailSettings);
