import { dismissToast, useToasts } from "../lib/toasts.ts";
import { IconButton } from "./button.tsx";
import { Icon } from "./icons.tsx";

/** What was just done. The region is always there, so that screen readers hear what comes into it. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <section className="toasts" aria-live="polite" aria-label="Messages">
      {toasts.map(({ id, text, kind }) => (
        <div key={id} className={`toast ${kind}`}>
          <Icon name={kind === "done" ? "check" : "warning"} />
          <span>{text}</span>
          <IconButton icon="close" label="Dismiss" onPress={() => dismissToast(id)} />
        </div>
      ))}
    </section>
  );
}
