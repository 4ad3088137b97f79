import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../../lib/api.ts";
import { formatDateTime, formatMoney, formatNumber } from "../../lib/format.ts";
import { quotedId } from "../../lib/quoted-id.ts";
import { useSession } from "../../lib/session.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Facts, Loaded, PageHead, Section } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TONES } from "../containers/states.tsx";
import { DeleteUserDialog } from "./delete-user.tsx";
import { RoleDialog } from "./role.tsx";
import { NOT_BEGUN } from "./servers.tsx";
import { Transactions } from "./transactions.tsx";
import { CreditDialog, RecoveryDialog, SuspensionDialog } from "./user-acts.tsx";
import { useUser } from "./user-link.tsx";
import { Invoices, Reservations } from "./user-orders.tsx";
import { UserState } from "./users.tsx";

type User = Schemas["UserRecord"];

/** One account: what it has, and what an administrator may do about it. */
export default function UserPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <Loaded query={useUser(id)}>{(user) => <OneUser user={user} />}</Loaded>;
}

function OneUser({ user }: { user: User }) {
  const [opened, setOpened] = useState<"credit" | "recovery" | "suspension" | "deletion" | "role">();
  const isOwn = useSession()?.user.id === user.id;
  const close = () => setOpened(undefined);
  return (
    <>
      <PageHead
        title={user.username}
        under={{ title: "Users", to: "/operator/users" }}
        status={<UserState status={user.status} />}
      >
        {user.status !== "deleted" && (
          <>
            <Button onPress={() => setOpened("credit")}>Credit the wallet</Button>
            <Button onPress={() => setOpened("recovery")}>Recovery link</Button>
            <Button onPress={() => setOpened("suspension")}>
              {user.status === "active" ? "Suspend" : "Restore"}
            </Button>
            {(user.role === "admin" ? isOwn : user.status === "active") && (
              <Button onPress={() => setOpened("role")}>
                {isOwn ? "Give up being an administrator" : "Make an administrator"}
              </Button>
            )}
            {user.role !== "admin" && (
              <Button look="risky" onPress={() => setOpened("deletion")}>
                Delete
              </Button>
            )}
          </>
        )}
      </PageHead>
      <div className="panel">
        <Facts facts={factsOf(user)} />
      </div>
      <Section
        title="Rentals"
        actions={
          user.rentals.length > 0 && (
            <ButtonLink look="quiet" to={`/operator/servers?user_id=${quotedId(user.id)}`}>
              Servers rented now
            </ButtonLink>
          )
        }
      >
        {user.rentals.length === 0 ? (
          <p className="hint">None.</p>
        ) : (
          <Table caption="Rentals" columns={RENTALS} rows={user.rentals} keyOf={({ id }) => id} />
        )}
      </Section>
      <Section
        title="Containers"
        actions={
          user.containers.length > 0 && (
            <ButtonLink look="quiet" to={`/operator/containers?user_id=${quotedId(user.id)}`}>
              All containers, with image and host
            </ButtonLink>
          )
        }
      >
        {user.containers.length === 0 ? (
          <p className="hint">None.</p>
        ) : (
          <Table caption="Containers" columns={CONTAINERS} rows={user.containers} keyOf={({ id }) => id} />
        )}
      </Section>
      <Reservations userId={user.id} />
      <Transactions userId={user.id} />
      <Invoices userId={user.id} />
      {opened === "credit" && <CreditDialog user={user} onClose={close} />}
      {opened === "recovery" && <RecoveryDialog user={user} onClose={close} />}
      {opened === "deletion" && <DeleteUserDialog user={user} onClose={close} />}
      {opened === "role" && <RoleDialog user={user} onClose={close} />}
      {opened === "suspension" && <SuspensionDialog user={user} onClose={close} />}
    </>
  );
}

const factsOf = (user: User) => [
  ["E-mail", `${user.email}${user.email_verified ? "" : " (not verified)"}`] as const,
  ["Second factor", user.second_factor ? "on" : "off"] as const,
  ["Role", user.role] as const,
  ["Balance", formatMoney(user.general_balance)] as const,
  ["Sessions", formatNumber(user.sessions)] as const,
  ["API tokens", formatNumber(user.api_tokens)] as const,
  ["Since", formatDateTime(user.created_at)] as const,
  ["User id", <Copyable key="id" text={user.id} label="the user id" />] as const,
  ...(user.suspension === null
    ? []
    : [["Suspended", `${user.suspension.reason}, ${formatDateTime(user.suspension.since)}`] as const]),
];

const RENTALS: readonly Column<User["rentals"][number]>[] = [
  { title: "Server", cell: ({ server_name }) => <strong>{server_name}</strong> },
  {
    title: "State",
    cell: ({ status }) => <Status tone={status === "active" ? "good" : "idle"}>{status}</Status>,
  },
  {
    title: "Until",
    cell: ({ rental_end, awaits_delivery }) => (awaits_delivery ? NOT_BEGUN : <When at={rental_end} />),
    isFigure: true,
  },
];

const CONTAINERS: readonly Column<User["containers"][number]>[] = [
  { title: "Container", cell: ({ name }) => <strong>{name}</strong> },
  { title: "Host", cell: ({ server_name }) => server_name },
  {
    title: "State",
    cell: ({ state }) => <Status tone={TONES[state as keyof typeof TONES] ?? "idle"}>{state}</Status>,
  },
];
