import { Field } from "../../ui/field.tsx";

/** Asks for the present password, as `current_password`. */
export const CurrentPassword = ({ autoFocus = false }: { autoFocus?: boolean }) => (
  <Field
    label="Current password"
    name="current_password"
    type="password"
    autoComplete="current-password"
    maxLength={256}
    isRequired
    autoFocus={autoFocus}
  />
);
