import { act } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import type { Container } from "./states.tsx";

/** Start, stop and restart, as far as the state allows. One that fails is started again by its host until it is stopped. */
export function Lifecycle({ container: { id, name, state } }: { container: Container }) {
  const change = (what: "start" | "stop" | "restart", done: string) => () =>
    void act(
      `${name} is ${done}`,
      () => api.POST(`/api/v1/containers/{id}/${what}`, { params: { path: { id } } }),
      ["containers", "list"],
      ["containers", id],
    );
  if (state === "deleted") return null;
  return (
    <>
      {(state === "stopped" || state === "error") && (
        <Button onPress={change("start", "starting")}>Start</Button>
      )}
      {state === "running" && <Button onPress={change("restart", "restarting")}>Restart</Button>}
      {state !== "stopped" && <Button onPress={change("stop", "stopping")}>Stop</Button>}
    </>
  );
}
