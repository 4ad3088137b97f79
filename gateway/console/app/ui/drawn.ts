import { startTransition, useEffect, useState } from "react";

/** More than a screen shows. Hundreds at once take a second to draw. */
const FIRST_DRAWN = 40;

/** How many of a list are drawn: a screenful at once, and then all of them, while the page can be used already. */
export function useDrawn(count: number): number {
  const [drawn, setDrawn] = useState(FIRST_DRAWN);
  useEffect(() => {
    if (drawn < count) startTransition(() => setDrawn(count));
  }, [drawn, count]);
  return drawn;
}
