import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Unsaved } from "../../ui/unsaved.tsx";
import { EnvironmentFields, HealthFields, LimitFields } from "./more-settings.tsx";
import { changeWords } from "./restart-required.tsx";
import { changesOf, FIELD_OF_SETTING, fieldsOf } from "./setting-fields.ts";
import { settingWords } from "./setting-words.ts";
import type { Container } from "./states.tsx";

/** No event tells of changed settings, so they are read again this often while somebody has them before the eyes. */
const WATCHED_MS = 10_000;

const useWatched = (container: Container): Container =>
  useQuery({
    queryKey: ["containers", container.id, "record"],
    queryFn: () => dataOf(api.GET("/api/v1/containers/{id}", { params: { path: { id: container.id } } })),
    refetchInterval: WATCHED_MS,
  }).data ?? container;

/** The command for these changes; null where one of them is for the API alone. */
function updateWords(name: string, changes: Schemas["UpdateContainer"]): string[] | null {
  const words = settingWords(changes);
  return words && ["containers", "update", name, ...words];
}

/** All settings of a container. What was changed is sent, for the version that is shown, so that nobody's change is lost. */
export function ChangeSettings({ container: given }: { container: Container }) {
  const container = useWatched(given);
  const [shown, setShown] = useState(container);
  const isReadOnly = useReadOnlyPool(container.server_id) !== undefined;
  const begin = fieldsOf(shown);
  const path = `/api/v1/containers/${shown.id}`;
  const change = async (values: Values) => {
    const body = changesOf(begin, values);
    if (Object.keys(body).length === 0) {
      toast("Nothing was changed");
      return;
    }
    const next = await dataOf(
      api.PATCH("/api/v1/containers/{id}", {
        params: { path: { id: shown.id }, header: { "If-Match": `"${shown.revision}"` } },
        body,
      }),
    );
    await refresh(["containers", "list"], ["containers", shown.id]);
    setShown(next);
    toast(
      next.restart_required.length === 0
        ? "The settings are changed"
        : `Changed. A restart applies: ${changeWords(next.restart_required)}`,
    );
  };
  return (
    <>
      {container.revision !== shown.revision && (
        <p className="note warn">
          <span>The settings were changed meanwhile.</span>
          <Button look="quiet" onPress={() => setShown(container)}>
            Show what they are now
          </Button>
        </p>
      )}
      <Form
        guard={(isChanged) => <Unsaved isChanged={isChanged} />}
        key={shown.revision}
        submit="Save the changes"
        isDisabled={isReadOnly}
        onSubmit={change}
        fieldOf={{ ...FIELD_OF_SETTING, NAME_TAKEN: "name" }}
        command={(values) => ({
          method: "PATCH",
          path,
          headers: { "If-Match": `"${shown.revision}"` },
          body: changesOf(begin, values),
          berth: updateWords(shown.name, changesOf(begin, values)),
        })}
      >
        <div className="columns">
          <div className="stack">
            <section className="panel fields" aria-labelledby="at-restart">
              <header>
                <h2 id="at-restart">With its next start</h2>
                <p className="hint">A container that runs takes these over when it is restarted.</p>
              </header>
              <Field label="Name" name="name" defaultValue={begin.name ?? ""} isRequired maxLength={63} />
              <Field
                label="Command"
                name="command"
                defaultValue={begin.command ?? ""}
                hint="In place of the image's entry point. Words with blanks stand in quotes. Empty: the image's own."
              />
              <Field
                label="Arguments"
                name="args"
                defaultValue={begin.args ?? ""}
                hint="Empty: the image's own."
              />
              <EnvironmentFields begin={begin} />
            </section>
            <section className="panel fields" aria-labelledby="health">
              <h2 id="health">Health, at once</h2>
              <HealthFields begin={begin} />
            </section>
          </div>
          <section className="panel fields" aria-labelledby="at-once">
            <header>
              <h2 id="at-once">At once</h2>
              <p className="hint">Empty limits are the standard of its host.</p>
            </header>
            <LimitFields begin={begin} />
          </section>
        </div>
      </Form>
    </>
  );
}
