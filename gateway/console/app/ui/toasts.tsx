import { Link, type LinkProps } from "@tanstack/react-router";
import { isolated } from "../lib/isolated.ts";
import { dismissToast, useToasts } from "../lib/toasts.ts";
import { IconButton } from "./button.tsx";
import { RequestId } from "./error-note.tsx";
import { Icon } from "./icons.tsx";

/** What was just done. The region is always there, so that screen readers hear what comes into it. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <section className="toasts" aria-live="polite" aria-label="Messages">
      {toasts.map(({ id, text, kind, requestId, next }) => (
        <div key={id} className={`toast ${kind}`}>
          <Icon name={kind === "done" ? "check" : "warning"} />
          <div>
            {isolated(text)}
            {next && (
              <>
                {" "}
                <Link to={next.to as LinkProps["to"]} onClick={() => dismissToast(id)}>
                  {next.title}
                </Link>
              </>
            )}
            {requestId !== null && <RequestId id={requestId} />}
          </div>
          <IconButton icon="close" label="Dismiss" onPress={() => dismissToast(id)} />
        </div>
      ))}
    </section>
  );
}
