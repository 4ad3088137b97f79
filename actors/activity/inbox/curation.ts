import type { MailTopic } from "../../../schemas/activity/mail.ts";
import type { Level } from "../../../schemas/activity/notification.ts";
import { type EventRecord, type EventType, REFRESH_TOKEN_REUSED } from "../../../schemas/events.ts";
import { ACCOUNT_SUSPENDED, HOST_REMOVED } from "../../../schemas/market/rental.ts";
import { fromCents, moneyText } from "../../platform/money.ts";
import { timeText } from "../mail/texts.ts";

/**
 * The curated subset (spec, control plane §2): which events become notices to the owner of the log, and their texts.
 * Users get no notice of what they do themselves, except where it matters if it was somebody else.
 */

export interface Curated {
  readonly title: string;
  readonly body: string;
  readonly level: Level;
  /** What it leads to, where that is not what the event is about: the rental that a reservation became. */
  readonly resourceId?: string;
}

/** Makes the notice of an event; undefined for none. */
type Rule = (
  data: Record<string, unknown>,
  event: EventRecord,
  settings: CurationSettings,
) => Curated | undefined;

export interface CurationSettings {
  /** How long after the end of a rental what ran there is removed. */
  readonly graceMs: number;
}

/** A value of an event's data as text; a missing one becomes "?". */
const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "?";
/** "27 November 2026", in UTC. */
function day(value: unknown): string {
  const at = Date.parse(text(value));
  return Number.isNaN(at)
    ? "?"
    : new Date(at).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

/** An amount of a log: whole cents as a number, dollars as text. */
const money = (value: unknown): string =>
  typeof value === "number"
    ? moneyText(fromCents(BigInt(value)))
    : typeof value === "string"
      ? moneyText(value)
      : "?";
const daysOf = (value: unknown): string => `${text(value)} ${value === 1 ? "day" : "days"}`;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** When what ran on a server is removed: to the minute, since until then it can be asked for. */
function removalText(rentalEnd: unknown, graceMs: number): string {
  const end = Date.parse(text(rentalEnd));
  return graceMs === 0 || Number.isNaN(end) ? "now" : `after ${timeText(new Date(end + graceMs))}`;
}

/** Why a rental could not extend itself, and what its renter can do. */
function notExtended(data: Record<string, unknown>): Curated {
  const { name, auto_extension_failed: code, price_cents, max_charge_cents, rental_end } = data;
  const why =
    code === "INSUFFICIENT_BALANCE"
      ? `It costs ${money(price_cents)}, and your balance is lower. Add money: it is tried again until then.`
      : code === "CHARGE_EXCEEDS_MAX"
        ? `It costs ${money(price_cents)} by now, and ${money(max_charge_cents)} are the most that you allow. Raise that, or extend it by hand.`
        : "There is no price for the time that you chose. Choose another one, or extend it by hand.";
  return {
    title: `${text(name)} could not be extended`,
    body: `The rental ends on ${day(rental_end)}. ${why}`,
    level: "warning",
  };
}

export const CURATION: Partial<Record<EventType, Rule>> = {
  // One that fails again and again is one notice.
  "container.error": ({ name, error, again }) =>
    again === true
      ? undefined
      : {
          title: `Container ${text(name)} has failed`,
          body: error === undefined ? "Its host reports an error." : `Its host reports: ${text(error)}`,
          level: "error",
        },
  "firewall.apply_failed": ({ error }) => ({
    title: "A firewall is not enforced as you asked",
    body: error === undefined ? "Its host could not apply it." : `Its host reports: ${text(error)}`,
    level: "error",
  }),
  "server.updated": (data) => {
    const { name, ends_in_days, rental_end, host_joined, auto_extension_failed, auto_extension, reason } =
      data;
    if (auto_extension_failed !== undefined) return notExtended(data);
    if (reason === ACCOUNT_SUSPENDED)
      return {
        title: `${text(name)} extends itself no longer`,
        body: `It was switched off when your account was suspended. The rental ends on ${day(rental_end)}.`,
        level: "warning",
      };
    if (host_joined === true)
      return {
        title: `Your server is ready: ${text(name)}`,
        body: `It is set up, and containers can run on it. The rental ends on ${day(rental_end)}.`,
        level: "success",
      };
    if (ends_in_days !== undefined && isRecord(auto_extension))
      return {
        title: `${text(name)} is extended in ${text(ends_in_days)} days or sooner`,
        body:
          `It extends itself by ${daysOf(auto_extension.additional_days)}, for ${money(auto_extension.max_charge_cents)} at most. ` +
          "Have as much in your balance, or switch it off on the server's page.",
        level: "info",
      };
    return ends_in_days === undefined
      ? undefined
      : {
          title: `The rental of ${text(name)} ends in ${text(ends_in_days)} ${ends_in_days === 1 ? "day" : "days"}`,
          body: `It ends on ${day(rental_end)}. Extend it to keep what runs there.`,
          level: "warning",
        };
  },
  // What a user extends by hand needs no notice.
  "server.extended": ({ name, days, charged_cents, rental_end, automatic }) =>
    automatic === true
      ? {
          title: `${text(name)} was extended by ${daysOf(days)}`,
          body: `${money(charged_cents)} was charged. The rental ends on ${day(rental_end)}, and extends itself again before.`,
          level: "info",
        }
      : undefined,
  "server.expired": ({ name, reason, refunded, rental_end }, _event, { graceMs }) => ({
    title: `The rental of ${text(name)} has ended`,
    body:
      reason === HOST_REMOVED
        ? "Its machine was taken out of service. What you have paid for the rest of the time is returned to your balance."
        : refunded === undefined
          ? `What ran there is stopped, and is removed ${removalText(rental_end, graceMs)}.`
          : "It was not delivered yet. What you have paid for it is returned to your balance.",
    level: reason === HOST_REMOVED ? "error" : "warning",
  }),
  "server.delivered": ({ offer, server_name, rental_id, days, smaller }) => ({
    title: `Your server is ready: ${text(server_name ?? offer)}`,
    body:
      `The server that you reserved (${text(offer)}) was delivered, and containers can run on it. ` +
      `Its ${days === undefined ? "paid time has" : `${daysOf(days)} ${days === 1 ? "has" : "have"}`} begun.` +
      (smaller === true
        ? " It is smaller than what you reserved: if that was not agreed, ask for a refund."
        : ""),
    level: smaller === true ? "warning" : "success",
    ...(typeof rental_id === "string" ? { resourceId: rental_id } : {}),
  }),
  "server.released": ({ offer, reservation, refunded, by }, { user_id }) =>
    reservation !== "cancelled" || by === user_id
      ? undefined
      : {
          title: `Your reservation of ${text(offer)} was cancelled`,
          body:
            "It could not be delivered." +
            (refunded === undefined
              ? ""
              : ` What you paid, ${money(refunded)}, is returned to your balance.`),
          level: "warning",
        },
  "user.balance_credited": ({ amount, reason, refund_of, refund_of_reason: sold }) => ({
    title: `${money(amount)} was ${refund_of === undefined ? "added" : "refunded"} to your balance`,
    body: sold === undefined ? text(reason) : `Refund of ${text(sold)}. ${text(reason)}`,
    level: "success",
  }),
  // The event of the balance reports what was credited.
  "activity_log.payment_settled": ({ outcome, amount }) =>
    outcome === "under_review"
      ? {
          title: `Your payment of ${money(amount)} is being looked at`,
          body: "What arrived is not what was asked for. An operator decides what becomes of it.",
          level: "warning",
        }
      : outcome === "failed"
        ? {
            title: `Your payment of ${money(amount)} has failed`,
            body: "Nothing was added to your balance. Try again, or pay in another way.",
            level: "warning",
          }
        : undefined,
  "activity_log.invoice_issued": ({ invoice_number, amount, credit_note }) =>
    credit_note === true
      ? {
          title: `Credit note ${text(invoice_number)}`,
          body: `A credit note was issued: ${money(amount)} was returned to your balance.`,
          level: "info",
        }
      : {
          title: `Invoice ${text(invoice_number)}`,
          body: `An invoice over ${money(amount)} was issued.`,
          level: "info",
        },
  "proxy_alias.expired": ({ alias }) => ({
    title: `The alias ${text(alias)} has expired`,
    body: "Its address answers no more. Give it another time, or enable it again, to bring it back.",
    level: "warning",
  }),
  "pool.member_invited": ({ user_id: invited, pool, role, inviter }, { user_id }) =>
    invited === user_id
      ? {
          title:
            inviter === undefined
              ? `You are invited to the pool ${text(pool)}`
              : `${text(inviter)} invites you to the pool ${text(pool)}`,
          body: `You would be there as ${text(role)}. Join or reject on the page of pools.`,
          level: "info",
        }
      : undefined,
  "pool.member_joined": ({ pool, user_id: joined }, { user_id }) =>
    joined === user_id
      ? undefined
      : {
          title: `Somebody has joined your pool ${text(pool)}`,
          body: "An invitation was accepted.",
          level: "info",
        },
  "pool.member_role_changed": ({ pool, role, user_id: member }, { user_id }) =>
    member === user_id
      ? {
          title: `Your role in the pool ${text(pool)} has changed`,
          body: `You are ${text(role)} now.`,
          level: "info",
        }
      : undefined,
  "pool.member_declined": ({ pool, by }, { user_id }) =>
    by === user_id
      ? undefined
      : {
          title: `An invitation to your pool ${text(pool)} was rejected`,
          body: "Nobody has joined by it.",
          level: "info",
        },
  "pool.deleted": ({ pool, by }, { user_id }) =>
    by === user_id
      ? undefined
      : {
          title: `The pool ${text(pool)} was deleted`,
          body: "You were a member of it.",
          level: "info",
        },
  "pool.member_removed": ({ pool, user_id: removed, invitation_id, by }, { user_id }) => {
    if (removed !== user_id || by === user_id) return undefined;
    return invitation_id === undefined
      ? {
          title: `You are no member of the pool ${text(pool)} any more`,
          body: "Its servers are out of your reach. You may still delete the containers that you made.",
          level: "warning",
        }
      : {
          title: `Your invitation to the pool ${text(pool)} was withdrawn`,
          body: "It can no longer be accepted.",
          level: "info",
        };
  },
  "auth_token.created": ({ name }) => ({
    title: `An API token was created: ${text(name)}`,
    body: "If it was not you, delete it and change your password.",
    level: "info",
  }),
  "auth_token.expired": ({ name }) => ({
    title: `The API token ${text(name)} has expired`,
    body: "Whatever uses it is refused from now on.",
    level: "warning",
  }),
  "user.session_revoked": ({ reason }) =>
    reason === REFRESH_TOKEN_REUSED
      ? {
          title: "A session was ended for safety",
          body: "One of your sign-ins was used in a second place, so somebody may have copied it. Sign in again.",
          level: "warning",
        }
      : undefined,
  "user.logged_in": ({ impersonated_by }) => {
    if (typeof impersonated_by !== "object" || impersonated_by === null) return undefined;
    const { admin, reason } = impersonated_by as Record<string, unknown>;
    return {
      title: `The administrator ${text(admin)} acts as you`,
      body: `For a quarter of an hour at most. The reason given: ${text(reason)}`,
      level: "warning",
    };
  },
};

/** Which notices of events are mailed, and as what: what costs somebody who does not know of it. */
export const MAILED_EVENTS: Partial<Record<EventType, MailTopic>> = {
  "container.error": "containers",
  "firewall.apply_failed": "containers",
  "server.updated": "money",
  "server.extended": "money",
  "server.expired": "money",
  "server.delivered": "money",
  "server.released": "money",
  "activity_log.payment_settled": "money",
  "auth_token.created": "security",
  "user.session_revoked": "security",
  "user.logged_in": "security",
};

/** The notice of an event, if it has one. */
export function curate(event: EventRecord, settings: CurationSettings): Curated | undefined {
  return event.user_id === null ? undefined : CURATION[event.event_type]?.(event.data, event, settings);
}
