import { useEffect, useState } from "react";
import type { Schemas } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";
import { useRowFocus } from "../../ui/row-focus.ts";
import { SizeField } from "../storage/size-field.tsx";

type Volume = Schemas["Volume"];
type Share = Pick<Schemas["StorageShare"], "id" | "name">;

/** In place of the id of a share: one that is made with the container. */
export const NEW_SHARE = "new";
const NEW_SHARE_BYTES = 10 * 1024 ** 3;

interface VolumeFieldsProps {
  /** Those that the container can mount. */
  readonly shares: readonly Share[];
  readonly begin?: readonly Volume[];
  /** A volume may name a share that is to be made. */
  readonly makesShares?: boolean;
  /** Shares that were made for the volumes, by their places. */
  readonly made?: Readonly<Record<number, Share>>;
}

/** The volumes of a container, as many as wanted. Their fields have the names that the API has for them. */
export function VolumeFields({ shares, begin = [], makesShares = false, made = NONE }: VolumeFieldsProps) {
  const [rows, setRows] = useState(() => begin.map((volume) => ({ key: crypto.randomUUID(), ...volume })));
  const choose = (key: string, share_id: string) =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, share_id } : row)));
  useEffect(() => {
    setRows((all) => all.map((row, index) => ({ ...row, share_id: made[index]?.id ?? row.share_id })));
  }, [made]);
  const known = [...shares, ...Object.values(made).filter(({ id }) => !shares.some((one) => one.id === id))];
  const choices = [
    ...known.map(({ id, name }) => ({ value: id, label: name })),
    ...(makesShares ? [{ value: NEW_SHARE, label: "A new storage share" }] : []),
  ];
  const first = choices[0]?.value ?? "";
  const { adding, focusRow } = useRowFocus();
  const add = () => {
    focusRow(rows.length);
    setRows([...rows, { key: crypto.randomUUID(), share_id: first, path: "", read_only: false }]);
  };
  return (
    <>
      {rows.length === 0 && <p className="hint">It has none.</p>}
      {rows.map(({ key, share_id, path, read_only }, index) => {
        const name = (field: string) => `volumes.${index}.${field}`;
        const chosen = choices.some(({ value }) => value === share_id) ? share_id : first;
        return (
          <fieldset key={key} className="volume">
            <legend className="visually-hidden">{`Volume ${index + 1}`}</legend>
            <ChoiceField
              label="Storage share"
              name={name("share_id")}
              value={chosen}
              onChange={(value) => choose(key, value)}
              choices={choices}
            />
            <Field
              label="Appears at"
              name={name("path")}
              defaultValue={path}
              isRequired
              pattern="/.*"
              mismatch="It must begin with /."
              placeholder="/var/lib/data"
            />
            {chosen === NEW_SHARE && (
              <>
                <Field label="Name of the new share" name={name("name")} isRequired maxLength={63} />
                <SizeField label="Its size" name={name("size")} defaultBytes={NEW_SHARE_BYTES} />
              </>
            )}
            <CheckField label="Read only" name={name("read_only")} defaultChecked={read_only} />
            <Button
              look="quiet"
              icon="close"
              aria-label={`Remove volume ${index + 1}`}
              onPress={() => {
                focusRow(index);
                setRows(rows.filter((row) => row.key !== key));
              }}
            >
              Remove
            </Button>
          </fieldset>
        );
      })}
      <div ref={adding}>
        <Button icon="plus" onPress={add}>
          Add a volume
        </Button>
      </div>
    </>
  );
}

const NONE: Readonly<Record<number, Share>> = {};

/** The volumes that the fields say. */
export const volumesOf = (values: Values): Volume[] =>
  Object.entries(values).flatMap(([name, share_id]) => {
    const [, row] = /^(volumes\.\d+)\.share_id$/.exec(name) ?? [];
    if (row === undefined) return [];
    return [{ share_id, path: values[`${row}.path`] ?? "", read_only: values[`${row}.read_only`] === "on" }];
  });
