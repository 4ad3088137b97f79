import { changeState } from "../../lib/lifecycle.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import type { Container } from "./states.tsx";

const WORDS: Partial<Record<Container["restart_required"][number], string>> = {
  args: "arguments",
  env: "variables",
};

/** What was changed since it was started and waits for a restart, and a button that does it. */
export function RestartRequired({ container }: { container: Container }) {
  const { restart_required: reasons, server_id } = container;
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  if (reasons.length === 0) return null;
  return (
    <p className="note warn" role="status">
      <span>
        These changes wait for a restart: {reasons.map((reason) => WORDS[reason] ?? reason).join(", ")}.
      </span>
      <Button isDisabled={isReadOnly} onPress={() => changeState(container, "restart")}>
        Restart to apply
      </Button>
    </p>
  );
}
