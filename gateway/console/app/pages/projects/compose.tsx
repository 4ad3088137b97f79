import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { option } from "../../lib/commands.ts";
import { plural } from "../../lib/format.ts";
import { useFilters } from "../../lib/lists.ts";
import { type ServerChoice, useServerChoices } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { PageHead } from "../../ui/page.tsx";
import { Status, type Tone } from "../../ui/status.tsx";
import { pairsOf } from "../containers/lines.ts";
import { NeedsServer } from "../servers/choice.tsx";
import { type ComposeFile, type Plan, readPlan } from "./compose-plan.ts";

/** Makes a project what a compose file says: the difference first, then each change in turn. */
export default function ComposePage() {
  const servers = useServerChoices();
  return (
    <>
      <PageHead title="Compose file" under={{ title: "Projects", to: "/projects" }} />
      <p className="hint bar">
        Make a project what a compose file says: its containers, storage shares, firewalls and names. You see
        what changes before anything is done.
      </p>
      <NeedsServer servers={servers} what="A project with containers">
        {(choices) => <Compose servers={choices} />}
      </NeedsServer>
    </>
  );
}

const EXAMPLE = `services:
  web:
    image: nginx:1
    ports: ["80"]
`;

function Compose({ servers }: { servers: readonly ServerChoice[] }) {
  const [{ project: asked = "" }] = useFilters(["project"]);
  const [text, setText] = useState("");
  const [plan, setPlan] = useState<Plan>();
  const [values, setValues] = useState<Values>({});
  const compare = (given: Values) => readPlan(fileOf(given, text), servers, choicesOf(given));
  const read = async (file: File | undefined) => {
    setPlan(undefined);
    if (file !== undefined) setText(await file.text());
  };
  return (
    <>
      <section
        aria-label="The file"
        className="panel"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void read(event.dataTransfer.files[0]);
        }}
      >
        <Form
          submit="Show what changes"
          look={plan === undefined ? "primary" : "plain"}
          onSubmit={async (given) => {
            setPlan(undefined);
            setValues(given);
            setPlan(await compare(given));
          }}
          command={(given) => ({
            method: "POST",
            path: "/api/v1/projects/compose",
            body: fileOf(given, text),
            berth: [
              ...["up", "--file", "compose.yaml"],
              ...option("project", given.project),
              ...option("server", given.server),
              ...(given.secrets ? ["--secrets"] : []),
              ...(given.orphans ? ["--remove-orphans"] : []),
            ],
          })}
        >
          <Field
            label="File"
            name="file"
            lines={14}
            value={text}
            onChange={(next) => {
              setText(next);
              setPlan(undefined);
            }}
            placeholder={EXAMPLE}
            isRequired
            maxLength={65_536}
            hint="Paste it, drop it here, or choose it below."
          />
          <label className="field">
            <span className="react-aria-Label">From this device</span>
            <input type="file" accept=".yaml,.yml" onChange={({ target }) => void read(target.files?.[0])} />
          </label>
          <div className="field-row">
            <Field
              label="Project"
              name="project"
              defaultValue={asked}
              maxLength={100}
              hint="Empty: the name in the file."
            />
            <ChoiceField
              label="Server"
              name="server"
              choices={servers.map(({ name, label, isReady }) => ({
                value: name,
                label,
                isDisabled: !isReady,
              }))}
              hint="Of services that name none."
            />
          </div>
          <Field
            label="Variables"
            name="variables"
            lines={3}
            placeholder="TAG=1.2"
            hint="NAME=value, one a line: for what the file says as $NAME, and for secrets."
          />
          <CheckField
            name="secrets"
            label="Send all secrets again"
            hint="Their values cannot be read, so those that are there stay as they are otherwise."
          />
          <CheckField name="orphans" label="Delete containers of services that are no longer in the file" />
        </Form>
      </section>
      {plan && <Changes plan={plan} compareAgain={() => compare(values)} />}
    </>
  );
}

function fileOf({ project, server, variables = "" }: Values, file: string): ComposeFile {
  const pairs = pairsOf(variables);
  return {
    file,
    ...(project ? { project } : {}),
    ...(server ? { server } : {}),
    ...(pairs.length === 0 ? {} : { variables: Object.fromEntries(pairs) }),
  };
}

