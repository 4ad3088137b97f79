import type { ReactNode } from "react";
import { Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";

const GIBIBYTE = 1024 ** 3;

interface SizeFieldProps {
  readonly label: string;
  readonly defaultBytes: number;
  readonly hint?: ReactNode;
}

/** A size in GiB, which is what people think in. */
export const SizeField = ({ label, defaultBytes, hint }: SizeFieldProps) => (
  <Field
    label={`${label}, GiB`}
    name="size"
    isRequired
    inputMode="decimal"
    pattern="[0-9]{1,5}(\.[0-9]{1,3})?"
    mismatch="A number up to 99,999, such as 2.5."
    defaultValue={String(Math.round((defaultBytes / GIBIBYTE) * 1_000) / 1_000)}
    hint={hint}
  />
);

/** In bytes, whole. */
export const sizeOf = ({ size = "" }: Values): number => Math.round(Number(size) * GIBIBYTE);
