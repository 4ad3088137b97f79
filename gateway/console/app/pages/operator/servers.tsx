import { Link, type LinkProps } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status, type Tone, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { PriceTags } from "./price-tags.tsx";
import { ServerForm } from "./server-form.tsx";
import { StockFile } from "./stock-file.tsx";
import { OperatorHead } from "./tabs.tsx";
import { UserLink } from "./user-link.tsx";

type Server = Schemas["StockServer"];
export const STOCK_KEY = ["operator", "servers"] as const;

/** The stock: what can be rented, and what became of it. */
export default function StockPage() {
  const [edited, setEdited] = useState<Server | "new">();
  const [removed, setRemoved] = useState<Server>();
  const [filters, change] = useFilters(["search", "status", "user_id"]);
  const isNarrowed = Object.keys(filters).length > 0;
  const query = useList([...STOCK_KEY, filters], async (cursor) => {
    const given = { ...filters, ...from(cursor) } as { status?: Server["status"] };
    const { servers, pagination } = await dataOf(
      api.GET("/api/v1/admin/servers", { params: { query: given } }),
    );
    return { items: servers, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead>
        <StockFile />
        <Button look="primary" icon="plus" onPress={() => setEdited("new")}>
          Add a server
        </Button>
      </OperatorHead>
      <search className="filters" aria-label="Servers">
        <Field
          label="Search"
          type="search"
          value={filters.search ?? ""}
          onChange={(search) => change({ search })}
          placeholder="name"
        />
        <ChoiceField
          label="State"
          value={filters.status ?? ""}
          onChange={(status) => change({ status })}
          choices={["", ...Object.keys(TONES)].map((value) => ({
            value,
            label: value.replace("_", " ") || "any",
          }))}
        />
      </search>
      {filters.user_id && (
        <p className="bar">
          Only those that <UserLink id={filters.user_id} /> rents
          <Button look="quiet" onPress={() => change({ user_id: "" })}>
            Show all
          </Button>
        </p>
      )}
      <LoadedList
        query={query}
        rows={8}
        empty={
          isNarrowed ? (
            <Empty icon="search" title="No such server" />
          ) : (
            <Empty icon="server" title="The stock is empty">
              Add a server to let users rent it. Its agent may join before or after.
            </Empty>
          )
        }
      >
        {(servers) => (
          <Table
            caption="Servers"
            columns={columnsOf(setEdited, setRemoved)}
            rows={servers}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {edited && (
        <ServerForm {...(edited === "new" ? {} : { server: edited })} onClose={() => setEdited(undefined)} />
      )}
      {removed && <RemoveServer server={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

/** The end of a rental whose server is not delivered yet. */
export const NOT_BEGUN = "not begun";

const EndOf = ({ rentalEnd }: { rentalEnd: string }) => (
  <>
    {Date.parse(rentalEnd) > Date.now() ? "ends " : "ended "}
    <When at={rentalEnd} />
  </>
);

const KINDS: Record<Server["kind"], string> = {
  dedicated: "one tenant",
  shared: "has parts",
  system: "not for rent",
};

const TONES: Record<Schemas["ServerStatus"], Tone> = {
  in_stock: "good",
  renting: "busy",
  rented: "good",
  grace: "warn",
  cleaning: "busy",
  retired: "idle",
};

const columnsOf = (
  onEdit: (server: Server) => void,
  onRemove: (server: Server) => void,
): readonly Column<Server>[] => [
  {
    title: "Name",
    cell: ({ name, kind, parent_id }) => (
      <>
        <strong>{name}</strong>{" "}
        <span className="hint">{parent_id === null ? KINDS[kind] : "part of a server"}</span>
      </>
    ),
  },
  { title: "Prices", cell: ({ prices }) => <PriceTags prices={prices} />, isMinor: true },
  {
    title: "State",
    cell: ({ status }) => <Status tone={TONES[status]}>{status.replace("_", " ")}</Status>,
  },
  {
    title: "Rented by",
    cell: ({ renter }) =>
      renter === null ? (
        "–"
      ) : (
        <div>
          <UserLink id={renter.user_id} name={renter.username} />
          <div className="hint">
            {renter.awaits_delivery ? NOT_BEGUN : <EndOf rentalEnd={renter.rental_end} />}
          </div>
        </div>
      ),
  },
  {
    title: "Host",
    cell: ({ host, host_joined_at, host_draining, delivered_by_hand }) => (
      <div>
        {host_joined_at === null ? host : <Link to={"/operator/hosts" as LinkProps["to"]}>{host}</Link>}
        <div className="hint">
          {host_joined_at === null ? (
            <Status tone="warn">{delivered_by_hand ? "set up by hand" : "not joined yet"}</Status>
          ) : host_draining ? (
            <Status tone="warn">being drained</Status>
          ) : (
            <>
              joined <When at={host_joined_at} />
            </>
          )}
        </div>
      </div>
    ),
  },
  {
    title: "Change",
    isActions: true,
    cell: (server) =>
      server.status !== "retired" && (
        <>
          <Button look="quiet" aria-label={`Change ${server.name}`} onPress={() => onEdit(server)}>
            Change
          </Button>
          <Button look="remove" aria-label={`Remove ${server.name}`} onPress={() => onRemove(server)}>
            Remove
          </Button>
        </>
      ),
  },
];

const RemoveServer = ({ server: { id, name }, onClose }: { server: Server; onClose: () => void }) => (
  <Confirm
    title={`Remove ${name} from the stock?`}
    action="Remove the server"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        `${name} is removed`,
        () => api.DELETE("/api/v1/admin/servers/{id}", { params: { path: { id } } }),
        STOCK_KEY,
      )
    }
    command={{
      method: "DELETE",
      path: `/api/v1/admin/servers/${id}`,
      berth: ["admin", "servers", "delete", id],
    }}
  >
    <p>It can no longer be rented. A server that is rented stays until its rental ends.</p>
  </Confirm>
);
