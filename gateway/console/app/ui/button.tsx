import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  type PressEvent,
} from "react-aria-components/Button";
import { Icon, type IconName } from "./icons.tsx";

/**
 * One `primary` button at most in a view: what a person came for. What stops, ends or deletes something has a mark besides its colour: a
 * `risky` button leads there, `danger` confirms it, and `remove` stands in the rows of a list.
 */
export type Look = "primary" | "plain" | "quiet" | "danger" | "risky" | "remove";

const MARKS: Partial<Record<Look, IconName>> = { danger: "warning", risky: "warning", remove: "trash" };

interface ButtonProps extends Omit<AriaButtonProps, "className" | "children" | "onPress"> {
  /** What it returns is awaited: until then, and for a double click, the button does nothing more. */
  readonly onPress?: (event: PressEvent) => unknown;
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

export const Button = ({ look = "plain", icon = MARKS[look], children, onPress, ...props }: ButtonProps) => (
  <AriaButton {...props} {...useOnePress(onPress)} className={`button ${look}`}>
    {icon && <Icon name={icon} />}
    {children}
  </AriaButton>
);

/** The second press of a double click comes within it. */
const DOUBLE_CLICK_MS = 500;

/** A press that begins something is not followed by another until it has ended. */
function useOnePress(onPress: ButtonProps["onPress"]): Pick<AriaButtonProps, "onPress"> {
  const isBusy = useRef(false);
  if (onPress === undefined) return {};
  const press = async (event: PressEvent) => {
    if (isBusy.current) return;
    const begun = onPress(event);
    if (!(begun instanceof Promise)) return;
    isBusy.current = true;
    await Promise.allSettled([begun, new Promise((done) => setTimeout(done, DOUBLE_CLICK_MS))]);
    isBusy.current = false;
  };
  return { onPress: (event) => void press(event) };
}

/** A button whose icon is all of it. `label` is its name for those who do not see it. */
export const IconButton = ({
  label,
  look = "quiet",
  icon = MARKS[look],
  onPress,
  ...props
}: ButtonProps & { label: string }) => (
  <AriaButton {...props} {...useOnePress(onPress)} aria-label={label} className={`button ${look} icon-only`}>
    {icon && <Icon name={icon} />}
  </AriaButton>
);

/** A link that looks like a button: it leads to another page. */
export const ButtonLink = ({
  look = "plain",
  icon,
  to,
  onFollow,
  children,
}: {
  look?: Look;
  icon?: IconName;
  to: string;
  /** What is done when somebody follows it. */
  onFollow?: () => unknown;
  children: ReactNode;
}) => (
  <Link to={to as LinkProps["to"]} className={`button ${look}`} onClick={onFollow}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
);
