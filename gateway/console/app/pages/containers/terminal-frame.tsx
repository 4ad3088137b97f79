import { useEffect, useRef, useState } from "react";
import { ErrorNote } from "../../ui/error-note.tsx";
import { entranceTo } from "./enter.ts";
import { NotReached } from "./not-reached.tsx";
import type { Container } from "./states.tsx";

/** A terminal that says nothing for so long cannot be shown, or not here. */
const HEARD_MS_MAX = 8_000;

/** The id of what says how a keyboard leaves a terminal. */
export const TERMINAL_HINT = "terminal-hint";

interface TerminalFrameProps {
  readonly container: Container;
  readonly terminalId: number;
  readonly title: string;
  readonly onTitle: (title: string) => void;
  /** It is to take the keyboard as soon as it can. */
  readonly call?: KeyboardCall;
}

/** Somebody has opened a terminal to type in it. */
interface KeyboardCall {
  readonly id: string;
  readonly from: Element | null;
}

export const keyboardCall = (id: string): KeyboardCall => ({ id, from: document.activeElement });

/** Whoever went on to something else while it connected stays there. */
const isStillThere = ({ from }: KeyboardCall): boolean =>
  document.activeElement === from || document.activeElement?.matches("body, #page, h1") === true;

/** The terminal's own page, at its own address, with a session that is good in this frame alone. */
export function TerminalFrame({ container, terminalId, title, onTitle, call }: TerminalFrameProps) {
  const [attempt, setAttempt] = useState(0);
  const [address, setAddress] = useState<string>();
  const [error, setError] = useState<unknown>();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isConnected, setConnected] = useState(false);
  const isHeard = useHeard(frame, container.services.terminal, `${address}`, ({ title, state }) => {
    if (typeof title === "string") onTitle(title.slice(0, 40) || "Terminal");
    if (state === "connected") setConnected(true);
  });
  useEffect(() => {
    let isCurrent = true;
    setError(undefined);
    entranceTo(container.id, "terminal", queryOf(terminalId))
      .then((next) => isCurrent && setAddress(next))
      .catch((thrown) => isCurrent && setError(thrown));
    return () => {
      isCurrent = false;
    };
  }, [container.id, terminalId, attempt]);
  useEffect(() => {
    // What is typed before it is connected is lost.
    if (isConnected && call && isStillThere(call)) frame.current?.focus();
  }, [isConnected, call]);
  if (error !== undefined) return <ErrorNote error={error} />;
  return (
    <>
      {isHeard === false && (
        <NotReached
          container={container}
          what="terminal"
          query={queryOf(terminalId)}
          onRetry={() => {
            setAddress(undefined);
            setAttempt(attempt + 1);
          }}
        />
      )}
      {address === undefined ? (
        <div className="terminal-frame" role="status" aria-label="Opening the terminal" />
      ) : (
        <iframe
          ref={frame}
          className="terminal-frame"
          title={`${title} in ${container.name}`}
          aria-describedby={TERMINAL_HINT}
          src={address}
          allow="clipboard-read; clipboard-write; fullscreen"
          referrerPolicy="strict-origin"
          // It cannot lead this page away.
          sandbox="allow-scripts allow-same-origin allow-forms allow-downloads allow-modals allow-popups"
        />
      )}
    </>
  );
}

const queryOf = (terminalId: number) => `terminal_id=${terminalId}`;

/** What the terminal's page tells of itself. */
interface FrameNews {
  readonly title?: unknown;
  readonly state?: unknown;
}

/** Whether the terminal in the frame has spoken; false once it is late. */
function useHeard(
  frame: React.RefObject<HTMLIFrameElement | null>,
  origin: string,
  address: string,
  onNews: (news: FrameNews) => void,
): boolean | undefined {
  const [isHeard, setHeard] = useState<boolean>();
  const tell = useRef(onNews);
  tell.current = onNews;
  useEffect(() => {
    setHeard(undefined);
    if (!address.startsWith(origin)) return;
    const timer = setTimeout(() => setHeard((heard) => heard ?? false), HEARD_MS_MAX);
    // A frame does not say why it failed; a request fails at once where the certificate is not trusted.
    const asked = new AbortController();
    fetch(origin, { mode: "no-cors", credentials: "omit", signal: asked.signal }).catch(
      () => asked.signal.aborted || setHeard((heard) => heard ?? false),
    );
    const hear = ({ data, source, origin: from }: MessageEvent) => {
      if (from !== origin || source !== frame.current?.contentWindow || data?.berth !== "terminal") return;
      setHeard(true);
      tell.current(data);
    };
    addEventListener("message", hear);
    return () => {
      clearTimeout(timer);
      asked.abort();
      removeEventListener("message", hear);
    };
  }, [frame, origin, address]);
  return isHeard;
}
