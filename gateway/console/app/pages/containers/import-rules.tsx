import { useState } from "react";
import { messageOf } from "../../lib/messages.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/page.tsx";
import { useReplacement } from "./replacement.ts";
import { parseRules, type Rule } from "./rule-diff.ts";
import { Difference } from "./rule-difference.tsx";
import type { Container } from "./states.tsx";

interface ImportRulesProps {
  readonly container: Container;
  readonly onClose: () => void;
}

/** Puts the rules of a file in the place of those that are there, after a look at what that changes. */
export function ImportRules({ container, onClose }: ImportRulesProps) {
  const [text, setText] = useState("");
  const { present, replace, command } = useReplacement(container);
  const { wanted, fault } = read(text);
  return (
    <Dialog title="Import rules" onClose={onClose} isWide>
      <Loaded query={present}>
        {(compared) => (
          <Form
            submit="Replace the rules"
            isDisabled={wanted === undefined}
            onSubmit={async () => {
              await replace(wanted ?? [], "The rules are replaced");
              onClose();
            }}
            command={() => command(wanted ?? [])}
          >
            <label className="field">
              <span className="react-aria-Label">File</span>
              <input
                type="file"
                accept="application/json,.json"
                onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
              />
            </label>
            <label className="field">
              <span className="react-aria-Label">Or as text</span>
              <textarea rows={8} value={text} onChange={({ target }) => setText(target.value)} />
              {fault !== undefined && <span className="field-error">{fault}</span>}
            </label>
            {wanted && <Difference of={compared} wanted={wanted} />}
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}

function read(text: string): { wanted?: readonly Rule[]; fault?: string } {
  if (text.trim() === "") return {};
  try {
    return { wanted: parseRules(text) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
