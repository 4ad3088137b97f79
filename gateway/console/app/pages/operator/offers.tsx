import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { byFile } from "../../lib/commands.ts";
import { plural } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { PriceTags } from "./price-tags.tsx";
import { ProductFields, pricesOf, setupCentsOf, specsOf } from "./product-fields.tsx";
import { OperatorHead } from "./tabs.tsx";

type Offer = Schemas["Offer"];
const KEY = ["operator", "offers"] as const;

/** What can be ordered, and is delivered later. */
export default function OffersPage() {
  const [edited, setEdited] = useState<Offer | "new">();
  const [withdrawn, setWithdrawn] = useState<Offer>();
  const query = useList(KEY, async (cursor) => {
    const reply = await api.GET("/api/v1/admin/offers", { params: { query: from(cursor) } });
    return { items: await dataOf(Promise.resolve(reply)), next: reply.data?.pagination.next_cursor ?? null };
  });
  return (
    <>
      <OperatorHead>
        <Button look="primary" icon="plus" onPress={() => setEdited("new")}>
          Add an offer
        </Button>
      </OperatorHead>
      <LoadedList
        query={query}
        empty={
          <Empty icon="market" title="No offers yet">
            An offer is a server that you order for whoever reserves it, and deliver within some hours.
          </Empty>
        }
      >
        {(offers) => (
          <Table
            caption="Offers"
            columns={columnsOf(setEdited, setWithdrawn)}
            rows={offers}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {edited && (
        <OfferForm {...(edited === "new" ? {} : { offer: edited })} onClose={() => setEdited(undefined)} />
      )}
      {withdrawn && <WithdrawOffer offer={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </>
  );
}

const columnsOf = (
  onEdit: (offer: Offer) => void,
  onWithdraw: (offer: Offer) => void,
): readonly Column<Offer>[] => [
  { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
  {
    title: "State",
    cell: ({ orderable }) => (
      <Status tone={orderable ? "good" : "idle"}>{orderable ? "orderable" : "withdrawn"}</Status>
    ),
  },
  { title: "Lead time", cell: ({ lead_time_hours }) => plural(lead_time_hours, "hour") },
  {
    title: "Prices",
    cell: ({ pricing_rules }) => <PriceTags prices={pricing_rules} />,
  },
  {
    title: "Change",
    isActions: true,
    cell: (offer) =>
      offer.orderable && (
        <>
          <Button look="quiet" aria-label={`Change ${offer.name}`} onPress={() => onEdit(offer)}>
            Change
          </Button>
          <Button
            look="remove"
            icon="close"
            aria-label={`Withdraw ${offer.name}`}
            onPress={() => onWithdraw(offer)}
          >
            Withdraw
          </Button>
        </>
      ),
  },
];

function OfferForm({ offer, onClose }: { offer?: Offer; onClose: () => void }) {
  const bodyOf = (values: Values, isStrict = false) => ({
    name: values.name ?? "",
    lead_time_hours: Number(values.lead_time_hours),
    specs: specsOf(values, offer?.specs),
    pricing_rules: pricesOf(values, isStrict),
    setup_fee_cents: setupCentsOf(values),
  });
  const save = async (values: Values) => {
    const body = bodyOf(values, true);
    await perform(
      offer ? "The offer is changed" : `${body.name} is offered`,
      () =>
        offer
          ? api.PATCH("/api/v1/admin/offers/{id}", { params: { path: { id: offer.id } }, body })
          : api.POST("/api/v1/admin/offers", { body }),
      KEY,
    );
    onClose();
  };
  return (
    <Dialog title={offer ? `Change ${offer.name}` : "Add an offer"} onClose={onClose} isWide>
      <Form
        submit={offer ? "Save" : "Add the offer"}
        onSubmit={save}
        command={(values) => ({
          method: offer ? "PATCH" : "POST",
          path: offer ? `/api/v1/admin/offers/${offer.id}` : "/api/v1/admin/offers",
          ...byFile(
            offer ? ["admin", "offers", "update", offer.name] : ["admin", "offers", "add"],
            bodyOf(values),
          ),
        })}
      >
        <div className="field-row">
          <Field
            label="Name"
            name="name"
            maxLength={100}
            isRequired
            autoFocus
            defaultValue={offer?.name ?? ""}
          />
          <Field
            label="Delivered within, hours"
            name="lead_time_hours"
            inputMode="numeric"
            pattern="\d{1,3}"
            mismatch="A whole number up to 999."
            isRequired
            defaultValue={String(offer?.lead_time_hours ?? 24)}
          />
        </div>
        <ProductFields
          {...(offer && {
            specs: offer.specs,
            prices: offer.pricing_rules,
            setupCents: offer.setup_fee_cents,
          })}
        />
      </Form>
    </Dialog>
  );
}

const WithdrawOffer = ({ offer: { id, name }, onClose }: { offer: Offer; onClose: () => void }) => (
  <Confirm
    title={`Withdraw ${name}?`}
    action="Withdraw the offer"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        `${name} is withdrawn`,
        () => api.DELETE("/api/v1/admin/offers/{id}", { params: { path: { id } } }),
        KEY,
      )
    }
    command={{
      method: "DELETE",
      path: `/api/v1/admin/offers/${id}`,
      berth: ["admin", "offers", "delete", id],
    }}
  >
    <p>Nobody can reserve it any more. Reservations that are there stay.</p>
  </Confirm>
);
