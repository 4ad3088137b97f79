import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, BerthError } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { messageOf } from "../../lib/messages.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/page.tsx";
import {
  byDirection,
  closes,
  diffRules,
  parseRules,
  portable,
  type Rule,
  type RuleDiff,
} from "./rule-diff.ts";
import type { Container } from "./states.tsx";

interface ImportRulesProps {
  readonly container: Container;
  readonly onClose: () => void;
}

/** Puts the rules of a file in the place of those that are there, after a look at what that changes. */
export function ImportRules({ container: { id, name }, onClose }: ImportRulesProps) {
  const [text, setText] = useState("");
  const path = "/api/v1/containers/{id}/firewall/rules";
  // Under a key that no event makes stale: what is replaced is the version that the reader has compared.
  const present = useQuery({
    queryKey: ["compared-rules", id],
    queryFn: async () => {
      const { data, response } = await api.GET(path, { params: { path: { id } } });
      const { ingress = [], egress = [] } = data?.data ?? {};
      return { rules: [...ingress, ...egress], version: response.headers.get("etag") ?? "" };
    },
    staleTime: 0,
    gcTime: 0,
  });
  const { wanted, fault } = read(text);
  const replace = async () => {
    const body = { rules: [...(wanted ?? [])] };
    const params = { path: { id }, header: { "If-Match": present.data?.version ?? "" } };
    try {
      await perform("The rules are replaced", () => api.PUT(path, { params, body }), ["containers", id]);
    } catch (error) {
      if (!(error instanceof BerthError) || error.code !== "PRECONDITION_FAILED") throw error;
      await present.refetch();
      throw new Error("Somebody has changed the rules meanwhile. Look at the difference again.");
    }
    onClose();
  };
  return (
    <Dialog title="Import rules" onClose={onClose} isWide>
      <Loaded query={present}>
        {({ rules }) => (
          <Form
            submit="Replace the rules"
            isDisabled={wanted === undefined}
            onSubmit={replace}
            command={() => ({
              method: "PUT",
              path: path.replace("{id}", id),
              body: { rules: wanted ?? [] },
              berth: ["firewall", "apply", name, "--file", "-"],
              input: byDirection(wanted ?? []),
            })}
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
            {wanted && <Difference diff={diffRules(rules, wanted)} />}
            {wanted && closes(wanted) && !closes(rules.map(portable)) && (
              <p className="note warn">
                This closes the container: from now on, incoming packets that no rule allows are refused.
              </p>
            )}
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

const Difference = ({ diff: { added, removed, kept } }: { diff: RuleDiff }) => (
  <div role="status">
    <p>
      {plural(added.length, "rule")} added, {plural(removed.length, "rule")} removed,{" "}
      {plural(kept, "rule stays", "rules stay")}.
    </p>
    <ul className="difference">
      {removed.map((rule, index) => (
        <li key={`removed ${index} ${JSON.stringify(rule)}`} className="removed">
          − {wordsOf(rule)}
        </li>
      ))}
      {added.map((rule, index) => (
        <li key={`added ${index} ${JSON.stringify(rule)}`} className="added">
          + {wordsOf(rule)}
        </li>
      ))}
    </ul>
  </div>
);

const wordsOf = ({ direction, action, protocol, state, description, ...rest }: Rule): string =>
  [
    direction === "ingress" ? "in" : "out",
    action,
    protocol,
    ...Object.entries(rest)
      .filter(([name]) => name !== "id")
      .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`),
    state === "disabled" ? "(disabled)" : "",
    description && `“${description}”`,
  ]
    .filter(Boolean)
    .join(" ");
