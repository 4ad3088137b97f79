import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readBillingDetails, readUser } from "../../../actors/accounts/account/queries.ts";
import {
  listStatementLines,
  readStatementSums,
  type Span,
} from "../../../actors/billing/statement/queries.ts";
import {
  MONTH_PATTERN,
  MonthParams,
  type Statement,
  StatementReply,
} from "../../../schemas/billing/statement.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { CSV_PAGE, writeStatement } from "../../invoices/statement-csv.ts";

/** Documents take the gateway's only thread, as those of invoices do. */
const DOCUMENTS_PER_USER = { name: "statement", limit: 30, windowSeconds: 60 };
/** What a PDF prints: some thirty pages. */
const PRINTED_LINES_MAX = 500;

const file = (contentMediaType: string) =>
  Type.Unsafe<Response>(Type.String({ contentMediaType, description: "the statement" }));

/** A month of the caller's general balance in one document. */
export const statementRoutes = ({ db, credentials }: GatewayContext) => {
  const documents = new RateLimiter(DOCUMENTS_PER_USER);

  const read = async (userId: string, month: string) => {
    const span = spanOf(month, new Date());
    return { span, statement: statementOf(month, span, await readStatementSums(db, userId, span)) };
  };

  return new Elysia({ prefix: "/api/v1/wallet/statements", detail: { tags: ["Wallet"] } })
    .use(signedIn(credentials, "wallet.read"))
    .get(
      "/:month",
      async ({ caller, params }) => ok("Statement", (await read(caller.userId, params.month)).statement),
      {
        params: MonthParams,
        response: { 200: StatementReply },
        detail: {
          summary: "A month of your balance: both ends of it, and what changed it by kind",
          description:
            "Of the general balance. A month of the past does not change any more; the present one is until now.",
        },
      },
    )
    .get(
      "/:month/pdf",
      async ({ caller, params, set }) => {
        enforceLimit(documents, caller.userId, set.headers);
        const { span, statement } = await read(caller.userId, params.month);
        const isPrinted = statement.transaction_count <= PRINTED_LINES_MAX;
        const [holder, billing, lines] = await Promise.all([
          readUser(db, caller.userId),
          readBillingDetails(db, caller.userId),
          isPrinted ? listStatementLines(db, caller.userId, span, undefined, PRINTED_LINES_MAX) : null,
        ]);
        if (holder === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
        const { renderStatement } = await import("../../invoices/pdf/statement.ts");
        const pdf = await renderStatement({ statement, lines, holder, billing });
        return new Response(new Uint8Array(pdf), {
          headers: fileHeaders("application/pdf", statement, "pdf"),
        });
      },
      {
        params: MonthParams,
        response: { 200: file("application/pdf"), ...errors("USER_NOT_FOUND", "RATE_LIMITED") },
        detail: {
          summary: "The statement of a month as PDF",
          description: `With each transaction, where they are at most ${PRINTED_LINES_MAX}; else with the sums alone. Made out as your invoices are.`,
          "x-no-example": "the reply is a PDF",
        },
      },
    )
    .get(
      "/:month/csv",
      async ({ caller, params, set }) => {
        enforceLimit(documents, caller.userId, set.headers);
        const { span, statement } = await read(caller.userId, params.month);
        const lines = writeStatement(statement, (after) =>
          listStatementLines(db, caller.userId, span, after, CSV_PAGE),
        );
        return new Response(streamOf(lines), {
          headers: fileHeaders("text/csv; charset=utf-8", statement, "csv"),
        });
      },
      {
        params: MonthParams,
        response: { 200: file("text/csv"), ...errors("RATE_LIMITED") },
        detail: {
          summary: "The statement of a month as CSV",
          description:
            "A line for the opening balance, one for each transaction with the balance after it, oldest first, and one for the closing balance. " +
            "Text that a spreadsheet would run as a formula begins with an apostrophe.",
          "x-no-example": "the reply is CSV",
        },
      },
    );
};

/** @throws ValidationError for what is no month, or one that has not begun */
function spanOf(month: string, now: Date): Span {
  if (!MONTH_PATTERN.test(month)) throw new ValidationError("path.month", "must be a month such as 2026-01");
  const [year, number] = month.split("-").map(Number) as [number, number];
  const from = new Date(Date.UTC(year, number - 1));
  if (from > now) throw new ValidationError("path.month", "must have begun");
  return { from, until: new Date(Math.min(Date.UTC(year, number), now.getTime())) };
}

const statementOf = (
  month: string,
  { from, until }: Span,
  sums: Awaited<ReturnType<typeof readStatementSums>>,
): Statement => ({
  month,
  from: from.toISOString(),
  until: until.toISOString(),
  is_complete: until.getUTCMonth() !== from.getUTCMonth(),
  ...sums,
});

const fileHeaders = (type: string, { month }: Statement, ending: string) => ({
  "content-type": type,
  "content-disposition": `attachment; filename="statement-${month}.${ending}"`,
  "cache-control": "no-store",
});

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
