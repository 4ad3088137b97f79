import type {
  IntentStatus,
  PaymentAdapter,
  PaymentIntent,
  PaymentProviderName,
  PaymentReview,
  ReviewReason,
  ReviewStatus,
} from "../../../schemas/billing/top-up.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { AMOUNTS_NEWEST_FIRST, NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Review } from "./rules.ts";

interface IntentRow {
  id: string;
  version: bigint;
  user_id: string;
  provider: PaymentProviderName;
  adapter: PaymentAdapter | null;
  status: IntentStatus;
  settling: boolean;
  amount_cents: bigint;
  currency: string;
  session_id: string | null;
  redirect_url: string | null;
  claim_token: string | null;
  claim_until: Date | null;
  deposited_cents: bigint;
  deposits: number;
  credited_at: Date | null;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

interface ReviewRow {
  id: string;
  intent_id: string;
  user_id: string;
  provider: PaymentProviderName;
  session_id: string;
  reason: ReviewReason;
  expected_cents: bigint;
  paid_cents: bigint | null;
  currency: string;
  reported: string;
  status: Review["status"];
  credited_cents: bigint;
  note: string | null;
  resolved_by: string | null;
  resolved_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** An intent with the data that the gateway needs to make its hosted session. */
export interface OpenedIntent {
  readonly intent: PaymentIntent;
  readonly adapter: PaymentAdapter | null;
  readonly amountCents: bigint;
  /** Whether a request asks the processor for the hosted session at the moment. */
  readonly isBeingOpened: boolean;
}

/** A user's intent with this provider; undefined if the user has none with this id. */
export async function readIntent(
  db: Sql,
  userId: string,
  provider: PaymentProviderName,
  id: string,
): Promise<OpenedIntent | undefined> {
  const [row] = await db<ReadRow[]>`
    SELECT ${shown(db)} FROM payment_intents WHERE id = ${id} AND user_id = ${userId} AND provider = ${provider}`;
  return row === undefined ? undefined : toOpened(row);
}

/** The intent of a hosted session, for the sandbox's page. */
export async function readIntentOfSession(
  db: Sql,
  provider: PaymentProviderName,
  sessionId: string,
): Promise<OpenedIntent | undefined> {
  const [row] = await db<ReadRow[]>`
    SELECT ${shown(db)} FROM payment_intents WHERE session_id = ${sessionId} AND provider = ${provider}`;
  return row === undefined ? undefined : toOpened(row);
}

/** Anybody's intent, for the page to which its payer comes back. */
export async function readAnyIntent(db: Sql, id: string): Promise<PaymentIntent | undefined> {
  const [row] = await db<ReadRow[]>`SELECT ${shown(db)} FROM payment_intents WHERE id = ${id}`;
  return row === undefined ? undefined : toOpened(row).intent;
}

/** A page of a user's intents with a provider, newest first, and how many there are in all (spec §4.9). */
export async function listIntents(
  db: Sql,
  userId: string,
  provider: PaymentProviderName,
  page: PageOf<typeof AMOUNTS_NEWEST_FIRST>,
): Promise<CountedSlice<PaymentIntent>> {
  const where = db`WHERE user_id = ${userId} AND provider = ${provider}`;
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`created_at`, amount: db`amount_cents` },
    db`id`,
  );
  const [rows, total] = await Promise.all([
    db<Positioned<ReadRow>[]>`
      SELECT ${shown(db)}, ${position} FROM payment_intents ${where} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM payment_intents ${where}`),
  ]);
  return { ...sliceOf(rows, page, (row) => toOpened(row).intent), total };
}

/** A page of the reviews, newest first, and how many the filter matches in all. */
export async function listReviews(
  db: Sql,
  status: ReviewStatus | undefined,
  page: PageOf<typeof NEWEST_FIRST>,
): Promise<CountedSlice<PaymentReview>> {
  // A review whose deposit is in flight counts as open.
  const kept = status === "open" ? ["open", "crediting"] : status === undefined ? undefined : [status];
  const where = kept === undefined ? db`WHERE true` : db`WHERE status = ANY (${kept}::text[])`;
  const { position, isAfter, order } = keyset(db, page, { created_at: db`created_at` }, db`id`);
  const [rows, total] = await Promise.all([
    db<Positioned<ReviewRow>[]>`
      SELECT *, ${position} FROM payment_reviews ${where} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM payment_reviews ${where}`),
  ]);
  return { ...sliceOf(rows, page, toReview), total };
}

export async function readReview(db: Sql, id: string): Promise<PaymentReview | undefined> {
  const [row] = await db<ReviewRow[]>`SELECT * FROM payment_reviews WHERE id = ${id}`;
  return row === undefined ? undefined : toReview(row);
}

type ReadRow = Pick<
  IntentRow,
  | "id"
  | "provider"
  | "adapter"
  | "status"
  | "amount_cents"
  | "currency"
  | "redirect_url"
  | "credited_at"
  | "expires_at"
  | "created_at"
  | "updated_at"
> & { is_being_opened: boolean; wallet_cents: bigint };

/**
 * The columns of a read. An intent past its expiry reads `expired`, whether or not its timer has run. The intent has
 * the payments of its own session; those of other sessions are in their reviews.
 */
const shown = (db: Sql) => db`
  id, provider, adapter, amount_cents, currency, redirect_url, credited_at, expires_at, created_at, updated_at,
  CASE WHEN status = 'pending' AND NOT settling AND expires_at <= now() THEN 'expired' ELSE status END AS status,
  coalesce(claim_until > now(), false) AS is_being_opened,
  CASE WHEN credited_at IS NULL THEN 0 ELSE deposited_cents END + (
    SELECT coalesce(sum(r.credited_cents), 0)::bigint FROM payment_reviews r
    WHERE r.intent_id = payment_intents.id AND r.session_id IS DISTINCT FROM payment_intents.session_id) AS wallet_cents`;

const usd = (cents: bigint): number => Number(cents) / 100;

function toOpened(row: ReadRow): OpenedIntent {
  return {
    adapter: row.adapter,
    amountCents: row.amount_cents,
    isBeingOpened: row.is_being_opened,
    intent: {
      id: row.id,
      provider: row.provider,
      status: row.status,
      amount: usd(row.amount_cents),
      credited_amount: row.wallet_cents === 0n ? null : usd(row.wallet_cents),
      currency: row.currency,
      redirect_url: row.redirect_url,
      credited_at: row.credited_at?.toISOString() ?? null,
      expires_at: row.expires_at.toISOString(),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}

const toReview = (row: ReviewRow): PaymentReview => ({
  id: row.id,
  intent_id: row.intent_id,
  user_id: row.user_id,
  provider: row.provider,
  session_id: row.session_id,
  reason: row.reason,
  expected_amount: usd(row.expected_cents),
  paid_amount: row.paid_cents === null ? null : usd(row.paid_cents),
  reported: row.reported,
  status: row.status === "crediting" ? "open" : row.status,
  credited_amount: usd(row.credited_cents),
  note: row.note,
  resolved_by: row.resolved_by,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
