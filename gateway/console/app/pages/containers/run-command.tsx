import { useState } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Status } from "../../ui/status.tsx";
import type { Container } from "./states.tsx";

const TIMEOUT_SECONDS = 30;

/** One line for the container's shell, and what came of it. */
export function RunCommand({ container: { id, state } }: { container: Container }) {
  const [result, setResult] = useState<Awaited<ReturnType<typeof run>>>();
  return (
    <section className="panel stack" aria-labelledby="run">
      <h2 id="run">Run a command</h2>
      <Form
        submit="Run"
        look="plain"
        isDisabled={state !== "running"}
        onSubmit={async (values) => setResult(await run(id, values))}
        command={(values) => ({
          method: "POST",
          path: `/api/v1/containers/${id}/exec`,
          body: bodyOf(values),
          berth: ["exec", id, "--", ...bodyOf(values).command],
        })}
      >
        <Field
          label="Command"
          name="line"
          isRequired
          placeholder="uname -a"
          hint={`A line for its shell (sh). It has ${TIMEOUT_SECONDS} seconds.`}
        />
      </Form>
      {result && (
        <div className="stack" role="status">
          <Status tone={result.exit_status === 0 ? "good" : "bad"}>
            {result.exit_status === null
              ? "ended by a signal or a limit"
              : `exit status ${result.exit_status}`}
          </Status>
          <pre className="log">
            {result.stdout}
            {result.stderr}
            {result.truncated && "… there was more"}
          </pre>
        </div>
      )}
    </section>
  );
}

const bodyOf = ({ line = "" }: Values) => ({
  command: ["sh", "-c", line],
  timeout_seconds: TIMEOUT_SECONDS,
});

const run = (id: string, values: Values) =>
  dataOf(api.POST("/api/v1/containers/{id}/exec", { params: { path: { id } }, body: bodyOf(values) }));
