import { useQuery } from "@tanstack/react-query";
import { dataOf, polledApi, type Schemas } from "../../lib/api.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { Loaded, Section } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Certificates } from "./certificates.tsx";
import { OperatorHead } from "./tabs.tsx";

type Cluster = Schemas["ClusterReply"]["data"];
type Host = Cluster["hosts"][number];
type Partition = Cluster["partitions"][number];

/** No event tells how the cluster is. */
const LOOKED_MS = 2_000;

/** Who owns what of the actors, how far behind they are, and how long their commits take. */
export default function ClusterPage() {
  const query = useQuery({
    queryKey: ["operator", "cluster"],
    queryFn: () => dataOf(polledApi.GET("/api/v1/admin/cluster")),
    refetchInterval: LOOKED_MS,
  });
  return (
    <>
      <OperatorHead />
      <Loaded query={query} rows={6}>
        {({ hosts, partitions }) => (
          <>
            <Section title="Actor hosts">
              <Table caption="Actor hosts" columns={HOSTS} rows={hosts} keyOf={({ host }) => host} />
            </Section>
            <Certificates />
            <Section title="Partitions">
              <Partitions partitions={partitions} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

const figure = (
  title: string,
  read: (status: NonNullable<Host["status"]>) => number,
  isMinor = false,
): Column<Host> => ({
  title,
  isMinor,
  cell: ({ status }) => (status === null ? "–" : formatNumber(read(status))),
  isFigure: true,
});

const HOSTS: readonly Column<Host>[] = [
  {
    title: "Host",
    cell: ({ host, status }) => (
      <>
        <strong>{host}</strong> <p className="hint">{status?.version}</p>
      </>
    ),
  },
  { title: "State", cell: ({ status }) => stateOf(status) },
  {
    title: "Started",
    cell: ({ status }) => (status === null ? "–" : <When at={status.started_at} />),
    isMinor: true,
  },
  figure("Partitions", ({ partitions }) => partitions),
  figure("Actors", ({ actors }) => actors, true),
  figure("Queued", ({ queued }) => queued),
  figure("Undelivered", ({ undelivered }) => undelivered),
  figure("Commit p50, ms", ({ commit_ms }) => commit_ms.p50),
  figure("p95, ms", ({ commit_ms }) => commit_ms.p95),
];

function stateOf(status: Host["status"]) {
  if (status === null) return <Status tone="idle">unknown</Status>;
  if (status.quarantined.length > 0)
    return <Status tone="bad">{`${formatNumber(status.quarantined.length)} in quarantine`}</Status>;
  if (status.tasks_failing > 0)
    return <Status tone="warn">{`${formatNumber(status.tasks_failing)} failing`}</Status>;
  return <Status tone="good">well</Status>;
}

/** By who owns them, those without an owner first. */
const Partitions = ({ partitions }: { partitions: readonly Partition[] }) => {
  const late = partitions.reduce((sum, { undelivered }) => sum + undelivered, 0);
  const owners = Map.groupBy(partitions, ({ expired, owner }) => (expired ? "" : (owner ?? "")));
  return (
    <>
      <p className="hint bar">
        {formatNumber(partitions.length)} partitions, {formatNumber(owners.get("")?.length ?? 0)} without an
        owner, {formatNumber(late)} effects to deliver.
      </p>
      <div className="stack">
        {[...owners]
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([owner, owned]) => (
            <Owned key={owner} owner={owner} partitions={owned} />
          ))}
      </div>
    </>
  );
};

const Owned = ({ owner, partitions }: { owner: string; partitions: readonly Partition[] }) => (
  <section className="panel">
    <h3>
      {owner === "" ? <Status tone="bad">without an owner</Status> : owner}{" "}
      <span className="hint">{plural(partitions.length, "partition")}</span>
    </h3>
    <ol className="partitions" aria-label={`Partitions ${owner === "" ? "without an owner" : `of ${owner}`}`}>
      {partitions.map(({ partition, epoch, undelivered }) => (
        <li
          key={partition}
          data-free={owner === "" || undefined}
          title={`epoch ${epoch}, ${formatNumber(undelivered)} effects to deliver`}
        >
          {partition}
        </li>
      ))}
    </ol>
  </section>
);
