import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { option } from "../../lib/commands.ts";
import { formatNumber } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { poolQuery, usePools } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded, PageHead, Skeleton } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Invitations, useInvitations } from "./invitations.tsx";

type Pool = Schemas["PoolSummary"];

/** The teams that one shares servers with. */
export default function PoolsPage() {
  const [creates, setCreates] = useState(false);
  useAsked(() => setCreates(true));
  const pools = usePools();
  const invitations = useInvitations();
  return (
    <>
      <PageHead title="Pools">
        <Button look="primary" icon="plus" onPress={() => setCreates(true)}>
          Create a pool
        </Button>
      </PageHead>
      <Invitations invitations={invitations.data ?? []} />
      <Loaded query={pools}>
        {(found) =>
          invitations.isPending ? (
            // They are above the list.
            <Skeleton rows={found.length} />
          ) : found.length === 0 ? (
            <Empty icon="pool" title="No pools yet">
              A pool is a team that shares servers: its members run containers on them, as far as their role
              allows.
            </Empty>
          ) : (
            <Table
              caption="Pools"
              columns={COLUMNS}
              rows={found}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/pools/${id}`}
            />
          )
        }
      </Loaded>
      {creates && <CreatePool onClose={() => setCreates(false)} />}
    </>
  );
}

const COLUMNS: readonly Column<Pool>[] = [
  { title: "Pool", cell: ({ name }) => <bdi>{name}</bdi> },
  { title: "Owner", cell: (pool) => (pool.role === "owner" ? "you" : <OwnerOf pool={pool} />) },
  {
    title: "What for",
    cell: ({ description, is_default }) =>
      description || (is_default ? "where your servers are by default" : ""),
  },
  { title: "Your role", cell: ({ role }) => role },
  { title: "Members", cell: ({ member_count }) => formatNumber(member_count), isFigure: true },
  { title: "Servers", cell: ({ server_count }) => formatNumber(server_count), isFigure: true },
];

/** Everybody has a pool named Default. */
function OwnerOf({ pool: { id } }: { pool: Pool }) {
  const { data } = useQuery(poolQuery(id));
  return data?.members[0]?.username ?? "…";
}

const CreatePool = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Create a pool" onClose={onClose}>
    <Form
      submit="Create the pool"
      onSubmit={async (values) => {
        await perform("The pool is created", () => api.POST("/api/v1/pools", { body: bodyOf(values) }), [
          "pools",
        ]);
        onClose();
      }}
      command={(values) => ({
        method: "POST",
        path: "/api/v1/pools",
        body: bodyOf(values),
        berth: ["pool", "create", values.name || "…", ...option("description", values.description)],
      })}
      fieldOf={{ POOL_NAME_TAKEN: "name" }}
    >
      <Field label="Name" name="name" maxLength={100} isRequired autoFocus />
      <Field label="What for" name="description" maxLength={500} />
    </Form>
  </Dialog>
);

const bodyOf = ({ name = "", description = "" }: Values) => ({ name, description });
