import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Loaded } from "../../ui/page.tsx";
import { useReplacement } from "./replacement.ts";
import { diffRules, type Listed, portable, withoutCounters } from "./rule-diff.ts";
import { Difference } from "./rule-difference.tsx";
import { RuleFields, ruleOf } from "./rule-fields.tsx";
import type { Container } from "./states.tsx";

interface ChangeRuleProps {
  readonly container: Container;
  readonly rule: Listed;
  readonly onClose: () => void;
}

/** Puts a changed rule in the place of the former, with all others in one step: no packet meets neither or both. */
export function ChangeRule({ container, rule, onClose }: ChangeRuleProps) {
  const { present, replace, command } = useReplacement(container);
  return (
    <Dialog title="Change the rule" onClose={onClose}>
      <Loaded query={present}>
        {(compared) => {
          const found = compared.rules.find(({ id }) => id === rule.id);
          // What was typed stays: one that is gone is added again.
          const begin = portable(found ?? rule);
          const wanted = (values: Values) => {
            const changed = ruleOf(values, begin);
            const kept = compared.rules.map((one) =>
              one === found ? { id: one.id, ...changed } : withoutCounters(one),
            );
            return found === undefined ? [...kept, changed] : kept;
          };
          const at = `rules.${found === undefined ? compared.rules.length : compared.rules.indexOf(found)}`;
          const submit = found === undefined ? "Add the rule again" : "Change the rule";
          const change = async (values: Values) => {
            const rules = wanted(values);
            if (diffRules(compared.rules, rules).added.length === 0) toast("Nothing was changed");
            else await replace(rules, found === undefined ? "The rule is added" : "The rule is changed");
            onClose();
          };
          return (
            <Form
              submit={submit}
              onSubmit={change}
              command={(values) => command(wanted(values))}
              fieldOf={Object.fromEntries(FIELDS.map((name) => [`${at}.${name}`, name]))}
            >
              {(values) => (
                <>
                  {found === undefined && (
                    <p className="note warn" role="status">
                      Somebody has removed the rule meanwhile. What you typed is still here: add it again to
                      have it.
                    </p>
                  )}
                  <RuleFields begin={begin} />
                  {values.action && <Difference of={compared} wanted={wanted(values)} />}
                </>
              )}
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

const FIELDS = ["destination_port", "source", "destination", "description"];
