import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { useReachedServers } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import type { Container } from "./states.tsx";

/** What can be done with several containers at once. Of those that cannot be changed the first is named, and the others are. */
export function Selected({ chosen }: { chosen: readonly Container[] }) {
  const [asks, setAsks] = useState(false);
  const { servers = [] } = useReachedServers();
  const readOnly = chosen.find(({ server_id }) =>
    servers.some((one) => one.server_id === server_id && one.role === "user"),
  );
  const isDisabled = readOnly !== undefined;
  if (chosen.length === 0) return null;
  const count = plural(chosen.length, "container");
  const change = (what: "start" | "stop" | "restart", done: string) => () =>
    void act(
      `${count} ${done}`,
      () => forAll(chosen, (id) => api.POST(`/api/v1/containers/{id}/${what}`, { params: { path: { id } } })),
      ["containers"],
    );
  return (
    <div className="page-actions" role="toolbar" aria-label="Selected containers">
      <span className="hint">
        {chosen.length} selected
        {readOnly && `: ${readOnly.name} needs the role admin in the pool`}
      </span>
      <Button isDisabled={isDisabled} onPress={change("start", "starting")}>
        Start
      </Button>
      <Button isDisabled={isDisabled} onPress={change("restart", "restarting")}>
        Restart
      </Button>
      <Button look="risky" isDisabled={isDisabled} onPress={change("stop", "stopping")}>
        Stop
      </Button>
      <Button look="risky" isDisabled={isDisabled} onPress={() => setAsks(true)}>
        Delete
      </Button>
      {asks && (
        <Confirm
          title={`Delete ${count}?`}
          action={`Delete ${count}`}
          isDangerous
          onClose={() => setAsks(false)}
          onConfirm={() =>
            perform(
              `${count} deleted`,
              () =>
                forAll(chosen, (id) => api.DELETE("/api/v1/containers/{id}", { params: { path: { id } } })),
              ["containers", "list"],
              ["aliases"],
            )
          }
          command={chosen.map(({ id, name }) => ({
            method: "DELETE" as const,
            path: `/api/v1/containers/${id}`,
            berth: ["containers", "delete", name],
          }))}
        >
          <p>{chosen.map(({ name }) => name).join(", ")}</p>
          <p>With their files and their names. This cannot be undone.</p>
        </Confirm>
      )}
    </div>
  );
}

/** @throws Error that says how many were refused, and why the first was */
async function forAll(chosen: readonly Container[], change: (id: string) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(chosen.map(({ id }) => change(id)));
  const failed = outcomes.flatMap((outcome, index) =>
    outcome.status === "rejected"
      ? [{ name: chosen[index]?.name ?? "", reason: outcome.reason as Error }]
      : [],
  );
  const [first] = failed;
  if (first !== undefined)
    throw new Error(
      `${failed.length} of ${chosen.length} were refused. ${first.name}: ${first.reason.message}`,
    );
}
