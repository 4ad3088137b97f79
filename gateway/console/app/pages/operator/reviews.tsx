import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, Facts } from "../../ui/page.tsx";
import { Status, type Tone, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { OperatorHead } from "./tabs.tsx";
import { UserLink } from "./user-link.tsx";

type Review = Schemas["PaymentReview"];
type ReviewStatus = Schemas["ReviewStatus"];
const KEY = ["operator", "reviews"] as const;

/** Payments that arrived otherwise than asked for: an administrator decides what becomes of them. */
export default function ReviewsPage() {
  const [{ status = "" }, change] = useFilters(["status"]);
  const [shown, setShown] = useState<Review>();
  const query = useList([...KEY, status], async (cursor) => {
    const given = { ...(status === "" ? {} : { status: status as ReviewStatus }), ...from(cursor) };
    const { reviews, pagination } = await dataOf(
      api.GET("/api/v1/admin/payments/reviews", { params: { query: given } }),
    );
    return { items: reviews, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead />
      <div className="filters">
        <ChoiceField
          label="State"
          value={status}
          onChange={(status) => change({ status })}
          choices={["", "open", "credited", "dismissed"].map((value) => ({ value, label: value || "any" }))}
        />
      </div>
      <LoadedList
        query={query}
        empty={
          <Empty icon="wallet" title="Nothing to review">
            A payment of another amount than asked for, or in another currency, waits here for you.
          </Empty>
        }
      >
        {(reviews) => (
          <Table
            caption="Payment reviews"
            columns={columnsOf(setShown)}
            rows={reviews}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {shown && <ReviewDialog review={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

const TONES: Record<ReviewStatus, Tone> = { open: "warn", credited: "good", dismissed: "idle" };
const paidOf = ({ paid_amount }: Review) => (paid_amount === null ? "unknown" : formatMoney(paid_amount));

const columnsOf = (onShow: (review: Review) => void): readonly Column<Review>[] => [
  { title: "Why", cell: ({ reason }) => <strong>{reason.replaceAll("_", " ")}</strong> },
  { title: "State", cell: ({ status }) => <Status tone={TONES[status]}>{status}</Status> },
  { title: "By", cell: ({ provider }) => provider, isMinor: true },
  { title: "Expected", cell: ({ expected_amount }) => formatMoney(expected_amount), isFigure: true },
  { title: "Paid", cell: paidOf, isFigure: true },
  { title: "When", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
  {
    title: "Show",
    isActions: true,
    cell: (review) => (
      <Button
        look="quiet"
        aria-label={`${review.status === "open" ? "Decide" : "Show"}: ${review.reason.replaceAll("_", " ")}`}
        onPress={() => onShow(review)}
      >
        {review.status === "open" ? "Decide" : "Show"}
      </Button>
    ),
  },
];

function ReviewDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const path = "/api/v1/admin/payments/reviews/{id}/resolve";
  const save = async (values: Values) => {
    const params = { path: { id: review.id } };
    await perform("It is decided", () => api.POST(path, { params, body: decisionOf(values) }), KEY);
    onClose();
  };
  return (
    <Dialog title="Payment review" onClose={onClose} isWide>
      <div className="stack">
        <Facts
          facts={[
            ["Expected", formatMoney(review.expected_amount)],
            ["Paid", paidOf(review)],
            ["User", <UserLink key="user" id={review.user_id} />],
            ["Session", <code key="session">{review.session_id}</code>],
            ...(review.note === null ? [] : [["Decision", review.note] as const]),
          ]}
        />
        <h3>As the processor reported it</h3>
        <pre>{review.reported}</pre>
        {review.status === "open" && (
          <Form
            submit="Decide"
            onSubmit={save}
            command={(values) => ({
              method: "POST",
              path: path.replace("{id}", review.id),
              body: decisionOf(values),
              berth: [
                ...["admin", "reviews", decisionOf(values).action, review.id],
                ...["--note", values.note || "…"],
              ],
            })}
          >
            <ChoiceField
              label="Decision"
              name="action"
              choices={[
                { value: "credit", label: "Credit the paid amount" },
                { value: "dismiss", label: "Dismiss: nothing is credited" },
              ]}
            />
            <Field label="Note" name="note" isRequired hint="Why. It is kept." />
          </Form>
        )}
      </div>
    </Dialog>
  );
}

const decisionOf = ({ action = "credit", note = "" }: Values) => ({
  action: action as "credit" | "dismiss",
  note,
});
