import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "./dialog.tsx";

/** Asks before a page is left on which something was changed and not saved. */
export function Unsaved({ isChanged }: { isChanged: boolean }) {
  const blocked = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    blocked.status === "blocked" && (
      <Confirm
        title="Leave without saving?"
        action="Leave without saving"
        isDangerous
        onConfirm={async () => blocked.proceed()}
        onClose={blocked.reset}
      >
        What you have changed here is lost.
      </Confirm>
    )
  );
}
