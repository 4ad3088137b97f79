import { useEffect, useState } from "react";

/** A terminal of a container, as a tab of this page shows it. */
export interface OpenTerminal {
  /** The number of its session, by which it is found again. */
  readonly id: number;
  readonly title: string;
}

/** The numbers that a terminal takes: 1 to 65535. */
const ID_MAX = 65_535;

const keyOf = (containerId: string) => `berth-terminals-${containerId}`;

/** A number that hardly anybody else uses: two people with the same number would share a session. */
const opened = (): OpenTerminal => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return { id: (random % ID_MAX) + 1, title: "Terminal" };
};

/** The terminals that this browser has open in a container. Their sessions go on, so the browser remembers their numbers. */
export function useTerminals(containerId: string) {
  const [terminals, setTerminals] = useState(() => remembered(containerId));
  useEffect(() => {
    localStorage.setItem(keyOf(containerId), JSON.stringify(terminals.map(({ id }) => id)));
  }, [containerId, terminals]);
  return {
    terminals,
    add: () => setTerminals((all) => [...all, opened()]),
    close: (id: number) => setTerminals((all) => all.filter((one) => one.id !== id)),
    name: (id: number, title: string) =>
      setTerminals((all) =>
        all.map((one) => (one.id === id && one.title !== title ? { ...one, title } : one)),
      ),
  };
}

function remembered(containerId: string): readonly OpenTerminal[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(containerId)) ?? "[]");
    const valid = Array.isArray(ids)
      ? ids.filter((id) => Number.isInteger(id) && id > 0 && id <= ID_MAX)
      : [];
    if (valid.length > 0) return [...new Set(valid)].map((id: number) => ({ id, title: "Terminal" }));
  } catch {
    // Whatever stands there is not ours.
  }
  return [opened()];
}
