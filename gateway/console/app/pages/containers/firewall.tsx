import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { formatBytes, formatNumber } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AddRule, CLOSES } from "./add-rule.tsx";
import { AppliedFirewall } from "./applied-firewall.tsx";
import { ChangeRule } from "./change-rule.tsx";
import { ImportRules } from "./import-rules.tsx";
import { ResetFirewall } from "./reset-firewall.tsx";
import { saveRules } from "./save-rules.ts";
import type { Container } from "./states.tsx";

type Rule = Schemas["ListedRule"];

/** Counters are read again this often while the page is open. */
const COUNTED_MS = 5_000;

/** What may reach the container and what it may reach, and whether its host enforces it. */
export default function Firewall({ container }: { container: Container }) {
  const { id, server_id } = container;
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  const [adds, setAdds] = useState(false);
  useAsked(() => setAdds(true));
  const [imports, setImports] = useState(false);
  const [resets, setResets] = useState(false);
  const [changed, setChanged] = useState<Rule>();
  const query = useQuery({
    queryKey: ["containers", id, "firewall"],
    queryFn: () => dataOf(api.GET("/api/v1/containers/{id}/firewall/rules", { params: { path: { id } } })),
    refetchInterval: COUNTED_MS,
  });
  return (
    <>
      <div className="bar">
        <Button look="primary" icon="plus" isDisabled={isReadOnly} onPress={() => setAdds(true)}>
          Add a rule
        </Button>
        <Button isDisabled={query.data === undefined} onPress={() => saveRules(container.name, query.data)}>
          Export
        </Button>
        <Button isDisabled={isReadOnly} onPress={() => setImports(true)}>
          Import
        </Button>
        {query.data && canReset(query.data) && (
          <Button look="risky" isDisabled={isReadOnly} onPress={() => setResets(true)}>
            Reset
          </Button>
        )}
        {query.data && <AppliedFirewall firewall={query.data.firewall} />}
      </div>
      <Loaded query={query}>
        {({ ingress, egress, defaults }) => (
          <>
            <Defaults ingress={defaults.ingress} />
            {ingress.length + egress.length === 0 ? (
              <Empty icon="firewall" title={isOpen(defaults) ? "No rules yet" : "No rules are left"}>
                {isOpen(defaults)
                  ? "Everything may reach it. The first rule for incoming packets closes it for all others."
                  : "It stays closed to incoming packets until you add a rule or reset the firewall, which opens it."}
              </Empty>
            ) : (
              <Table
                caption="Firewall rules"
                columns={columnsFor(id, ingress.every(isDisabled), isReadOnly, setChanged)}
                rows={[...ingress, ...egress]}
                keyOf={(rule) => rule.id}
              />
            )}
            {adds && (
              <AddRule container={container} closes={isOpen(defaults)} onClose={() => setAdds(false)} />
            )}
          </>
        )}
      </Loaded>
      {/* Not in the rule's row, which goes when somebody removes the rule. */}
      {changed && <ChangeRule container={container} rule={changed} onClose={() => setChanged(undefined)} />}
      {imports && <ImportRules container={container} onClose={() => setImports(false)} />}
      {resets && <ResetFirewall container={container} onClose={() => setResets(false)} />}
    </>
  );
}

type Rules = Schemas["FirewallListing"];

/** The first enabled rule for incoming packets closes a container for all others; removing it does not open it again. */
const isOpen = ({ ingress }: Rules["defaults"]): boolean => ingress === "allow";

const canReset = ({ ingress, egress, defaults }: Rules): boolean =>
  ingress.length + egress.length > 0 || !isOpen(defaults);

const Defaults = ({ ingress }: { ingress: Rule["action"] }) => (
  <p className="hint bar">
    {ingress === "allow"
      ? "Incoming packets that no rule matches pass."
      : "Incoming packets that no rule allows are refused. Its names and services still reach it."}{" "}
    Outgoing packets pass unless a rule denies them.
  </p>
);

