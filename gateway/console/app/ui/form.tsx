import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Form as AriaForm } from "react-aria-components/Form";
import { isolated } from "../lib/isolated.ts";
import type { Values } from "../lib/values.ts";
import { Button, type Look } from "./button.tsx";
import { ErrorNote } from "./error-note.tsx";
import { focusField, RefusalContext, refusalOf } from "./form-errors.ts";
import { holdChangesWhilePressed } from "./hold-changes.ts";
import { type Command, SameByCommand } from "./same-by-command.tsx";

export type { Values };

interface FormProps {
  /** The fields; or a function of what is in them, for what follows from it. It is empty until they are drawn. */
  readonly children: ReactNode | ((values: Values) => ReactNode);
  /** Sends the form. What it throws is shown beside the field that it names, or below. */
  readonly onSubmit: (values: Values) => Promise<unknown>;
  readonly submit: string;
  readonly look?: Look;
  readonly isDisabled?: boolean;
  /** The request that `onSubmit` sends, to show how it is done without this page. */
  readonly command?: (values: Values) => Command | readonly Command[];
  /** Fields to which refusals belong, by code or by the API's name: `{ NAME_TAKEN: "name", "resources.cpu_cores": "cores" }`. */
  readonly fieldOf?: Readonly<Record<string, string>>;
  /** Below it, with whether something was changed since it was shown or saved: what asks before the page is left. */
  readonly guard?: (isChanged: boolean) => ReactNode;
  /** More buttons, such as one that leaves. */
  readonly actions?: ReactNode;
}

/** A form that shows what is wrong beside the field, keeps what was typed, and cannot be sent twice. */
export function Form(props: FormProps) {
  const {
    children,
    onSubmit,
    submit,
    look = "primary",
    isDisabled = false,
    command,
    fieldOf,
    guard,
    actions,
  } = props;
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values>({});
  const [saved, setSaved] = useState<Values>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const refusal = refusalOf(error, fieldOf, form.current);

  const read = useRef(() => {
    const next = form.current === null ? {} : valuesOf(form.current);
    setValues((former) => (areEqual(former, next) ? former : next));
  }).current;

  useLayoutEffect(() => setSaved(form.current === null ? undefined : valuesOf(form.current)), []);
  // A choice of the page around it may show other fields: they count once they are drawn.
  useLayoutEffect(read);
  useEffect(() => {
    // On the window, after React's own listener: a render before it would put the former text back.
    const readInput = ({ type, target, isTrusted }: Event) => {
      if (!form.current?.contains(target as Node)) return;
      read();
      // A field's error goes as soon as it is mended: at the end of typing it would move the button under the mouse.
      if (type === "input" && isMended(target as Element)) target?.dispatchEvent(new Event("change"));
      // What was wrong is being mended: a field that keeps its error keeps the form from being sent. The end of typing that was held back
      // comes after a click that may have sent the form.
      if (type === "input" || isTrusted) setError(undefined);
    };
    const events = ["input", "change"];
    for (const event of events) addEventListener(event, readInput);
    // Fields come and go by buttons as well.
    const watch = new MutationObserver(read);
    if (form.current) watch.observe(form.current, { childList: true, subtree: true });
    const stopHolding = form.current ? holdChangesWhilePressed(form.current) : undefined;
    return () => {
      stopHolding?.();
      for (const event of events) removeEventListener(event, readInput);
      watch.disconnect();
    };
  }, [read]);

  // It may be far above the button that was pressed.
  const refused = refusal?.name;
  useEffect(() => {
    if (refused !== undefined) focusField(form.current, refused);
  }, [refused]);

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setError(undefined);
    try {
      const sent = valuesOf(event.currentTarget);
      await onSubmit(sent);
      setSaved(sent);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setSending(false);
    }
  };

  const fields = (
    <AriaForm
      ref={form}
      className="form"
      onSubmit={send}
      validationErrors={refusal === undefined ? {} : { [refusal.name]: refusal.message }}
    >
      <RefusalContext value={refusal}>
        {typeof children === "function" ? children(values) : children}
      </RefusalContext>
      {error !== undefined && refusal === undefined && <ErrorNote error={error} />}
      <div className="form-actions">
        <Button type="submit" look={look} isPending={isSending} isDisabled={isDisabled}>
          {isolated(submit)}
        </Button>
        {actions}
      </div>
      {command && <SameByCommand of={command(values)} />}
    </AriaForm>
  );
  if (guard === undefined) return fields;
  return (
    <>
      {fields}
      {guard(saved !== undefined && !areEqual(saved, values))}
    </>
  );
}

/** Whether a field is shown as wrong and is right now. */
const isMended = (field: Element): boolean =>
  field.getAttribute("aria-invalid") === "true" && (field as HTMLInputElement).validity.valid;

const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string")) as Values;

const areEqual = (a: Values, b: Values): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);
