import { useQueryClient } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Schemas } from "../lib/api.ts";
import { followEvents, useConnection } from "../lib/events.ts";
import { dismissAllToasts } from "../lib/toasts.ts";
import { IconButton } from "../ui/button.tsx";
import { Wordmark } from "../ui/icons.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { keepFocus } from "./kept-focus.ts";
import { BottomBar, Navigation } from "./navigation.tsx";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(loadPalette);

/** What is around every page: the navigation, the palette, messages, and whether changes arrive by themselves. */
export function Shell({ user, children }: { user: Schemas["User"]; children: ReactNode }) {
  const queries = useQueryClient();
  const [drawer, setDrawer] = useState(false);
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
  useEffect(() => setDrawer(false), [path]);
  const expectPage = useFocusOfPage(path);
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
        <IconButton icon={drawer ? "close" : "menu"} label="Menu" onPress={() => setDrawer(!drawer)} />
      </header>
      <Navigation user={user} onSearch={openPalette} />
      <main id="page" tabIndex={-1} data-shown={shown} aria-busy={shown !== path}>
        <BrokenConnection />
        {children}
      </main>
      <BottomBar onMore={() => setDrawer(!drawer)} />
      <Toasts />
      {palette && (
        <Suspense fallback={null}>
          <Palette user={user} takeTyped={takeTyped} onClose={closePalette} />
        </Suspense>
      )}
    </div>
  );
}

/** The page's heading, which says where one is; the page itself while it is being read. */
const focusPage = (): void =>
  (document.querySelector<HTMLElement>("#page h1") ?? document.getElementById("page"))?.focus({
    preventScroll: true,
  });

/** A new page begins at its beginning for who uses a keyboard or a screen reader as well. Gives a function that expects one in any case. */
function useFocusOfPage(path: string): () => void {
  const router = useRouter();
  const isExpected = useRef(false);
  useEffect(() => {
    let last = path.split("/")[1];
    return router.subscribe("onResolved", ({ toLocation }) => {
      const next = toLocation.pathname.split("/")[1];
      if (next !== last || isExpected.current) focusPage();
      isExpected.current = false;
      last = next;
    });
  }, [router, path]);
  return () => {
    isExpected.current = true;
  };
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
