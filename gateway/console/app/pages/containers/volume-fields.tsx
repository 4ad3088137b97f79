import { useState } from "react";
import type { Schemas } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";

type Volume = Schemas["Volume"];

interface VolumeFieldsProps {
  /** Those that the container can mount. */
  readonly shares: readonly Schemas["StorageShare"][];
  readonly begin?: readonly Volume[];
}

/** The volumes of a container, as many as wanted. */
export function VolumeFields({ shares, begin = [] }: VolumeFieldsProps) {
  const [rows, setRows] = useState(() => begin.map((volume) => ({ key: crypto.randomUUID(), volume })));
  const add = () => {
    const volume = { share_id: shares[0]?.id ?? "", path: "", read_only: false };
    setRows([...rows, { key: crypto.randomUUID(), volume }]);
  };
  return (
    <>
      {rows.length === 0 && <p className="hint">It has none.</p>}
      {rows.map(({ key, volume }, index) => (
        <fieldset key={key} className="volume">
          <legend className="visually-hidden">{`Volume ${index + 1}`}</legend>
          <ChoiceField
            label="Storage share"
            name={`share-${key}`}
            defaultValue={volume.share_id}
            choices={shares.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Field
            label="Appears at"
            name={`path-${key}`}
            defaultValue={volume.path}
            isRequired
            placeholder="/var/lib/data"
          />
          <CheckField label="Read only" name={`read-${key}`} defaultChecked={volume.read_only} />
          <Button
            look="quiet"
            icon="close"
            aria-label={`Remove volume ${index + 1}`}
            onPress={() => setRows(rows.filter((row) => row.key !== key))}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <div>
        <Button icon="plus" onPress={add}>
          Add a volume
        </Button>
      </div>
    </>
  );
}

/** The volumes that the fields say. */
export const volumesOf = (values: Values): Volume[] =>
  Object.entries(values)
    .filter(([name]) => name.startsWith("share-"))
    .map(([name, share_id]) => {
      const key = name.slice("share-".length);
      return { share_id, path: values[`path-${key}`] ?? "", read_only: values[`read-${key}`] === "on" };
    });
