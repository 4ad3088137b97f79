import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatBytes, formatNumber } from "../../lib/format.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AddRule } from "./add-rule.tsx";
import { AppliedFirewall } from "./applied-firewall.tsx";
import { ImportRules } from "./import-rules.tsx";
import { saveRules } from "./save-rules.ts";
import type { Container } from "./states.tsx";

type Rule = Schemas["ListedRule"];

/** Counters are read anew this often while the page is open. */
const COUNTED_MS = 5_000;

/** What may reach the container and what it may reach, and whether its host enforces it. */
export default function Firewall({ container }: { container: Container }) {
  const { id } = container;
  const [adds, setAdds] = useState(false);
  const [imports, setImports] = useState(false);
  const query = useQuery({
    queryKey: ["containers", id, "firewall"],
    queryFn: () => dataOf(api.GET("/api/v1/containers/{id}/firewall/rules", { params: { path: { id } } })),
    refetchInterval: COUNTED_MS,
  });
  return (
    <>
      <div className="bar">
        <Button look="primary" icon="plus" onPress={() => setAdds(true)}>
          Add a rule
        </Button>
        <Button isDisabled={query.data === undefined} onPress={() => saveRules(container.name, query.data)}>
          Export
        </Button>
        <Button onPress={() => setImports(true)}>Import</Button>
        {query.data && <AppliedFirewall firewall={query.data.firewall} />}
      </div>
      <Loaded query={query}>
        {({ ingress, egress, defaults }) => (
          <>
            <Defaults ingress={defaults.ingress} />
            {ingress.length + egress.length === 0 ? (
              <Empty icon="firewall" title="No rules yet">
                Everything may reach it. The first rule for incoming packets closes it for all others.
              </Empty>
            ) : (
              <Table
                caption="Firewall rules"
                columns={columnsFor(id)}
                rows={[...ingress, ...egress]}
                keyOf={(rule) => rule.id}
              />
            )}
            {adds && (
              <AddRule
                container={container}
                closes={ingress.every(({ state }) => state === "disabled")}
                onClose={() => setAdds(false)}
              />
            )}
          </>
        )}
      </Loaded>
      {imports && <ImportRules container={container} onClose={() => setImports(false)} />}
    </>
  );
}

const Defaults = ({ ingress }: { ingress: Rule["action"] }) => (
  <p className="hint bar">
    {ingress === "allow"
      ? "Incoming packets that no rule matches pass."
      : "Incoming packets that no rule allows are refused. Its names and services still reach it."}{" "}
    Outgoing packets pass unless a rule denies them.
  </p>
);

const columnsFor = (id: string): readonly Column<Rule>[] => [
  { title: "Direction", cell: ({ direction }) => (direction === "ingress" ? "in" : "out") },
  {
    title: "Action",
    cell: ({ action }) => <Status tone={action === "allow" ? "good" : "bad"}>{action}</Status>,
  },
  { title: "What", cell: whatOf },
  { title: "From or to", cell: ({ source, destination }) => source ?? destination ?? "anywhere" },
  { title: "Note", cell: ({ description }) => description },
  {
    title: "Packets",
    isFigure: true,
    cell: ({ packets, bytes }) =>
      packets === null ? "–" : `${formatNumber(packets)} (${formatBytes(bytes ?? 0)})`,
  },
  { title: "Change", isActions: true, cell: (rule) => <RuleActions id={id} rule={rule} /> },
];

function whatOf({ protocol, destination_port, source_port, icmp_type }: Rule): string {
  if (protocol === "icmp4") return icmp_type === undefined ? "ping and other ICMP" : `ICMP ${icmp_type}`;
  const ports = destination_port === undefined ? "all ports" : `port ${destination_port}`;
  return `${protocol} ${ports}${source_port === undefined ? "" : ` from port ${source_port}`}`;
}

function RuleActions({ id, rule }: { id: string; rule: Rule }) {
  const path = { id, rule_id: rule.id };
  const changed = ["containers", id] as const;
  const isEnabled = rule.state === "enabled";
  const state = isEnabled ? "disabled" : "enabled";
  const name = `${rule.direction} ${whatOf(rule)}`;
  return (
    <>
      <label className="switch-box">
        <input
          type="checkbox"
          checked={isEnabled}
          aria-label={`${name} is enabled`}
          onChange={() =>
            void act(
              `The rule is ${state}`,
              () =>
                api.PATCH("/api/v1/containers/{id}/firewall/rules/{rule_id}", {
                  params: { path },
                  body: { state },
                }),
              changed,
            )
          }
        />
        <span aria-hidden="true">{isEnabled ? "on" : "off"}</span>
      </label>
      <IconButton
        icon="close"
        label={`Remove ${name}`}
        onPress={() =>
          void act(
            "The rule is removed",
            () => api.DELETE("/api/v1/containers/{id}/firewall/rules/{rule_id}", { params: { path } }),
            changed,
          )
        }
      />
    </>
  );
}
