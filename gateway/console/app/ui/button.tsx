import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { Icon, type IconName } from "./icons.tsx";

/**
 * One `primary` button at most in a view: what a person came for. What stops, ends or deletes something has a mark besides its colour: a
 * `risky` button leads there, `danger` confirms it, and `remove` stands in the rows of a list.
 */
export type Look = "primary" | "plain" | "quiet" | "danger" | "risky" | "remove";

const MARKS: Partial<Record<Look, IconName>> = { danger: "warning", risky: "warning", remove: "trash" };

interface ButtonProps extends Omit<AriaButtonProps, "className" | "children"> {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

export const Button = ({ look = "plain", icon = MARKS[look], children, ...props }: ButtonProps) => (
  <AriaButton {...props} className={`button ${look}`}>
    {icon && <Icon name={icon} />}
    {children}
  </AriaButton>
);

/** A button whose icon is all of it. `label` is its name for those who do not see it. */
export const IconButton = ({
  label,
  look = "quiet",
  icon = MARKS[look],
  ...props
}: ButtonProps & { label: string }) => (
  <AriaButton {...props} aria-label={label} className={`button ${look} icon-only`}>
    {icon && <Icon name={icon} />}
  </AriaButton>
);

/** A link that looks like a button: it leads to another page. */
export const ButtonLink = ({
  look = "plain",
  icon,
  to,
  children,
}: {
  look?: Look;
  icon?: IconName;
  to: string;
  children: ReactNode;
}) => (
  <Link to={to as LinkProps["to"]} className={`button ${look}`}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
);
