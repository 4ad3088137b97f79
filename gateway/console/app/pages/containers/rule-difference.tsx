import { plural } from "../../lib/format.ts";
import type { Compared } from "./replacement.ts";
import { closes, diffRules, type Rule } from "./rule-diff.ts";

/** What a replacement of the rules changes, and whether it closes the container. */
export function Difference({ of: { rules, isOpen }, wanted }: { of: Compared; wanted: readonly Rule[] }) {
  const { added, removed, kept } = diffRules(rules, wanted);
  return (
    <>
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
      {isOpen && closes(wanted) && (
        <p className="note warn">
          This closes the container: from now on, incoming packets that no rule allows are refused.
        </p>
      )}
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  destination_port: "port",
  source: "from",
  destination: "to",
};

const wordsOf = ({ direction, action, protocol, state, description, ...rest }: Rule): string =>
  [
    direction === "ingress" ? "in" : "out",
    action,
    protocol === "icmp4" ? "ICMP" : protocol.toUpperCase(),
    ...Object.entries(rest)
      .filter(([name]) => name !== "id")
      .map(([name, value]) => `${WORDS[name] ?? name.replaceAll("_", " ")} ${value}`),
    state === "disabled" ? "(disabled)" : "",
    description && `“${description}”`,
  ]
    .filter(Boolean)
    .join(" ");
