import { useEffect, useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, BerthError, dataOf } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import type { Container } from "./states.tsx";

const PORTS = ["http", "https", "ssh"];
const PROGRAMS = ["terminal", "pipe", "notifications", "files"];

/** Refusals of a name, each with the field that they are about. */
const REFUSALS = { ALIAS_IN_USE: "alias", ALIAS_RESERVED: "alias", INVALID_ALIAS_FORMAT: "alias" };
/** As `alias` of the API. */
const LABEL = "[a-z0-9][a-z0-9\\-]{1,59}[a-z0-9]";
const isLabel = (text: string): boolean => new RegExp(`^${LABEL}$`).test(text);

/** One more address, which is shown before it is made. */
export function CreateName({ container, onClose }: { container: Container; onClose: () => void }) {
  const [program, setProgram] = useState("http");
  const [label, setLabel] = useState("");
  const [refused, setRefused] = useState<string>();
  const isRefused = label === refused || (label !== "" && !isLabel(label));
  const preview = previewOf(container, label);
  const programs = [...PORTS, ...PROGRAMS, ...(container.image?.programs ?? [])];
  const create = async (values: Values) => {
    const made = api.POST("/api/v1/proxy/aliases", { body: bodyOf(container.id, values) });
    const { url } = await dataOf(made).catch((error) => {
      if (error instanceof BerthError && error.code in REFUSALS) setRefused(values.alias);
      throw error;
    });
    await refresh(["aliases"]);
    toast(`${url.replace("https://", "")} was created`);
    onClose();
  };
  return (
    <Dialog title="Create a name" onClose={onClose}>
      <Form
        submit="Create the name"
        onSubmit={create}
        fieldOf={REFUSALS}
        command={(values) => ({
          method: "POST",
          path: "/api/v1/proxy/aliases",
          body: bodyOf(container.id, values),
          berth: [
            ...["alias", "add", container.name],
            ...option("name", values.alias),
            ...option("program", values.program === "http" ? "" : values.program),
            ...option("port", values.port),
            ...option("expires", bodyOf(container.id, values).expires_at),
          ],
        })}
      >
        <Field
          label="Name"
          name="alias"
          value={label}
          onChange={setLabel}
          autoFocus
          maxLength={61}
          pattern={LABEL}
          mismatch="3 to 61 of a–z, 0–9 and hyphen, and no hyphen at its ends."
          placeholder="shop"
          hint="3 to 61 of a–z, 0–9 and hyphen. Empty: one that nobody guesses."
        />
        <div className="field-row">
          <ChoiceField
            label="Leads to"
            name="program"
            value={program}
            onChange={setProgram}
            choices={programs.map((value) => ({
              value,
              label: PORTS.includes(value) ? `a port: ${value}` : value,
            }))}
          />
          {PORTS.includes(program) && (
            <Field
              key={program}
              label="Port"
              name="port"
              inputMode="numeric"
              pattern="[0-9]{1,5}"
              mismatch="A port from 1 to 65535."
              isRequired
              defaultValue={String(portFor(container, program))}
            />
          )}
        </div>
        <Field label="Ends on" name="expires_at" type="datetime-local" hint="Empty: never." />
        <p className="hint">
          {isRefused ? (
            CANNOT_BE_USED
          ) : (
            <>
              The address: <code>{preview}</code>.
            </>
          )}{" "}
          {PORTS.includes(program)
            ? "Everybody who knows it reaches the port."
            : "Who opens it must have access to the container."}
        </p>
        <span role="status" className="visually-hidden">
          {useSettled(isRefused ? CANNOT_BE_USED : `Its address is ${preview}`)}
        </span>
      </Form>
    </Dialog>
  );
}

const CANNOT_BE_USED = "This name cannot be used: choose another one.";

/** After so long nothing more is being typed. */
const SETTLED_MS = 1_000;

/** A text that is said aloud: what it is once it no longer changes with every letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const STANDARD_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ssh: 22 };

/** The container's own first port for it, then the first that its image names, then the usual one. */
function portFor({ ports, image }: Container, program: string): number | string {
  const own = ports.find(({ protocol }) => protocol === program);
  const others =
    program === "http" ? [ports[0]?.port, Number.parseInt(image?.exposed_ports[0] ?? "", 10)] : [];
  return own?.port ?? others.find((port) => port) ?? STANDARD_PORTS[program] ?? "";
}

/** The container's own addresses end as its names do. */
const previewOf = ({ services }: Container, label: string): string =>
  new URL(services.terminal).host.replace(/^[^.]+/, label === "" ? "…" : label);

function bodyOf(container_id: string, { alias = "", program = "http", port, expires_at }: Values) {
  return {
    container_id,
    program,
    ...(alias === "" ? {} : { alias }),
    ...(port ? { port: Number(port) } : {}),
    ...(expires_at ? { expires_at: new Date(expires_at).toISOString() } : {}),
  };
}