const choicesOf = ({ secrets, orphans }: Values) => ({
  withSecrets: secrets !== undefined,
  removeOrphans: orphans !== undefined,
});

/** What has happened to a change so far. */
type Progress = "waiting" | "running" | "done" | "failed";
const TONES: Record<Progress, Tone> = { waiting: "idle", running: "busy", done: "good", failed: "bad" };

interface ChangesProps {
  readonly plan: Plan;
  readonly compareAgain: () => Promise<Plan>;
}

/** The changes, and how far they are. One that fails is tried again after another look at what there is. */
function Changes({ plan: first, compareAgain }: ChangesProps) {
  const [plan, setPlan] = useState(first);
  const [before, setBefore] = useState<readonly string[]>([]);
  const [done, setDone] = useState(0);
  const [state, setState] = useState<"shown" | "running" | "failed" | "other" | "finished">("shown");
  const [error, setError] = useState<unknown>();
  const { steps, orphans, uncompared } = plan;

  const make = async ({ steps: all }: Plan) => {
    setState("running");
    setError(undefined);
    let made = 0;
    try {
      for (const step of all) {
        setDone(made);
        await step.run();
        made++;
      }
      setDone(made);
      setState("finished");
    } catch (thrown) {
      setError(thrown);
      setState("failed");
    }
    await refresh(["projects"], ["containers"], ["storage"], ["aliases"]);
  };
  const tryAgain = async () => {
    const left = steps.slice(done).map(({ line }) => line);
    try {
      const next = await compareAgain();
      setBefore([...before, ...steps.slice(0, done).map(({ line }) => line)]);
      setPlan(next);
      setDone(0);
      // What was not shown before is shown first.
      if (next.steps.every(({ line }) => left.includes(line))) await make(next);
      else setState("other");
    } catch (thrown) {
      setError(thrown);
    }
  };
  const progressOf = (index: number): Progress =>
    index < done
      ? "done"
      : index > done || !/^(running|failed)$/.test(state)
        ? "waiting"
        : (state as Progress);
  return (
    <section className="section" aria-label="What changes">
      <h2>{steps.length + before.length === 0 ? "Nothing changes" : `What changes in ${plan.name}`}</h2>
      {steps.length + before.length === 0 && <p>The project is as the file says.</p>}
      {orphans.length > 0 && !steps.some(({ line }) => line.startsWith("- container")) && (
        <p className="hint">Not in the file, and left as they are: {orphans.join(", ")}.</p>
      )}
      {uncompared.length > 0 && (
        <p className="hint">
          The secrets of these stay as they are unless sent again: {uncompared.join(", ")}.
        </p>
      )}
      <ol className="changes">
        {before.map((line) => (
          <Change key={`before ${line}`} line={line} progress="done" />
        ))}
        {steps.map(({ line }, index) => (
          <Change key={line} line={line} progress={progressOf(index)} />
        ))}
      </ol>
      {state === "failed" && error !== undefined && <ErrorNote error={error} />}
      {state === "other" && (
        <p className="note warn" role="status">
          What is left differs from what was shown. Look at it once more.
        </p>
      )}
      <div className="bar" role="status">
        {steps.length > 0 && (state === "shown" || state === "other") && (
          <Button look="primary" onPress={() => make(plan)}>
            Make {plural(steps.length, "change")}
          </Button>
        )}
        {state === "running" && `${done} of ${plural(steps.length, "change")} made`}
        {state === "failed" && (
          <Button look="primary" onPress={() => tryAgain()}>
            Try again
          </Button>
        )}
        {state === "finished" && (
          <>
            <span>{plan.name} is as the file says.</span>
            <Link to={`/projects/${plan.projectId()}` as "."}>See the project</Link>
          </>
        )}
      </div>
    </section>
  );
}

const Change = ({ line, progress }: { line: string; progress: Progress }) => (
  <li>
    <code>{line}</code>
    {progress !== "waiting" && <Status tone={TONES[progress]}>{progress}</Status>}
  </li>
);
