import type { ChangeEventHandler, ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField, type TextFieldProps } from "react-aria-components/TextField";
import { formatNumber } from "../lib/format.ts";

interface FieldProps extends Omit<TextFieldProps, "className" | "children"> {
  readonly label: string;
  /** What is allowed, and what it is good for. */
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  /** More than one: a field of several lines. */
  readonly lines?: number;
  /** Stands before the text, such as a currency. */
  readonly unit?: string;
  /** The id of a `<datalist>` with texts to choose from. */
  readonly list?: string;
  /** What is said of a text that does not match `pattern`. Fields of numbers say it by themselves. */
  readonly mismatch?: string;
}

/** By the keyboard that a phone shows for the field. */
const MISMATCH: Readonly<Record<string, string>> = {
  numeric: "Digits only.",
  decimal: "A number, such as 2.5.",
};

/** A line of text with its name above and what is wrong with it below. */
export const Field = ({
  label,
  hint,
  placeholder,
  lines = 1,
  unit,
  list,
  mismatch,
  ...props
}: FieldProps) => (
  <TextField {...props} className="field">
    <Label>{label}</Label>
    <span className="input-line">
      {unit && <span className="unit">{unit}</span>}
      {lines === 1 ? (
        <Input
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(list === undefined ? {} : { list })}
        />
      ) : (
        <TextArea rows={lines} {...(placeholder === undefined ? {} : { placeholder })} />
      )}
    </span>
    {hint && (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="field-error">
      {({ validationDetails, defaultChildren }) =>
        // The browser's own sentences are longer than a field is wide, or do not say what is wrong.
        (validationDetails.tooShort && `At least ${formatNumber(props.minLength ?? 1)} characters.`) ||
        (validationDetails.patternMismatch && (mismatch ?? MISMATCH[props.inputMode ?? ""])) ||
        defaultChildren
      }
    </FieldError>
  </TextField>
);

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** It is named, and cannot be chosen. */
  readonly isDisabled?: boolean;
}

interface ChoiceProps {
  readonly label: string;
  readonly name?: string;
  readonly choices: readonly Choice[];
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
}

/** One of a few: the system's own list, which every device knows how to show. */
export const ChoiceField = ({ label, choices, hint, onChange, isRequired, ...props }: ChoiceProps) => (
  <label className="field">
    <span className="react-aria-Label">{label}</span>
    <select {...props} required={isRequired} onChange={(event) => onChange?.(event.target.value)}>
      {choices.map(({ value, label, isDisabled = false }) => (
        <option key={value} value={value} disabled={isDisabled}>
          {label}
        </option>
      ))}
    </select>
    {hint && <span className="hint">{hint}</span>}
  </label>
);

/** A check box with what it means. */
export const CheckField = ({
  label,
  hint,
  ...props
}: {
  label: ReactNode;
  hint?: ReactNode;
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: ChangeEventHandler<HTMLInputElement>;
}) => (
  <label className="check">
    <input type="checkbox" {...props} />
    <span>
      {label}
      {hint && <span className="hint">{hint}</span>}
    </span>
  </label>
);
