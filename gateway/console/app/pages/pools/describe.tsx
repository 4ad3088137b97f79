import { api, type Schemas } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

interface DescribePoolProps {
  readonly pool: Pick<Schemas["PoolDetail"], "id" | "name" | "description">;
  readonly onClose: () => void;
}

/** What a pool is for, as its members read it. A pool keeps its name. */
export const DescribePool = ({ pool: { id, name, description }, onClose }: DescribePoolProps) => (
  <Dialog title={`Describe ${name}`} onClose={onClose}>
    <Form
      submit="Save"
      onSubmit={async ({ description = "" }) => {
        await perform(
          "The description is saved",
          () => api.PUT("/api/v1/pools/{id}", { params: { path: { id } }, body: { description } }),
          ["pools"],
        );
        onClose();
      }}
      command={({ description = "" }) => ({
        method: "PUT",
        path: `/api/v1/pools/${id}`,
        body: { description },
        berth: null,
      })}
    >
      <Field
        label="What for"
        name="description"
        lines={3}
        maxLength={500}
        defaultValue={description ?? ""}
        autoFocus
        hint="All members see it."
      />
    </Form>
  </Dialog>
);
