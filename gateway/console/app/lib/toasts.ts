import { useSyncExternalStore } from "react";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
  /** By which an operator finds what failed. */
  readonly requestId: string | null;
  /** What to do about it, and the page for it: it stays until it is dismissed. */
  readonly next?: { readonly title: string; readonly to: string };
}

/** Long enough to be read twice. */
const SHOWN_MS = 6_000;
/** More are no longer read. */
const TOASTS_MAX = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next.slice(-TOASTS_MAX);
  for (const listener of listeners) listener();
}

/** Says briefly that something was done. The same again takes the place of the former, so that ten deletions are one line. */
export function toast(
  text: string,
  kind: Toast["kind"] = "done",
  requestId: string | null = null,
  next?: Toast["next"],
): void {
  const id = ++lastId;
  const others = toasts.filter((one) => one.text !== text || one.kind !== kind);
  set([...others, { id, text, kind, requestId, ...(next && { next }) }]);
  if (next === undefined) setTimeout(() => dismissToast(id), SHOWN_MS);
}

export const dismissToast = (id: number): void => set(toasts.filter((one) => one.id !== id));

export const dismissAllToasts = (): void => set([]);

export const useToasts = (): readonly Toast[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
