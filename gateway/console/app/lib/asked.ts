import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";

/**
 * Opens the dialog that another page or the search asks for: `?open=extend`. It is taken from the address, so that a reload does not open it
 * again.
 */
export function useAsked(open: (what: never) => void): void {
  const { open: asked } = useSearch({ strict: false }) as { open?: string };
  const navigate = useNavigate();
  useEffect(() => {
    if (asked === undefined) return;
    open(asked as never);
    const without = ({ open: _, ...search }: Record<string, unknown>) => search;
    void navigate({ to: ".", search: without as never, replace: true });
  });
}
