import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import type { Container } from "./states.tsx";

const PRESETS = [
  { label: "Own choice", values: {} },
  { label: "Web: HTTP and HTTPS", values: { destination_port: "80,443", description: "web" } },
  { label: "SSH", values: { destination_port: "22", description: "ssh" } },
  { label: "PostgreSQL", values: { destination_port: "5432", description: "PostgreSQL" } },
  { label: "DNS over UDP", values: { destination_port: "53", protocol: "udp", description: "DNS" } },
] as const;

/** What the first enabled rule for incoming packets means. */
export const CLOSES =
  "This is the first rule for incoming packets: from now on, everything that no rule allows is refused. The container's names and its terminal still reach it.";

const valuesOf = (preset: number): Readonly<Record<string, string>> => PRESETS[preset]?.values ?? {};

interface AddRuleProps {
  readonly container: Container;
  /** Whether a first rule for incoming packets closes the container for all others. */
  readonly closes: boolean;
  readonly onClose: () => void;
}

/** One more rule. The first that lets something in closes the container for everything else, which is said before. */
export function AddRule({ container: { id, name }, closes, onClose }: AddRuleProps) {
  const [direction, setDirection] = useState<"ingress" | "egress">("ingress");
  const [preset, setPreset] = useState(0);
  const [protocol, setProtocol] = useState("tcp");
  const chosen = valuesOf(preset);
  const choose = (index: string) => {
    setPreset(Number(index));
    setProtocol(valuesOf(Number(index)).protocol ?? "tcp");
  };
  const path = `/api/v1/containers/{id}/firewall/${direction}` as const;
  const add = async (values: Values) => {
    const body = ruleOf(values, direction);
    await api.POST(path, { params: { path: { id } }, body: body as never });
    await refresh(["containers", id]);
    toast("The rule is added");
    onClose();
  };
  return (
    <Dialog title="Add a rule" onClose={onClose}>
      <Form
        submit="Add the rule"
        onSubmit={add}
        command={(values) => ({
          method: "POST",
          path: path.replace("{id}", id),
          body: ruleOf(values, direction),
          berth: ["firewall", "add", name, ...ruleWords(values, direction)],
        })}
      >
        <div className="field-row">
          <ChoiceField
            label="Direction"
            value={direction}
            onChange={(value) => setDirection(value as typeof direction)}
            choices={[
              { value: "ingress", label: "Incoming" },
              { value: "egress", label: "Outgoing" },
            ]}
          />
          <ChoiceField
            label="Preset"
            value={String(preset)}
            onChange={choose}
            choices={PRESETS.map(({ label }, index) => ({ value: String(index), label }))}
          />
        </div>
        <div className="field-row">
          <ChoiceField
            label="Action"
            name="action"
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
            choices={["tcp", "udp", "icmp4"].map((value) => ({ value, label: value }))}
          />
        </div>
        <div className="field-row" key={preset}>
          {protocol !== "icmp4" && (
            <Field
              label="Port"
              name="destination_port"
              defaultValue={chosen.destination_port ?? ""}
              placeholder="80,443"
              isRequired
              hint="Several, and ranges: 80,8000-8100."
            />
          )}
          <Field
            label={direction === "ingress" ? "From" : "To"}
            name={direction === "ingress" ? "source" : "destination"}
            placeholder="10.0.0.0/8"
            hint="IPv4 address or network. Empty: anywhere."
          />
        </div>
        <Field
          key={`note-${preset}`}
          label="Note"
          name="description"
          maxLength={255}
          defaultValue={chosen.description ?? ""}
        />
        {closes && direction === "ingress" && <p className="note warn">{CLOSES}</p>}
      </Form>
    </Dialog>
  );
}

function ruleOf(values: Values, direction: "ingress" | "egress") {
  const { action = "allow", protocol = "tcp", description = "", destination_port } = values;
  const other = direction === "ingress" ? "source" : "destination";
  return {
    action,
    protocol,
    description,
    ...(destination_port ? { destination_port } : {}),
    ...(values[other] ? { [other]: values[other] } : {}),
  };
}

const ruleWords = (values: Values, direction: "ingress" | "egress"): string[] => [
  ...option("direction", direction === "ingress" ? "" : direction),
  ...option("action", values.action === "allow" ? "" : values.action),
  ...option("protocol", values.protocol === "tcp" ? "" : values.protocol),
  ...option("port", values.destination_port),
  ...option("from", values.source),
  ...option("to", values.destination),
  ...option("description", values.description),
];
