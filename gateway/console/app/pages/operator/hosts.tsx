import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { formatBytes, formatNumber } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status, type Tone, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ContainersLink } from "./containers.tsx";
import { AddHost, DrainHost, JoinCommand, NewCommand, RemoveHost } from "./host-acts.tsx";
import { OperatorHead } from "./tabs.tsx";

export type Host = Schemas["HostTokenReply"]["data"];
type Listed = Omit<Host, "token" | "command">;
/** What is asked about before it is done. */
interface Asked {
  readonly act: "drain" | "command" | "remove";
  readonly host: Listed;
}
export const HOSTS_KEY = ["operator", "hosts"] as const;

/** A host that falls silent makes no event. */
const LOOKED_MS = 5_000;

/** The machines that run containers: which are there, and how another one joins. */
export default function HostsPage() {
  const [adds, setAdds] = useState(false);
  const [joining, setJoining] = useState<Host>();
  const [asked, setAsked] = useState<Asked>();
  const { name } = useSearch({ strict: false }) as { name?: string };
  useAsked(() => setAdds(true));
  const close = () => setAsked(undefined);
  const query = useList(
    HOSTS_KEY,
    async (cursor) => {
      const { hosts, pagination } = await dataOf(
        api.GET("/api/v1/admin/hosts", { params: { query: from(cursor) } }),
      );
      return { items: hosts, next: pagination.next_cursor };
    },
    { everyMs: LOOKED_MS },
  );
  return (
    <>
      <OperatorHead>
        <Button look="primary" icon="plus" onPress={() => setAdds(true)}>
          Add a host
        </Button>
      </OperatorHead>
      <LoadedList
        query={query}
        empty={
          <Empty icon="server" title="No hosts have joined yet">
            Add a host, and run the command that you get on the machine: it joins by itself.
          </Empty>
        }
      >
        {(hosts) => (
          <Table caption="Hosts" columns={columnsOf(setAsked)} rows={hosts} keyOf={({ id }) => id} />
        )}
      </LoadedList>
      {adds && (
        <AddHost
          {...(name === undefined ? {} : { name })}
          onClose={() => setAdds(false)}
          onAdded={(host) => {
            setAdds(false);
            setJoining(host);
          }}
        />
      )}
      {joining && <JoinCommand host={joining} onClose={() => setJoining(undefined)} />}
      {asked?.act === "drain" && <DrainHost host={asked.host} onClose={close} />}
      {asked?.act === "command" && <NewCommand host={asked.host} onClose={close} onMade={setJoining} />}
      {asked?.act === "remove" && <RemoveHost host={asked.host} onClose={close} />}
    </>
  );
}

const TONES: Record<Listed["status"], Tone> = {
  pending: "busy",
  online: "good",
  silent: "bad",
  offline: "bad",
};

const columnsOf = (onAsk: (asked: Asked) => void): readonly Column<Listed>[] => [
  { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
  {
    title: "State",
    cell: ({ status, draining }) => (
      <Status tone={draining ? "warn" : TONES[status]}>{draining ? `${status}, draining` : status}</Status>
    ),
  },
  { title: "Machine", cell: machineOf, isMinor: true },
  {
    title: "Containers",
    cell: ({ name, containers }) => (
      <ContainersLink filter={{ host: name }}>{formatNumber(containers)}</ContainersLink>
    ),
    isFigure: true,
  },
  {
    title: "Last seen",
    cell: ({ last_seen_at }) => (last_seen_at === null ? "never" : <When at={last_seen_at} />),
    isFigure: true,
  },
  {
    title: "Change",
    isActions: true,
    cell: (host) => (
      <>
        <Button
          look="quiet"
          aria-label={`${host.draining ? "Use again" : "Drain"} ${host.name}`}
          onPress={() => (host.draining ? useAgain(host) : onAsk({ act: "drain", host }))}
        >
          {host.draining ? "Use again" : "Drain"}
        </Button>
        <Button
          look="quiet"
          aria-label={`Join command for ${host.name}`}
          onPress={() => onAsk({ act: "command", host })}
        >
          Join command
        </Button>
        <Button
          look="remove"
          aria-label={`Remove ${host.name}`}
          onPress={() => onAsk({ act: "remove", host })}
        >
          Remove
        </Button>
      </>
    ),
  },
];

function machineOf({ facts }: Listed): string {
  if (facts === null) return "has not joined yet";
  const { cores, memory_bytes, architecture, driver, runtime, unlimited = [] } = facts;
  const limits = unlimited.length === 0 ? "" : `, no limits of ${unlimited.join(", ").replaceAll("_", " ")}`;
  const isolation = driver === "oci" ? `${runtime ? `, ${runtime}` : ""}${limits}` : ", without isolation";
  return `${formatNumber(cores)} cores, ${formatBytes(memory_bytes)}, ${architecture}${isolation}`;
}

const useAgain = ({ id, name }: Listed) =>
  act(
    `${name} takes containers again`,
    () => api.PATCH("/api/v1/admin/hosts/{id}", { params: { path: { id } }, body: { draining: false } }),
    HOSTS_KEY,
  );
