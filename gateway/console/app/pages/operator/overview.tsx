import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dataOf, polledApi, type Schemas } from "../../lib/api.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, Loaded, Section } from "../../ui/page.tsx";
import { Status, type Tone } from "../../ui/status.tsx";
import { OperatorHead } from "./tabs.tsx";

type Overview = Schemas["OverviewReply"]["data"];
type Attention = Overview["attention"][number];

/** No event tells that a host is silent or an actor host slow. */
const LOOKED_MS = 5_000;

/** What waits for an operator, and what there is. */
export default function OverviewPage() {
  const query = useQuery({
    queryKey: ["operator", "overview"],
    queryFn: () => dataOf(polledApi.GET("/api/v1/admin/overview")),
    refetchInterval: LOOKED_MS,
  });
  return (
    <>
      <OperatorHead />
      <Loaded query={query} rows={6}>
        {({ attention, holdings }) => (
          <>
            <Holdings holdings={holdings} />
            <Section title="Waits for you">
              {attention.length === 0 ? (
                <Empty icon="check" title="Nothing waits for you">
                  Hosts that fall silent, payments to review, servers to deliver and certificates that fail
                  show up here.
                </Empty>
              ) : (
                <ul className="panel attention">
                  {attention.map((item) => (
                    <AttentionItem key={item.kind} item={item} />
                  ))}
                </ul>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

const Holdings = ({ holdings }: { holdings: Overview["holdings"] }) => (
  <div className="tiles counts">
    <Tile title="Users" figure={holdings.users} to="/operator/users">
      active accounts
    </Tile>
    <Tile title="Hosts" figure={holdings.hosts} to="/operator/hosts">
      {formatNumber(holdings.hosts_online)} online
    </Tile>
    <Tile title="Servers" figure={holdings.servers} to="/operator/servers">
      {formatNumber(holdings.servers_rented)} rented
    </Tile>
    <Tile title="Containers" figure={holdings.containers} to="/operator/containers">
      {formatNumber(holdings.containers_running)} running
    </Tile>
  </div>
);

interface TileProps {
  readonly title: string;
  readonly figure: number;
  readonly to?: string;
  readonly children: ReactNode;
}

const Tile = ({ title, figure, to, children }: TileProps) => (
  <section className="card figure-tile" aria-label={title}>
    <h2 className="hint">{title}</h2>
    <strong>{formatNumber(figure)}</strong>
    {to === undefined ? <span className="hint">{children}</span> : <Link to={to as "."}>{children}</Link>}
  </section>
);

/** What is said of a kind, why it matters, and where it is dealt with. */
interface Words {
  readonly tone: Tone;
  readonly title: (count: number) => string;
  readonly text: string;
  readonly to: string;
  readonly action: string;
}

const WORDS: Readonly<Record<Attention["kind"], Words>> = {
  actors_quarantined: {
    tone: "bad",
    title: (count) => plural(count, "actor is in quarantine", "actors are in quarantine"),
    text: "Its record cannot be read: whoever it belongs to can change nothing in it.",
    to: "/operator/cluster",
    action: "See the cluster",
  },
  partitions_without_owner: {
    tone: "bad",
    title: (count) => plural(count, "partition has no owner", "partitions have no owner"),
    text: "Changes to what is in it wait until an actor host takes it. Is one running?",
    to: "/operator/cluster",
    action: "See the cluster",
  },
  hosts_not_heard_of: {
    tone: "bad",
    title: (count) => plural(count, "host does not answer", "hosts do not answer"),
    text: "Its containers cannot be changed, and may not run.",
    to: "/operator/hosts",
    action: "See the hosts",
  },
  tasks_failing: {
    tone: "warn",
    title: (count) => plural(count, "task fails and is tried again", "tasks fail and are tried again"),
    text: "Payments or deliveries that are under way wait for it. The actor host's log says why.",
    to: "/operator/cluster",
    action: "See the cluster",
  },
  certificates_failing: {
    tone: "warn",
    title: (count) => plural(count, "certificate cannot be had", "certificates cannot be had"),
    text: "The one in use stays in use until it ends.",
    to: "/operator/cluster?state=failing",
    action: "See the certificates",
  },
  rentals_without_host: {
    tone: "warn",
    title: (count) =>
      plural(count, "rented server waits for its host", "rented servers wait for their hosts"),
    text: "It is paid for, and its time begins when its machine has joined.",
    to: "/operator/hosts?open=add",
    action: "Join the host",
  },
  reservations_overdue: {
    tone: "warn",
    title: (count) => plural(count, "reservation is overdue", "reservations are overdue"),
    text: "It was to be delivered already. A reservation that is cancelled is paid back.",
    to: "/operator/reservations",
    action: "See the reservations",
  },
  reservations_to_deliver: {
    tone: "busy",
    title: (count) => plural(count, "reservation is to be delivered", "reservations are to be delivered"),
    text: "It is paid, and waits for a server of the stock.",
    to: "/operator/reservations",
    action: "See the reservations",
  },
  payments_to_review: {
    tone: "busy",
    title: (count) => plural(count, "payment is to be reviewed", "payments are to be reviewed"),
    text: "Another amount or currency arrived than was asked for.",
    to: "/operator/reviews?status=open",
    action: "Review",
  },
};

function AttentionItem({ item: { kind, count, names } }: { item: Attention }) {
  const { tone, title, text, to, action } = WORDS[kind];
  const more = count - names.length;
  return (
    <li>
      <div>
        <Status tone={tone}>{title(count)}</Status>
        {names.length > 0 && (
          <p>
            <bdi>{names.join(", ")}</bdi>
            {more > 0 && ` and ${formatNumber(more)} more`}
          </p>
        )}
        <p className="hint">{text}</p>
      </div>
      <ButtonLink to={to.endsWith("?open=add") ? `${to}&name=${names[0]}` : to}>{action}</ButtonLink>
    </li>
  );
}
