import type { Schemas } from "../../lib/api.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";

type Settings = Pick<Schemas["CreateContainer"], "env" | "ports" | "resources" | "restart_policy" | "labels">;

const MEBIBYTE = 1024 * 1024;

/** What a container can be given besides its image. Everything has a good standard, so that it is folded away at first. */
export const MoreSettings = () => (
  <details className="same">
    <summary>Variables, ports, limits and labels</summary>
    <div className="fields">
      <Field
        label="Variables"
        name="env"
        lines={3}
        placeholder={"MODE=production\nGREETING=hello"}
        hint="One a line: NAME=value."
      />
      <Field
        label="Secret variables"
        name="secrets"
        lines={2}
        placeholder="DATABASE_PASSWORD=…"
        hint="As above. Nobody can read them again: neither here nor by the API."
      />
      <Field
        label="Ports"
        name="ports"
        lines={2}
        placeholder="web=8080"
        hint="One a line: name=port. A name can lead to a port by its name. They open nothing by themselves."
      />
      <div className="field-row">
        <Field label="Memory, MiB" name="memory" inputMode="numeric" pattern="[0-9]{1,9}" placeholder="512" />
        <Field
          label="Cores"
          name="cores"
          inputMode="decimal"
          pattern="[0-9]{1,4}(\.[0-9]{1,2})?"
          placeholder="0.5"
        />
      </div>
      <ChoiceField
        label="When its program ends"
        name="restart"
        choices={[
          { value: "", label: "the standard of Berth" },
          { value: "no", label: "leave it stopped" },
          { value: "on-failure", label: "start it again after a failure" },
          { value: "unless-stopped", label: "start it again unless it was stopped" },
          { value: "always", label: "always start it again" },
        ]}
      />
      <Field label="Labels" name="labels" lines={2} placeholder="app=shop" hint="One a line: key=value." />
    </div>
  </details>
);

/** The settings as the API takes them; what is empty is left out. */
export function settingsOf(values: Values): Settings {
  const { env = "", secrets = "", ports = "", memory = "", cores = "", restart = "", labels = "" } = values;
  const variables = [
    ...pairsOf(env).map(([name, value]) => ({ name, value })),
    ...pairsOf(secrets).map(([name, value]) => ({ name, value, secret: true as const })),
  ];
  return {
    ...(variables.length === 0 ? {} : { env: variables }),
    ...(pairsOf(ports).length === 0
      ? {}
      : { ports: pairsOf(ports).map(([name, port]) => ({ name, port: Number(port) })) }),
    ...(memory === "" && cores === ""
      ? {}
      : {
          resources: {
            ...(memory === "" ? {} : { memory_bytes: Number(memory) * MEBIBYTE }),
            ...(cores === "" ? {} : { cpu_cores: Number(cores) }),
          },
        }),
    ...(restart === "" ? {} : { restart_policy: { name: restart as Schemas["RestartPolicyName"] } }),
    ...(pairsOf(labels).length === 0 ? {} : { labels: Object.fromEntries(pairsOf(labels)) }),
  };
}

/** `name=value` of each line; a line without `=` is a name with an empty value, which the API judges. */
const pairsOf = (text: string): [string, string][] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const end = line.indexOf("=");
      return end === -1 ? [line, ""] : [line.slice(0, end).trim(), line.slice(end + 1)];
    });
