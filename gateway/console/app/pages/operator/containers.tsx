import { Link, type LinkProps } from "@tanstack/react-router";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { serverOf } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ImageName, shortReference, TONES } from "../containers/states.tsx";
import { OperatorHead } from "./tabs.tsx";
import { UserLink } from "./user-link.tsx";

type Container = Schemas["ManagedContainer"];

/** The containers of all users: whose each is, where it runs and how it is. */
export default function OperatorContainersPage() {
  const [filters, change] = useFilters(["search", "state", "host", "user_id", "server_id"]);
  const { host, user_id, server_id } = filters;
  const query = useList(
    ["operator", "containers", filters],
    async (cursor) => {
      const given = { ...filters, ...from(cursor) } as { state?: Container["state"] };
      const { containers, count, pagination } = await dataOf(
        api.GET("/api/v1/admin/containers", { params: { query: given } }),
      );
      return { items: containers, next: pagination.next_cursor, total: count };
    },
    { keepsFormer: true },
  );
  const narrowed = [
    host && `on the host ${host}`,
    server_id && "on one server",
    user_id && "of one user",
  ].filter(Boolean);
  return (
    <>
      <OperatorHead />
      <search className="filters" aria-label="Containers">
        <Field
          label="Search"
          type="search"
          value={filters.search ?? ""}
          onChange={(search) => change({ search })}
          placeholder="name, image, user or id"
        />
        <ChoiceField
          label="State"
          value={filters.state ?? ""}
          onChange={(state) => change({ state })}
          choices={["", "creating", "running", "stopped", "error"].map((value) => ({
            value,
            label: value || "any",
          }))}
        />
      </search>
      {narrowed.length > 0 && (
        <p className="bar">
          Only those {narrowed.join(" ")}
          {user_id && (
            <>
              : <UserLink id={user_id} />
            </>
          )}
          <Button look="quiet" onPress={() => change({ host: "", user_id: "", server_id: "" })}>
            Show all
          </Button>
        </p>
      )}
      <LoadedList query={query} rows={8} empty={<Empty icon="container" title="No such container" />}>
        {(containers) => (
          <Table caption="Containers" columns={COLUMNS} rows={containers} keyOf={({ id }) => id} />
        )}
      </LoadedList>
    </>
  );
}

const COLUMNS: readonly Column<Container>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <>
        <strong>{name}</strong> <span className="hint">{id}</span>
      </>
    ),
  },
  { title: "User", cell: ({ user_id, username }) => <UserLink id={user_id} name={username} /> },
  {
    title: "State",
    cell: ({ state, error }) => (
      <>
        <Status tone={TONES[state]}>{state}</Status>
        {error !== null && <span className="hint reason"> {error}</span>}
      </>
    ),
  },
  { title: "Image", cell: ({ image }) => <ImageName name={shortReference(image)} /> },
  { title: "Server", cell: serverOf },
  {
    title: "Host",
    cell: ({ server_name }) => <ContainersLink filter={{ host: server_name }}>{server_name}</ContainersLink>,
    isMinor: true,
  },
  { title: "Created", cell: ({ created_at }) => <When at={created_at} />, isFigure: true, isMinor: true },
];

interface ContainersLinkProps {
  readonly filter: Readonly<Record<string, string>>;
  readonly children: string;
}

/** To the containers of a user or on a host. */
export const ContainersLink = ({ filter, children }: ContainersLinkProps) => (
  <Link to={"/operator/containers" as LinkProps["to"]} search={filter as never}>
    {children}
  </Link>
);
