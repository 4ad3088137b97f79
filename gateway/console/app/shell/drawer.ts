import { useEffect, useRef, useState } from "react";

/** The navigation of a small screen, by the id of its element. */
export const DRAWER = "navigation";

/** Shows and hides it. While it is shown it has the keyboard, and Escape gives that back to the button which opened it. */
export function useDrawer(path: string): readonly [isShown: boolean, toggle: () => void] {
  const [isShown, setShown] = useState(false);
  const opener = useRef<Element>(null);
  useEffect(() => setShown(false), [path]);
  useEffect(() => {
    if (!isShown) return;
    document.querySelector<HTMLElement>(`#${DRAWER} li a`)?.focus();
    const close = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setShown(false);
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [isShown]);
  const toggle = () => {
    opener.current = document.activeElement;
    setShown(!isShown);
  };
  return [isShown, toggle];
}
