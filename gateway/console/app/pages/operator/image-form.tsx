import { useRef } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { byFile } from "../../lib/commands.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

type Image = Schemas["CatalogueImage"];
const ARCHITECTURES = ["amd64", "arm64", "armhf", "ppc64el", "riscv64", "s390x"] as const;

/** An image of the catalogue. Its name, system and price are what users see. */
export function ImageForm({ image, onClose }: { image?: Image; onClose: () => void }) {
  const icon = useRef<HTMLInputElement>(null);
  const save = async (values: Values) => {
    const body = bodyOf(values);
    const { id } = await dataOf(
      image
        ? api.PATCH("/api/v1/admin/images/{id}", { params: { path: { id: image.id } }, body })
        : api.POST("/api/v1/admin/images", { body }),
    );
    const file = icon.current?.files?.[0];
    if (file !== undefined) await setIcon(id, file);
    await refresh(["images"]);
    toast(image ? "The image is changed" : `${body.alias} is in the catalogue`);
    onClose();
  };
  return (
    <Dialog title={image ? `Change ${image.alias}` : "Add an image"} onClose={onClose} isWide>
      <Form
        submit={image ? "Save" : "Add the image"}
        onSubmit={save}
        command={(values) => ({
          method: image ? "PATCH" : "POST",
          path: image ? `/api/v1/admin/images/${image.id}` : "/api/v1/admin/images",
          ...byFile(
            image ? ["admin", "images", "update", image.alias] : ["admin", "images", "add"],
            bodyOf(values),
          ),
        })}
      >
        <Field
          label="Name"
          name="alias"
          maxLength={100}
          isRequired
          autoFocus
          defaultValue={image?.alias ?? ""}
        />
        <Field
          label="Description"
          name="description"
          lines={2}
          maxLength={1000}
          isRequired
          defaultValue={image?.description ?? ""}
        />
        <Field
          label="Made of"
          name="reference"
          defaultValue={image?.reference ?? ""}
          placeholder="debian:13"
          hint="An image of a registry. Empty: the programs of the host."
        />
        <div className="field-row">
          <Field
            label="Short name"
            name="image_name"
            maxLength={200}
            isRequired
            defaultValue={image?.image_name ?? ""}
            placeholder="debian-13"
          />
          <Field
            label="Variant"
            name="variant"
            maxLength={64}
            isRequired
            defaultValue={image?.variant ?? "default"}
          />
        </div>
        <div className="field-row">
          <ChoiceField
            label="Architecture"
            name="architecture"
            defaultValue={image?.architecture ?? "amd64"}
            choices={ARCHITECTURES.map((value) => ({ value, label: value }))}
          />
          <Field
            label="Price"
            name="price"
            unit="$"
            inputMode="decimal"
            isRequired
            defaultValue={String(image?.price ?? 0)}
            hint="0: free."
          />
        </div>
        <label className="field">
          <span className="react-aria-Label">Icon</span>
          <input ref={icon} type="file" accept="image/png" />
          <span className="hint">A PNG of at most 512 × 512 pixels. None chosen: it stays as it is.</span>
        </label>
        <CheckField name="public" label="Public: in the catalogue" defaultChecked={image?.public ?? true} />
        <CheckField
          name="prespawn"
          label="Keep ready: every host pulls it ahead and keeps it"
          defaultChecked={image?.prespawn ?? false}
        />
      </Form>
    </Dialog>
  );
}

/** Debian 13 is the system that the platform carries. */
const SYSTEM = { os: "debian", release: "13" } as const;

const bodyOf = (values: Values) => ({
  ...SYSTEM,
  alias: values.alias ?? "",
  description: values.description ?? "",
  reference: values.reference ?? "",
  image_name: values.image_name ?? "",
  variant: values.variant ?? "",
  architecture: (values.architecture ?? "amd64") as (typeof ARCHITECTURES)[number],
  price: values.price ?? "0",
  public: values.public !== undefined,
  prespawn: values.prespawn !== undefined,
});

const setIcon = (id: string, file: File) =>
  api.PUT("/api/v1/admin/images/{id}/icon", {
    params: { path: { id } },
    body: file as unknown as string,
    bodySerializer: (body) => body,
    headers: { "content-type": "application/octet-stream" },
  });
