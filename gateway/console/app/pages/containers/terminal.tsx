import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Empty, Section } from "../../ui/page.tsx";
import { hasDesktop, openDesktop } from "./enter.ts";
import { RunCommand } from "./run-command.tsx";
import type { Container } from "./states.tsx";
import { keyboardCall, TERMINAL_HINT, TerminalFrame } from "./terminal-frame.tsx";
import { useTerminals } from "./terminals.ts";

/** Below the terminal's address. */

/** Terminals in the container, as many as wanted, and a line to run without one. */
export default function Terminal({ container }: { container: Container }) {
  const { name, state } = container;
  return (
    <>
      {state === "running" ? (
        <Terminals container={container} />
      ) : (
        <Empty icon="terminal" title={`${name} does not run`}>
          Start it: its terminals open as soon as it runs.
        </Empty>
      )}
      <Section title="Without a terminal">
        <RunCommand container={container} />
      </Section>
    </>
  );
}

function Terminals({ container }: { container: Container }) {
  const { terminals, add, close, name } = useTerminals(container.id);
  const [chosen, setChosen] = useState(String(terminals[0]?.id ?? ""));
  const [call, setCall] = useState(() => keyboardCall(chosen));
  const open = (id: string) => {
    setChosen(id);
    setCall(keyboardCall(id));
  };
  const opened = useRef(terminals.length);
  useEffect(() => {
    // The newest is shown when one was added, and the last where the shown one was closed.
    const last = String(terminals.at(-1)?.id ?? "");
    if (terminals.length > opened.current || !terminals.some(({ id }) => String(id) === chosen)) {
      setChosen(last);
      setCall(keyboardCall(last));
    }
    opened.current = terminals.length;
  }, [terminals, chosen]);
  return (
    <div className="terminals">
      <div className="bar">
        <TerminalTabs
          label={`Terminals in ${container.name}`}
          terminals={terminals}
          chosen={chosen}
          onChoose={setChosen}
          onOpen={open}
        />
        <Button look="quiet" icon="plus" onPress={add}>
          New terminal
        </Button>
        {hasDesktop(container) && (
          <Button look="quiet" icon="external" onPress={() => openDesktop(container.id)}>
            Desktop
          </Button>
        )}
        {terminals.length > 1 && (
          <Button look="quiet" icon="close" onPress={() => close(Number(chosen))}>
            Close this one
          </Button>
        )}
      </div>
      {terminals.map(({ id, title }, index) => (
        // One that is not shown goes on.
        <div
          key={id}
          role="tabpanel"
          id={`terminal-${id}`}
          aria-labelledby={`terminal-tab-${id}`}
          data-inert={String(id) !== chosen || undefined}
        >
          <TerminalFrame
            container={container}
            terminalId={id}
            title={labelOf(title, index)}
            onTitle={(next) => name(id, next)}
            {...(call.id === String(id) && { call })}
          />
        </div>
      ))}
      <p id={TERMINAL_HINT} className="hint">
        What runs in a terminal goes on when this page is closed, and comes back with it. Tab and Escape
        belong to the program in it: Ctrl+F6 leads out, to the buttons above it, and Escape from there back
        in.
      </p>
      {!hasDesktop(container) && (
        <p className="hint with-actions">
          A desktop, for programs with windows, needs perl and an X server in the container: in Debian the
          package tigervnc-standalone-server. The image does not say that it has them.
          <Button look="quiet" icon="external" onPress={() => openDesktop(container.id)}>
            Try a desktop
          </Button>
        </p>
      )}
    </div>
  );
}

interface TerminalTabsProps {
  readonly label: string;
  readonly terminals: readonly { readonly id: number; readonly title: string }[];
  readonly chosen: string;
  /** Shows one; the keyboard stays with the tabs. */
  readonly onChoose: (id: string) => void;
  /** Shows one, which takes the keyboard. */
  readonly onOpen: (id: string) => void;
}

/** The arrows go from tab to tab, and Enter or Tab goes on to what is shown. */
function TerminalTabs({ label, terminals, chosen, onChoose, onOpen }: TerminalTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const at = terminals.findIndex(({ id }) => String(id) === chosen);
    const next = terminals.at((at + by) % terminals.length);
    if (next === undefined) return;
    onChoose(String(next.id));
    list.current?.querySelector<HTMLElement>(`#terminal-tab-${next.id}`)?.focus();
  };
  return (
    <div ref={list} role="tablist" className="terminal-tabs" aria-label={label}>
      {terminals.map(({ id, title }, index) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`terminal-tab-${id}`}
          aria-controls={`terminal-${id}`}
          aria-selected={String(id) === chosen}
          data-selected={String(id) === chosen || undefined}
          data-text={labelOf(title, index)}
          tabIndex={String(id) === chosen ? 0 : -1}
          onClick={() => onOpen(String(id))}
          onKeyDown={({ key }) => {
            if (key === "ArrowRight") step(1);
            if (key === "ArrowLeft") step(-1);
          }}
        >
          {labelOf(title, index)}
        </button>
      ))}
    </div>
  );
}

/** A program may give its terminal a title; otherwise it has a number. */
const labelOf = (title: string, index: number): string =>
  /^Terminal( \d+)?$/.test(title) ? `Terminal ${index + 1}` : title;