const isDisabled = ({ state }: Rule): boolean => state === "disabled";

const columnsFor = (
  id: string,
  isFirst: boolean,
  isReadOnly: boolean,
  onChange: (rule: Rule) => void,
): readonly Column<Rule>[] => [
  { title: "What", cell: (rule) => <strong>{whatOf(rule)}</strong> },
  { title: "Direction", cell: ({ direction }) => (direction === "ingress" ? "in" : "out") },
  {
    title: "Action",
    cell: ({ action }) => <Status tone={action === "allow" ? "good" : "bad"}>{action}</Status>,
  },
  { title: "From or to", cell: ({ source, destination }) => source ?? destination ?? "anywhere" },
  { title: "Note", cell: ({ description }) => description },
  {
    title: "Packets",
    isFigure: true,
    cell: ({ packets, bytes }) =>
      packets === null ? "–" : `${formatNumber(packets)} (${formatBytes(bytes ?? 0)})`,
  },
  {
    title: "Change",
    isActions: true,
    cell: (rule) => (
      <RuleActions
        id={id}
        rule={rule}
        onChange={() => onChange(rule)}
        closes={isFirst && rule.direction === "ingress"}
        isReadOnly={isReadOnly}
      />
    ),
  },
];

function whatOf({ protocol, destination_port, source_port, icmp_type }: Rule): string {
  if (protocol === "icmp4") return icmp_type === undefined ? "ping and other ICMP" : `ICMP ${icmp_type}`;
  const ports = destination_port === undefined ? "all ports" : `port ${destination_port}`;
  return `${protocol.toUpperCase()} ${ports}${source_port === undefined ? "" : ` from port ${source_port}`}`;
}

interface RuleActionsProps {
  readonly id: string;
  readonly rule: Rule;
  readonly onChange: () => void;
  /** Whether the container is closed for everything else once the rule is enabled. */
  readonly closes: boolean;
  /** The user's role does not let it be changed. */
  readonly isReadOnly: boolean;
}

function RuleActions({ id, rule, onChange, closes, isReadOnly }: RuleActionsProps) {
  const [asks, setAsks] = useState(false);
  const path = { id, rule_id: rule.id };
  const changed = ["containers", id] as const;
  const isEnabled = rule.state === "enabled";
  const state = isEnabled ? "disabled" : "enabled";
  const name = `${rule.direction === "ingress" ? "incoming" : "outgoing"} ${whatOf(rule)}`;
  const address = "/api/v1/containers/{id}/firewall/rules/{rule_id}";
  const change = () => api.PATCH(address, { params: { path }, body: { state } });
  return (
    <>
      <label className="switch-box">
        <input
          type="checkbox"
          checked={isEnabled}
          disabled={isReadOnly}
          aria-label={`${name} is enabled`}
          onChange={() =>
            closes && !isEnabled ? setAsks(true) : void act(`The rule is ${state}`, change, changed)
          }
        />
        <span aria-hidden="true">{isEnabled ? "on" : "off"}</span>
      </label>
      <Button look="quiet" aria-label={`Change ${name}`} isDisabled={isReadOnly} onPress={onChange}>
        Change
      </Button>
      <IconButton
        look="remove"
        label={`Remove ${name}`}
        isDisabled={isReadOnly}
        onPress={() => act("The rule is removed", () => api.DELETE(address, { params: { path } }), changed)}
      />
      {asks && (
        <Confirm
          title="Enable the rule?"
          action="Enable it"
          onClose={() => setAsks(false)}
          command={{
            method: "PATCH",
            path: `/api/v1/containers/${id}/firewall/rules/${rule.id}`,
            body: { state },
            berth: null,
          }}
          onConfirm={() => perform("The rule is enabled", change, changed)}
        >
          <p className="note warn">{CLOSES}</p>
        </Confirm>
      )}
    </>
  );
}
