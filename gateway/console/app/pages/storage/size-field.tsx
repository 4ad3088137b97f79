import type { ReactNode } from "react";
import { Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";

const GIBIBYTE = 1024 ** 3;
/** What the API takes. */
const MIN = 16 * 1024 ** 2;
const MAX = 8 * 1024 ** 4;

interface SizeFieldProps {
  readonly label: string;
  readonly name?: string;
  readonly defaultBytes: number;
  readonly hint?: ReactNode;
}

/** A size in GiB, which is what people think in. */
export const SizeField = ({ label, name = "size", defaultBytes, hint }: SizeFieldProps) => (
  <Field
    label={`${label}, GiB`}
    name={name}
    isRequired
    inputMode="decimal"
    pattern="[0-9]*(\.[0-9]*)?"
    validate={(size) =>
      sizeOf({ size }) < MIN || sizeOf({ size }) > MAX ? "Must be between 16 MiB and 8 TiB." : null
    }
    defaultValue={String(Math.round((defaultBytes / GIBIBYTE) * 1_000) / 1_000)}
    hint={hint}
  />
);

/** In bytes, whole. */
export const sizeOf = ({ size = "" }: Values): number => Math.round(Number(size) * GIBIBYTE);
