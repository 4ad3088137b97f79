import { api, type Schemas } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

type Role = Schemas["MemberRole"];

export const ROLES = [
  { value: "user", label: "user: sees and enters containers" },
  { value: "admin", label: "admin: also changes them, and invites" },
];

/** Asks somebody to join. They decide themselves. */
export const InviteMember = ({ poolId, onClose }: { poolId: string; onClose: () => void }) => (
  <Dialog title="Invite somebody" onClose={onClose}>
    <Form
      submit="Invite"
      onSubmit={async (values) => {
        await perform(
          `${values.username} is invited`,
          () =>
            api.POST("/api/v1/pools/{id}/members", {
              params: { path: { id: poolId } },
              body: bodyOf(values),
            }),
          ["pools"],
        );
        onClose();
      }}
      fieldOf={{ USER_NOT_FOUND: "username", ALREADY_MEMBER: "username", ALREADY_INVITED: "username" }}
      command={(values) => ({
        method: "POST",
        path: `/api/v1/pools/${poolId}/members`,
        body: bodyOf(values),
        berth: ["pool", "invite", poolId, values.username || "…", "--role", bodyOf(values).role],
      })}
    >
      <Field
        label="User name"
        name="username"
        maxLength={100}
        isRequired
        autoFocus
        hint="As they signed up. They get a notification and decide."
      />
      <ChoiceField label="Role" name="role" choices={ROLES} />
    </Form>
  </Dialog>
);

const bodyOf = ({ username = "", role = "user" }: Values) => ({ username, role: role as Role });
