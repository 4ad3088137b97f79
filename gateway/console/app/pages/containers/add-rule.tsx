import { refresh } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { RuleFields, ruleOf, ruleWords } from "./rule-fields.tsx";
import type { Container } from "./states.tsx";

/** What the first enabled rule for incoming packets means. */
export const CLOSES =
  "This is the first rule for incoming packets: from now on, everything that no rule allows is refused. The container's names and its terminal still reach it.";

interface AddRuleProps {
  readonly container: Container;
  /** Whether a first rule for incoming packets closes the container for all others. */
  readonly closes: boolean;
  readonly onClose: () => void;
}

/** One more rule. The first that lets something in closes the container for everything else, which is said before. */
export function AddRule({ container: { id, name }, closes, onClose }: AddRuleProps) {
  const pathOf = ({ direction = "ingress" }: Values) =>
    `/api/v1/containers/{id}/firewall/${direction as "ingress" | "egress"}` as const;
  const add = async (values: Values) => {
    await api.POST(pathOf(values), { params: { path: { id } }, body: bodyOf(values) as never });
    await refresh(["containers", id]);
    toast("The rule is added");
    onClose();
  };
  return (
    <Dialog title="Add a rule" onClose={onClose}>
      <Form
        submit="Add the rule"
        onSubmit={add}
        command={(values) => ({
          method: "POST",
          path: pathOf(values).replace("{id}", id),
          body: bodyOf(values),
          berth: ["firewall", "add", name, ...ruleWords(values)],
        })}
      >
        {(values) => (
          <>
            <RuleFields />
            {closes && values.direction !== "egress" && <p className="note warn">{CLOSES}</p>}
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** The direction stands in the path. */
function bodyOf(values: Values) {
  const { direction: _, ...body } = ruleOf(values);
  return body;
}
