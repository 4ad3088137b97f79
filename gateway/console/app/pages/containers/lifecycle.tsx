import { type Change, changeState, changesOf } from "../../lib/lifecycle.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import type { Container } from "./states.tsx";

const WORDS: Record<Change, string> = { start: "Start", restart: "Restart", stop: "Stop" };

/** Start, stop and restart, as far as the state allows. One that fails is started again by its host until it is stopped. */
export function Lifecycle({ container: { id, name, state, server_id } }: { container: Container }) {
  const change = (what: Change) => () => changeState({ id, name }, what);
  const isDisabled = useReadOnlyPool(server_id) !== undefined;
  if (state === "deleted") return null;
  return changesOf(state).map((what) => (
    <Button
      key={what}
      look={what === "stop" ? "risky" : "plain"}
      isDisabled={isDisabled}
      onPress={change(what)}
    >
      {WORDS[what]}
    </Button>
  ));
}
