import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act, refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatType } from "../../lib/format.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Table } from "../../ui/table.tsx";

type Method = Schemas["PaymentMethod"];

/** Notes of what the user pays with. Nothing is ever charged to them: payments happen on the processor's page. */
export function PaymentMethods() {
  const [adds, setAdds] = useState(false);
  const query = useQuery({
    queryKey: ["wallet", "methods"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/payment-methods")),
  });
  return (
    <>
      <div className="bar">
        <Button icon="plus" onPress={() => setAdds(true)}>
          Add a payment method
        </Button>
        <span className="hint">A note for yourself: top-ups are paid on the processor's own page.</span>
      </div>
      <Loaded query={query}>
        {(methods) =>
          methods.length === 0 ? (
            <Empty icon="wallet" title="No payment methods yet" />
          ) : (
            <Table
              caption="Payment methods"
              rows={methods}
              keyOf={({ id }) => id}
              columns={[
                { title: "Name", cell: ({ name }) => name },
                { title: "Kind", cell: ({ type }) => formatType(type) },
                {
                  title: "Default",
                  cell: ({ is_default }) => (is_default ? <Status tone="good">default</Status> : "–"),
                },
                { title: "Change", isActions: true, cell: (method) => <MethodActions method={method} /> },
              ]}
            />
          )
        }
      </Loaded>
      {adds && <AddMethod onClose={() => setAdds(false)} />}
    </>
  );
}

function MethodActions({ method: { id, name, is_default } }: { method: Method }) {
  const path = { id };
  return (
    <>
      {!is_default && (
        <Button
          look="quiet"
          onPress={() =>
            act(
              `${name} is the default`,
              () => api.PUT("/api/v1/wallet/payment-methods/{id}/default", { params: { path } }),
              ["wallet", "methods"],
            )
          }
        >
          Make it the default
        </Button>
      )}
      <IconButton
        look="remove"
        label={`Delete ${name}`}
        onPress={() =>
          act(
            `${name} is deleted`,
            () => api.DELETE("/api/v1/wallet/payment-methods/{id}", { params: { path } }),
            ["wallet", "methods"],
          )
        }
      />
    </>
  );
}

function AddMethod({ onClose }: { onClose: () => void }) {
  const bodyOf = ({ type = "card", name = "", last4 = "" }: Values) => ({
    type,
    name,
    ...(type === "card" && last4 !== "" ? { details: { last4 } } : {}),
  });
  const [type, setType] = useState("card");
  return (
    <Dialog title="Add a payment method" onClose={onClose}>
      <Form
        submit="Add it"
        onSubmit={async (values) => {
          await api.POST("/api/v1/wallet/payment-methods", { body: bodyOf(values) });
          await refresh(["wallet", "methods"]);
          toast("The payment method is added");
          onClose();
        }}
        command={(values) => ({
          method: "POST",
          path: "/api/v1/wallet/payment-methods",
          body: bodyOf(values),
          berth: null,
        })}
      >
        <Field
          label="Name"
          name="name"
          isRequired
          autoFocus
          maxLength={100}
          placeholder="Card of the company"
        />
        <ChoiceField
          label="Kind"
          name="type"
          value={type}
          onChange={setType}
          choices={[
            { value: "card", label: "card" },
            { value: "bank_account", label: "bank account" },
            { value: "crypto_wallet", label: "crypto wallet" },
          ]}
        />
        {type === "card" && (
          <Field
            label="Last four digits"
            name="last4"
            inputMode="numeric"
            pattern="[0-9]{4}"
            mismatch="Four digits."
            maxLength={4}
            hint="Never the whole number."
          />
        )}
      </Form>
    </Dialog>
  );
}
