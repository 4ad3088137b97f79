import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatBytes, formatNumber } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status, type Tone, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AddHost, JoinCommand, RemoveHost } from "./host-acts.tsx";
import { OperatorHead } from "./tabs.tsx";

export type Host = Schemas["HostTokenReply"]["data"];
type Listed = Omit<Host, "token" | "command">;
export const HOSTS_KEY = ["operator", "hosts"] as const;

/** A host that falls silent makes no event. */
const LOOKED_MS = 5_000;

/** The machines that run containers: which are there, and how another one joins. */
export default function HostsPage() {
  const [adds, setAdds] = useState(false);
  const [joining, setJoining] = useState<Host>();
  const [removed, setRemoved] = useState<Listed>();
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
          <Table
            caption="Hosts"
            columns={columnsOf(setJoining, setRemoved)}
            rows={hosts}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {adds && (
        <AddHost
          onClose={() => setAdds(false)}
          onAdded={(host) => {
            setAdds(false);
            setJoining(host);
          }}
        />
      )}
      {joining && <JoinCommand host={joining} onClose={() => setJoining(undefined)} />}
      {removed && <RemoveHost host={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

const TONES: Record<Listed["status"], Tone> = {
  pending: "busy",
  online: "good",
  silent: "bad",
  offline: "bad",
};

const columnsOf = (
  onJoin: (host: Host) => void,
  onRemove: (host: Listed) => void,
): readonly Column<Listed>[] => [
  { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
  {
    title: "State",
    cell: ({ status, draining }) => (
      <Status tone={draining ? "warn" : TONES[status]}>{draining ? `${status}, draining` : status}</Status>
    ),
  },
  { title: "Machine", cell: machineOf },
  { title: "Containers", cell: ({ containers }) => formatNumber(containers), isFigure: true },
  {
    title: "Heard of",
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
          onPress={() => void setDraining(host)}
        >
          {host.draining ? "Use again" : "Drain"}
        </Button>
        <Button
          look="quiet"
          aria-label={`Command for ${host.name}`}
          onPress={() => void newCommand(host, onJoin)}
        >
          Command
        </Button>
        <Button look="quiet" aria-label={`Remove ${host.name}`} onPress={() => onRemove(host)}>
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

const setDraining = ({ id, name, draining }: Listed) =>
  act(
    draining ? `${name} takes containers again` : `${name} takes no new containers`,
    () => api.PATCH("/api/v1/admin/hosts/{id}", { params: { path: { id } }, body: { draining: !draining } }),
    HOSTS_KEY,
  );

const newCommand = ({ id }: Listed, onJoin: (host: Host) => void) =>
  act(
    "The command before this one no longer works",
    async () =>
      onJoin(await dataOf(api.POST("/api/v1/admin/hosts/{id}/token", { params: { path: { id } } }))),
    HOSTS_KEY,
  );
