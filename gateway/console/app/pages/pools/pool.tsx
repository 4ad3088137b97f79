import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { perform } from "../../lib/perform.ts";
import { poolQuery } from "../../lib/reads.ts";
import { currentSession } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Loaded, PageHead, Section } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { DescribePool } from "./describe.tsx";
import { InviteMember } from "./invite.tsx";
import { Members } from "./members.tsx";

type Pool = Schemas["PoolDetail"];

/** One pool: who is in it, who is invited, and which servers they share. */
export default function PoolPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(poolQuery(id));
  return <Loaded query={query}>{(pool) => <OnePool pool={pool} />}</Loaded>;
}

function OnePool({ pool }: { pool: Pool }) {
  const [opened, setOpened] = useState<"invite" | "describe" | "delete" | "leave">();
  useAsked(setOpened);
  const close = () => setOpened(undefined);
  const { name, description, role, is_default, servers } = pool;
  return (
    <>
      <PageHead
        title={name}
        under={{ title: "Pools", to: "/pools" }}
        status={<Status tone="idle">{`you are ${role}`}</Status>}
      >
        {role !== "user" && (
          <Button look="primary" icon="plus" onPress={() => setOpened("invite")}>
            Invite
          </Button>
        )}
        {role === "owner" && <Button onPress={() => setOpened("describe")}>Describe</Button>}
        {role === "owner" ? (
          !is_default && (
            <Button look="risky" onPress={() => setOpened("delete")}>
              Delete
            </Button>
          )
        ) : (
          <Button look="risky" onPress={() => setOpened("leave")}>
            Leave
          </Button>
        )}
      </PageHead>
      {description && <p className="hint bar">{description}</p>}
      <Members pool={pool} />
      <Section title="Servers">
        {servers.length === 0 ? (
          <p className="hint">None yet. Who rents a server chooses the pool that it is in.</p>
        ) : (
          <Table
            caption="Servers"
            columns={SERVERS}
            rows={servers}
            keyOf={({ rental_id }) => rental_id}
            linkOf={({ rental_id }) => `/servers/${rental_id}`}
          />
        )}
      </Section>
      {opened === "describe" && <DescribePool pool={pool} onClose={close} />}
      {opened === "invite" && <InviteMember poolId={pool.id} onClose={close} />}
      {opened === "delete" && <DeletePool pool={pool} onClose={close} />}
      {opened === "leave" && <LeavePool pool={pool} onClose={close} />}
    </>
  );
}

const SERVERS: readonly Column<Pool["servers"][number]>[] = [
  { title: "Server", cell: ({ server_name }) => server_name },
  { title: "Rented until", cell: ({ rental_end }) => <When at={rental_end} />, isFigure: true },
];

interface EndProps {
  readonly pool: Pool;
  readonly onClose: () => void;
}

function DeletePool({ pool: { id, name }, onClose }: EndProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Delete the pool ${name}?`}
      action="Delete the pool"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE("/api/v1/pools/{id}", { params: { path: { id } } });
        await navigate({ to: "/pools" as "." });
        await perform(`${name} is deleted`, async () => {}, ["pools", "list"], ["rentals"]);
      }}
      command={{ method: "DELETE", path: `/api/v1/pools/${id}`, berth: ["pool", "delete", id] }}
    >
      <p>Its members lose their way to its servers. The servers themselves stay yours.</p>
    </Confirm>
  );
}

function LeavePool({ pool: { id, name }, onClose }: EndProps) {
  const navigate = useNavigate();
  const { id: userId = "", username = "" } = currentSession()?.user ?? {};
  return (
    <Confirm
      title={`Leave the pool ${name}?`}
      action="Leave the pool"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE("/api/v1/pools/{id}/members/{userId}", { params: { path: { id, userId } } });
        await navigate({ to: "/pools" as "." });
        await perform(`You have left ${name}`, async () => {}, ["pools", "list"], ["rentals"]);
      }}
      command={{
        method: "DELETE",
        path: `/api/v1/pools/${id}/members/${userId}`,
        berth: ["pool", "remove", id, username],
      }}
    >
      <p>You can no longer use its servers. Containers that you made there stay visible to you.</p>
    </Confirm>
  );
}
