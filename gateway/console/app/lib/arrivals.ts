import { useState } from "react";

interface Arrival {
  readonly created_at: string;
}

/**
 * Holds back what arrives while a list is shown: the list would move under the pointer, and a press would meet another entry.
 *
 * @param newest the first page of the list, the newest first
 * @param list which list it is, such as by its filters: another one is shown as it is
 */
export function useArrivals(newest: readonly Arrival[] | undefined, list: string) {
  const [shown, setShown] = useState<{ readonly list: string; readonly to: string }>();
  const to = shown?.list === list ? shown.to : undefined;
  const isShown = ({ created_at }: Arrival) => to === undefined || created_at <= to;
  const count = newest?.filter(isShown).length ?? 0;
  const first = newest?.[0]?.created_at;
  const showAll = () => {
    if (first !== undefined) setShown({ list, to: first });
  };
  // Where nothing is shown, nothing can move.
  if (first !== undefined && (to === undefined || count === 0) && to !== first) showAll();
  return { arrived: (newest?.length ?? 0) - count, isShown, showAll };
}
