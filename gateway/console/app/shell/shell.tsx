import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Schemas } from "../lib/api.ts";
import { followEvents, useConnection } from "../lib/events.ts";
import { takeEntrance } from "../lib/session.ts";
import { dismissAllToasts } from "../lib/toasts.ts";
import { IconButton } from "../ui/button.tsx";
import { Wordmark } from "../ui/icons.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { DRAWER, useDrawer } from "./drawer.ts";
import { keepFocus } from "./kept-focus.ts";
import { BottomBar, Navigation } from "./navigation.tsx";
import { focusPage, useFocusOfPage } from "./page-focus.ts";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(loadPalette);

/** What is around every page: the navigation, the palette, messages, and whether changes arrive by themselves. */
export function Shell({ user, children }: { user: Schemas["User"]; children: ReactNode }) {
  const queries = useQueryClient();
  const [palette, setPalette] = useState(false);
  /** What is typed before the field of the palette is there; undefined: it is there, or is not asked for. */
  const typedAhead = useRef<string>(undefined);
  const openPalette = () => {
    typedAhead.current = "";
    setPalette(true);
  };
  const takeTyped = () => {
    const typed = typedAhead.current ?? "";
    typedAhead.current = undefined;
    return typed;
  };
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Another page is on its way while this one is still shown.
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });

  useEffect(() => {
    const stop = new AbortController();
    followEvents(stop.signal);
    keepFocus(stop.signal, focusPage);
    // What had it is gone with the page of sign-in.
    if (takeEntrance()) focusPage();
    return () => {
      stop.abort();
      // What one user has read or was told is not shown to the next.
      queries.clear();
      dismissAllToasts();
    };
  }, [queries]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === "Control" || event.key === "Meta") void loadPalette();
      const isCommand = event.ctrlKey || event.metaKey;
      if (typedAhead.current !== undefined && !isCommand && event.key.length === 1) {
        typedAhead.current += event.key;
        event.preventDefault();
      }
      if (!isCommand || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      if (palette) return;
      typedAhead.current = "";
      setPalette(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, [palette]);
  const [drawer, toggleDrawer] = useDrawer(path);
  const [expectPage, said] = useFocusOfPage();
  const closePalette = (hasChosen = false) => {
    setPalette(false);
    typedAhead.current = undefined;
    if (hasChosen) expectPage();
    // Where the element that had the focus is gone, the page has it.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.activeElement === document.body && focusPage()),
    );
  };

  return (
    <div className="shell" data-drawer={drawer || undefined}>
      <a className="skip" href="#page">
        To the content
      </a>
      <header className="top-bar">
        <Wordmark />
        <IconButton icon="search" label="Search" onPress={openPalette} />
        <IconButton
          icon={drawer ? "close" : "menu"}
          label="Menu"
          aria-expanded={drawer}
          aria-controls={DRAWER}
          onPress={toggleDrawer}
        />
      </header>
      <Navigation user={user} onSearch={openPalette} />
      <main id="page" tabIndex={-1} data-shown={shown} aria-busy={shown !== path} inert={drawer}>
        <BrokenConnection />
        {children}
      </main>
      <BottomBar isMoreShown={drawer} onMore={toggleDrawer} />
      <Toasts />
      <div role="status" className="visually-hidden">
        {said}
      </div>
      {palette && (
        <Suspense fallback={null}>
          <Palette user={user} takeTyped={takeTyped} onClose={closePalette} />
        </Suspense>
      )}
    </div>
  );
}

/** How long a connection may be made again before it is worth a word. */
const NOTICED_MS = 3_000;

/** Whether the device has a network, as far as the browser knows. */
const useIsOnline = (): boolean =>
  useSyncExternalStore(
    (notify) => {
      const stop = new AbortController();
      for (const name of ["online", "offline"]) addEventListener(name, notify, { signal: stop.signal });
      return () => stop.abort();
    },
    () => navigator.onLine,
  );

function BrokenConnection() {
  const connection = useConnection();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (connection === "live") return setShown(false);
    const timer = setTimeout(() => setShown(true), NOTICED_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  const isOnline = useIsOnline();
  return (
    <div role="status">
      {(shown || !isOnline) && (
        <p className="note warn">
          {isOnline
            ? "Changes do not arrive by themselves right now. The console connects again, and then shows what it missed."
            : "You are offline. What is not shown yet, and what has changed, appears when you are connected again."}
        </p>
      )}
    </div>
  );
}
