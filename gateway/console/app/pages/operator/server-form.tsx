import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { byFile } from "../../lib/commands.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { ProductFields, pricesOf, setupCentsOf, specsOf } from "./product-fields.tsx";
import { STOCK_KEY } from "./servers.tsx";

type Server = Schemas["StockServer"];

interface ServerFormProps {
  /** The one that is changed; absent: a new one. */
  readonly server?: Server;
  readonly onClose: () => void;
}

const KINDS = [
  { value: "dedicated", label: "dedicated: one tenant" },
  { value: "shared", label: "shared: has parts" },
  { value: "system", label: "system: not for rent" },
];

/** A part of a shared server is rented like a server, and lives on its host. */
function ParentChoice() {
  const { data } = useQuery({
    queryKey: [...STOCK_KEY, "parents"],
    queryFn: () => dataOf(api.GET("/api/v1/admin/servers", { params: { query: { limit: "500" } } })),
  });
  const shared = data?.servers.filter(({ kind }) => kind === "shared") ?? [];
  if (shared.length === 0) return null;
  return (
    <ChoiceField
      label="Part of"
      name="parent_id"
      choices={[
        { value: "", label: "none: its own" },
        ...shared.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

/** A server of the stock. */
export function ServerForm({ server, onClose }: ServerFormProps) {
  const changedOf = (values: Values, isStrict = false) => ({
    specs: specsOf(values, server?.specs),
    prices: pricesOf(values, isStrict),
    setup_fee_cents: setupCentsOf(values),
    delivered_by_hand: values.delivered_by_hand !== undefined,
  });
  const newOf = (values: Values, isStrict = false) => ({
    name: values.name ?? "",
    kind: (values.kind ?? "dedicated") as Schemas["ServerKind"],
    ...(values.parent_id ? { parent_id: values.parent_id } : {}),
    ...changedOf(values, isStrict),
  });
  const save = async (values: Values) => {
    await perform(
      server ? "The server is changed" : `${values.name} is in the stock`,
      () =>
        server
          ? api.PATCH("/api/v1/admin/servers/{id}", {
              params: { path: { id: server.id } },
              body: changedOf(values, true),
            })
          : api.POST("/api/v1/admin/servers", { body: newOf(values, true) }),
      STOCK_KEY,
    );
    onClose();
  };
  return (
    <Dialog title={server ? `Change ${server.name}` : "Add a server"} onClose={onClose} isWide>
      <Form
        submit={server ? "Save" : "Add the server"}
        onSubmit={save}
        fieldOf={{ NAME_TAKEN: "name" }}
        command={(values) =>
          server
            ? {
                method: "PATCH",
                path: `/api/v1/admin/servers/${server.id}`,
                ...byFile(["admin", "servers", "update", server.name], changedOf(values)),
              }
            : {
                method: "POST",
                path: "/api/v1/admin/servers",
                ...byFile(["admin", "servers", "add"], newOf(values)),
              }
        }
      >
        {server === undefined && (
          <div className="field-row">
            <Field
              label="Name"
              name="name"
              maxLength={63}
              isRequired
              autoFocus
              hint="Addresses of its containers contain it."
            />
            <ChoiceField label="Kind" name="kind" choices={KINDS} />
            <ParentChoice />
          </div>
        )}
        <ProductFields
          {...(server && {
            specs: server.specs,
            prices: server.prices,
            setupCents: server.setup_fee_cents,
          })}
        />
        <CheckField
          name="delivered_by_hand"
          label="Can be rented before its host has joined"
          hint="An operator sets it up for whoever rents it."
          defaultChecked={server?.delivered_by_hand ?? false}
        />
      </Form>
    </Dialog>
  );
}
