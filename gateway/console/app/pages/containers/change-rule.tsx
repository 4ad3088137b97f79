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
          const former = compared.rules.find(({ id }) => id === rule.id);
          if (former === undefined)
            return (
              <p className="note warn">Somebody has removed the rule meanwhile. Add it again to have it.</p>
            );
          const begin = portable(former);
          const wanted = (values: Values) =>
            compared.rules.map((one) =>
              one === former ? { id: one.id, ...ruleOf(values, begin) } : withoutCounters(one),
            );
          const at = `rules.${compared.rules.indexOf(former)}`;
          const change = async (values: Values) => {
            const rules = wanted(values);
            if (diffRules(compared.rules, rules).added.length === 0) toast("Nothing was changed");
            else await replace(rules, "The rule is changed");
            onClose();
          };
          return (
            <Form
              submit="Change the rule"
              onSubmit={change}
              command={(values) => command(wanted(values))}
              fieldOf={Object.fromEntries(FIELDS.map((name) => [`${at}.${name}`, name]))}
            >
              {(values) => (
                <>
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
