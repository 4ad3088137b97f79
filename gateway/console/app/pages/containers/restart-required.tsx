import { useEffect, useState } from "react";
import { changeState } from "../../lib/lifecycle.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import type { Container } from "./states.tsx";

const WORDS: Partial<Record<Container["restart_required"][number], string>> = {
  args: "arguments",
  env: "variables",
};

/** What waits for a restart, in words. */
export const changeWords = (reasons: Container["restart_required"]): string =>
  reasons.map((reason) => WORDS[reason] ?? reason).join(", ");

/** The longest time that a program may be given to end, and a start. */
const RESTART_MS_MAX = 60_000;

/** What was changed since it was started and waits for a restart, and a button that does it. */
export function RestartRequired({ container }: { container: Container }) {
  const { restart_required: reasons, server_id } = container;
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  // A program may take its time to end; until then the host reports that it runs.
  const [isAsked, setAsked] = useState(false);
  const isDone = reasons.length === 0;
  useEffect(() => {
    if (isDone) setAsked(false);
    if (!isAsked) return;
    const timer = setTimeout(() => setAsked(false), RESTART_MS_MAX);
    return () => clearTimeout(timer);
  }, [isAsked, isDone]);
  if (isDone) return null;
  const restart = async () => {
    setAsked(true);
    if (!(await changeState(container, "restart"))) setAsked(false);
  };
  return (
    <p className="note warn" role="status">
      <span>
        {isAsked ? "It restarts with these changes" : "These changes wait for a restart"}:{" "}
        {changeWords(reasons)}.
      </span>
      <Button isDisabled={isReadOnly || isAsked} onPress={restart}>
        Restart to apply
      </Button>
    </p>
  );
}
