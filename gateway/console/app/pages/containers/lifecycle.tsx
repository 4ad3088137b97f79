import { act } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import type { Container } from "./states.tsx";

/** Start, stop and restart, as far as the state allows. One that fails is started again by its host until it is stopped. */
export function Lifecycle({ container: { id, name, state, server_id } }: { container: Container }) {
  const change = (what: "start" | "stop" | "restart", done: string) => () =>
    void act(
      `${name} is ${done}`,
      () => api.POST(`/api/v1/containers/{id}/${what}`, { params: { path: { id } } }),
      ["containers", "list"],
      ["containers", id],
    );
  const isDisabled = useReadOnlyPool(server_id) !== undefined;
  if (state === "deleted") return null;
  return (
    <>
      {(state === "stopped" || state === "error") && (
        <Button isDisabled={isDisabled} onPress={change("start", "starting")}>
          Start
        </Button>
      )}
      {state === "running" && (
        <Button isDisabled={isDisabled} onPress={change("restart", "restarting")}>
          Restart
        </Button>
      )}
      {state !== "stopped" && (
        <Button look="risky" isDisabled={isDisabled} onPress={change("stop", "stopping")}>
          Stop
        </Button>
      )}
    </>
  );
}
