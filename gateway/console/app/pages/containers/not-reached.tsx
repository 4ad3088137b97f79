import { Button } from "../../ui/button.tsx";
import { openInTab } from "./enter.ts";
import type { Container } from "./states.tsx";

/** The one origin whose pages may use a container's services; the server writes it into the page. */
const consoleOrigin = document.querySelector<HTMLMetaElement>('meta[name="berth-origin"]')?.content;

interface NotReachedProps {
  readonly container: Container;
  /** What cannot be shown. Both stand at the terminal's address. */
  readonly what: "terminal" | "files";
  /** Of the terminal that is opened in a tab. */
  readonly query?: string;
  /** Whether the browser may not trust the certificate. */
  readonly isCertificateLikely?: boolean;
  readonly onRetry: () => void;
}

/** Why a container's terminal or files cannot be shown here, and the way that works in any case. */
export function NotReached({
  container: { id, services },
  what,
  query,
  isCertificateLikely = true,
  onRetry,
}: NotReachedProps) {
  const isElsewhere = consoleOrigin !== undefined && consoleOrigin !== location.origin;
  return (
    <div className="note warn not-reached" role="alert">
      {isElsewhere ? (
        <p>
          The container's {what} can be shown only where this console is opened as{" "}
          <a href={`${consoleOrigin}${location.pathname}`}>{consoleOrigin}</a>.
        </p>
      ) : (
        <p>
          The container's {what} cannot be reached.{" "}
          {isCertificateLikely ? (
            <>
              If your browser does not trust the certificate of <code>{new URL(services.terminal).host}</code>
              , open the terminal in a tab once, accept the certificate there, then try again here.
            </>
          ) : (
            "It is tried again by itself."
          )}
        </p>
      )}
      {(isElsewhere || isCertificateLikely) && (
        <Button icon="external" onPress={() => openInTab(id, "terminal", query)}>
          Open the terminal in a tab
        </Button>
      )}
      <Button onPress={onRetry}>Try again</Button>
    </div>
  );
}
