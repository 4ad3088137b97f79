import { Elysia } from "elysia";
import { listReviews, readReview } from "../../../actors/billing/top-up/queries.ts";
import {
  INTENTS_PAGE,
  ResolveReview,
  ReviewReply,
  ReviewsQuery,
  ReviewsReply,
} from "../../../schemas/billing/top-up.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";

/** Payments that do not match their intents, for administrators to review (design §3 "Payments"). */
export const adminPaymentReviewRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const reviewOf = async (id: string) => {
    const review = await readReview(db, id);
    if (review === undefined) throw new DomainError("REVIEW_NOT_FOUND", "Review not found");
    return review;
  };

  return new Elysia({ prefix: "/api/v1/admin/payments/reviews", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/payments/reviews", query, INTENTS_PAGE, NEWEST_FIRST);
        const { rows: reviews, total, next } = await listReviews(db, query.status, page);
        return ok("Payment reviews", { reviews, total, pagination: cursorPagination(page, next) });
      },
      {
        query: ReviewsQuery,
        response: { 200: ReviewsReply },
        detail: { summary: "Payments that do not match their intents, newest first" },
      },
    )
    .get("/:id", async ({ params }) => ok("Payment review", await reviewOf(params.id)), {
      params: IdParams,
      response: { 200: ReviewReply, ...errors("REVIEW_NOT_FOUND") },
      detail: { summary: "A payment that does not match its intent" },
    })
    .post(
      "/:id/resolve",
      async ({ params, body, operation, operator }) => {
        const { intent_id } = await reviewOf(params.id);
        await actors.top_up(intent_id).resolve({ ...body, review_id: params.id, operator }, operation);
        return ok("Payment review resolved", await reviewOf(params.id));
      },
      {
        params: IdParams,
        body: ResolveReview,
        response: {
          200: ReviewReply,
          ...errors("REVIEW_NOT_FOUND", "REVIEW_RESOLVED", "REVIEW_NOT_CREDITABLE", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Credit the payment, or dismiss the review",
          description:
            "`credit` adds the money that was paid and is not in the wallet yet to the wallet of the intent's user, once; `dismiss` " +
            "adds nothing. Both are recorded in the event log with the administrator and the reason.",
        },
      },
    );
};
