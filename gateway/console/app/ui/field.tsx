import {
  type ChangeEventHandler,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useContext,
  useId,
  useRef,
  useState,
} from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField, type TextFieldProps } from "react-aria-components/TextField";
import { formatNumber } from "../lib/format.ts";
import { isolated } from "../lib/isolated.ts";
import { RefusalContext } from "./form-errors.ts";

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

/** Shorter ones are codes and the like, of which nobody writes too much. */
const LIMIT_SAID_FROM = 50;
const LIMIT_UNSAID: readonly unknown[] = ["password", "email"];

/** @param hint may say it in its own words */
const limitOf = (maxLength = 0, type: unknown, hint: ReactNode): string =>
  maxLength < LIMIT_SAID_FROM || LIMIT_UNSAID.includes(type) || String(hint).includes(String(maxLength))
    ? ""
    : `At most ${formatNumber(maxLength)} characters.`;

/** The browser would cut what is too long, and say nothing. The API counts a character outside of the basic plane as one. */
function excessOf(text: string, maxLength: number | undefined): string | null {
  const excess = maxLength === undefined ? 0 : [...text].length - maxLength;
  return excess > 0
    ? `At most ${formatNumber(maxLength ?? 0)} characters: ${formatNumber(excess)} too many.`
    : null;
}

/** Has what is wrong with a field said aloud, also where the field has the focus already. */
const FieldAlert = ({ children }: { children: ReactNode }) => (
  <span role="alert" className="field-alert">
    {children}
  </span>
);

/** A line of text with its name above and what is wrong with it below. */
export function Field({
  label,
  hint,
  placeholder,
  lines = 1,
  unit,
  list,
  mismatch,
  maxLength,
  validate,
  ...props
}: FieldProps) {
  const limit = limitOf(maxLength, props.type, hint);
  // What stands in the first field of a dialog is there to be replaced.
  const isReplaced = useRef(props.autoFocus === true && props.defaultValue !== undefined);
  const selectOnce = ({ target }: FocusEvent) => {
    if (isReplaced.current && target instanceof HTMLInputElement) target.select();
    isReplaced.current = false;
  };
  return (
    <TextField
      onFocus={selectOnce}
      {...props}
      className="field"
      validate={(text) => excessOf(text, maxLength) ?? validate?.(text)}
    >
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
      {(hint || limit) && (
        <Text slot="description" className="hint">
          {hint} {limit}
        </Text>
      )}
      <FieldAlert>
        <FieldError className="field-error">
          {({ validationDetails, defaultChildren }) =>
            // The browser's own sentences are longer than a field is wide, or do not say what is wrong.
            (validationDetails.tooShort && `At least ${formatNumber(props.minLength ?? 1)} characters.`) ||
            (validationDetails.patternMismatch && (mismatch ?? MISMATCH[props.inputMode ?? ""])) ||
            defaultChildren
          }
        </FieldError>
      </FieldAlert>
    </TextField>
  );
}

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
  readonly autoFocus?: boolean;
}

/** One of a few: the system's own list, which every device knows how to show. */
export function ChoiceField({ label, choices, hint, onChange, isRequired, ...props }: ChoiceProps) {
  const refusal = useContext(RefusalContext);
  const id = useId();
  const [isMissing, setMissing] = useState(false);
  const refused = props.name !== undefined && refusal?.name === props.name ? refusal.message : undefined;
  const error = isMissing ? "Choose one." : refused;
  const describedBy = [hint && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(" ");
  const showMissing = (event: FormEvent<HTMLSelectElement>) => {
    // In place of the browser's own bubble, as in the fields of text, of which the first that is wrong gets the focus.
    event.preventDefault();
    setMissing(true);
    const { currentTarget: select } = event;
    if (select.form?.querySelector("input:invalid, select:invalid, textarea:invalid") === select)
      select.focus();
  };
  return (
    <div className="field">
      <label className="react-aria-Label" htmlFor={id}>
        {label}
      </label>
      <select
        {...props}
        id={id}
        required={isRequired}
        onInvalid={showMissing}
        onChange={(event) => {
          setMissing(false);
          onChange?.(event.target.value);
        }}
        {...(describedBy === "" ? {} : { "aria-describedby": describedBy })}
        {...(error === undefined ? {} : { "aria-invalid": true })}
      >
        {choices.map(({ value, label, isDisabled = false }) => (
          <option key={value} value={value} disabled={isDisabled}>
            {isolated(label)}
          </option>
        ))}
      </select>
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      <FieldAlert>
        {error !== undefined && (
          <span id={`${id}-error`} className="field-error">
            {error}
          </span>
        )}
      </FieldAlert>
    </div>
  );
}

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
