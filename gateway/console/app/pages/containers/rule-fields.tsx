import { useState } from "react";
import { option } from "../../lib/commands.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";
import { portsFault } from "./port-words.ts";
import type { Rule } from "./rule-diff.ts";

const PRESETS = [
  { label: "Own choice", values: {} },
  { label: "Web: HTTP and HTTPS", values: { destination_port: "80,443", description: "web" } },
  { label: "SSH", values: { destination_port: "22", description: "ssh" } },
  { label: "PostgreSQL", values: { destination_port: "5432", description: "PostgreSQL" } },
  { label: "DNS over UDP", values: { destination_port: "53", protocol: "udp", description: "DNS" } },
] as const;

const PROTOCOLS = [
  { value: "tcp", label: "TCP" },
  { value: "udp", label: "UDP" },
  { value: "icmp4", label: "ICMP, such as ping" },
];

const valuesOf = (preset: number): Partial<Rule> => PRESETS[preset]?.values ?? {};

/** What a rule says. @param begin the rule that is changed; a new one begins with a preset */
export function RuleFields({ begin }: { begin?: Rule }) {
  const [direction, setDirection] = useState<string>(begin?.direction ?? "ingress");
  const [preset, setPreset] = useState(0);
  const [protocol, setProtocol] = useState<string>(begin?.protocol ?? "tcp");
  const given = begin ?? valuesOf(preset);
  const choose = (index: string) => {
    setPreset(Number(index));
    setProtocol(valuesOf(Number(index)).protocol ?? "tcp");
  };
  const [other, otherLabel] =
    direction === "egress" ? (["destination", "To"] as const) : (["source", "From"] as const);
  return (
    <>
      <div className="field-row">
        <ChoiceField
          label="Direction"
          name="direction"
          autoFocus={begin === undefined}
          value={direction}
          onChange={setDirection}
          choices={[
            { value: "ingress", label: "Incoming" },
            { value: "egress", label: "Outgoing" },
          ]}
        />
        {begin === undefined && (
          <ChoiceField
            label="Preset"
            value={String(preset)}
            onChange={choose}
            choices={PRESETS.map(({ label }, index) => ({ value: String(index), label }))}
          />
        )}
      </div>
      <div className="field-row">
        <ChoiceField
          label="Action"
          name="action"
          defaultValue={begin?.action ?? "allow"}
          choices={[
            { value: "allow", label: "Allow" },
            { value: "reject", label: "Reject: deny with an answer" },
            { value: "drop", label: "Drop: deny silently" },
          ]}
        />
        <ChoiceField
          label="Protocol"
          name="protocol"
          value={protocol}
          onChange={setProtocol}
          choices={PROTOCOLS}
        />
      </div>
      <div className="field-row" key={preset}>
        {protocol !== "icmp4" && (
          <Field
            label="Port"
            name="destination_port"
            defaultValue={given.destination_port ?? ""}
            placeholder="80,443"
            isRequired
            validate={portsFault}
            hint="One, several or a range: 80,8000-8100."
          />
        )}
        <Field
          label={otherLabel}
          name={other}
          defaultValue={begin?.[other] ?? ""}
          placeholder="10.0.0.0/8"
          hint="IPv4 address or network. Empty: anywhere."
        />
      </div>
      <Field
        key={`note-${preset}`}
        label="Note"
        name="description"
        maxLength={255}
        defaultValue={given.description ?? ""}
      />
    </>
  );
}

/** The rule that the fields say. What a rule has and no field shows stays, where its protocol has it. */
export function ruleOf(values: Values, begin?: Rule): Rule {
  const { direction, action = "allow", protocol = "tcp", description = "", destination_port } = values;
  const isPing = protocol === "icmp4";
  const other = direction === "egress" ? "destination" : "source";
  const { state, source_port, icmp_type, icmp_code } = begin ?? {};
  const kept = isPing ? { icmp_type, icmp_code } : { source_port };
  const rule = { direction: direction ?? "ingress", action, protocol, description, state, ...kept };
  const given = { ...rule, destination_port, [other]: values[other] };
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => name === "description" || value),
  ) as unknown as Rule;
}

export const ruleWords = (values: Values): string[] => [
  ...option("direction", values.direction === "egress" ? "egress" : ""),
  ...option("action", values.action === "allow" ? "" : values.action),
  ...option("protocol", values.protocol === "tcp" ? "" : values.protocol),
  ...option("port", values.destination_port),
  ...option("from", values.source),
  ...option("to", values.destination),
  ...option("description", values.description),
];
