import { useEffect, useRef } from "react";

/**
 * Moves the focus with the rows of a form that come and go by buttons: to the first field of a new row, and from a removed row to the one that
 * takes its place, or to the button that adds one.
 *
 * @returns the place of that button, whose siblings are the rows, and what says where the focus goes next
 */
export function useRowFocus() {
  const adding = useRef<HTMLDivElement>(null);
  const next = useRef<number>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    const row = adding.current?.parentElement?.querySelectorAll(":scope > fieldset")[next.current];
    next.current = undefined;
    (row ?? adding.current)?.querySelector<HTMLElement>("select, input, button")?.focus();
  });
  const focusRow = (index: number) => {
    next.current = index;
  };
  return { adding, focusRow };
}
