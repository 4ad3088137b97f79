import type { PaymentReview } from "../../../index.ts";
import { type CommandGroup, printRows, sortOption } from "../../groups.ts";
import { dollars, time } from "../../output/format.ts";
import { page, reply } from "../../read.ts";

const REVIEW = {
  columns: {
    ID: ({ id }: PaymentReview) => id,
    USER: ({ user_id }: PaymentReview) => user_id,
    REASON: ({ reason }: PaymentReview) => reason,
    EXPECTED: ({ expected_amount }: PaymentReview) => dollars(expected_amount),
    PAID: ({ paid_amount }: PaymentReview) => (paid_amount === null ? "?" : dollars(paid_amount)),
    STATUS: ({ status }: PaymentReview) => status,
    CREATED: ({ created_at }: PaymentReview) => time(created_at),
  },
  empty: "No payment waits for a decision.",
};

export const reviews: CommandGroup = (parent, cli) => {
  const group = parent.command("reviews").description("Payments that do not match what was asked for.");
  group
    .command("list")
    .option("--all", "also those that are decided")
    .description("List payments that wait for a decision, the newest first.")
    .addOption(sortOption())
    .action(({ all, ...listed }) =>
      printRows(
        cli,
        REVIEW,
        async (api, query) => {
          const params = { query: { ...query, ...(all ? {} : { status: "open" as const }) } };
          const { data } = await reply(api.GET("/api/v1/admin/payments/reviews", { params }));
          return page(data.reviews, data.pagination);
        },
        listed,
      ),
    );
  for (const action of ["credit", "dismiss"] as const) {
    group
      .command(action)
      .argument("<id>", "id of a review")
      .requiredOption("--note <text>", "why")
      .description(action === "credit" ? "Credit what was paid." : "Credit nothing.")
      .action(async (id, { note }) => {
        await cli.confirm(action === "credit" ? "Credit what was paid?" : "Credit nothing?");
        const request = { params: { path: { id } }, body: { action, note } };
        const { data } = await reply(
          (await cli.api()).POST("/api/v1/admin/payments/reviews/{id}/resolve", request),
        );
        await cli.print.done(`The review is ${data.status}.`, data);
      });
  }
};
