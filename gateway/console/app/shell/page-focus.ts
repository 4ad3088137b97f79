import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

const headingOf = (page: HTMLElement | null) => page?.querySelector<HTMLElement>("h1");

/** The page's heading, which says where one is; the page itself until it has one. */
export function focusPage(): void {
  const page = document.getElementById("page");
  const heading = headingOf(page);
  (heading ?? page)?.focus({ preventScroll: true });
  if (page === null || heading) return;
  const watch = new MutationObserver(() => {
    const late = headingOf(page);
    if (!late && document.activeElement === page) return;
    watch.disconnect();
    if (document.activeElement === page) late?.focus({ preventScroll: true });
  });
  watch.observe(page, { childList: true, subtree: true });
}

/** Pages whose second part is a tab of them, and not a thing of its own. */
const WITH_TABS: ReadonlySet<string | undefined> = new Set(["account", "operator", "wallet"]);

/** What a page is of, apart from the tab of it that is shown. */
function thingOf(path: string): string {
  const [, list, thing = ""] = path.split("/");
  return WITH_TABS.has(list) ? `${list}` : `${list}/${thing}`;
}

/**
 * A new page begins at its beginning for who uses a keyboard or a screen reader as well. Another tab of a page leaves the focus where it is.
 *
 * @returns a function that expects a new page in any case, and what is to be said aloud of a tab
 */
export function useFocusOfPage(): readonly [expectPage: () => void, said: string] {
  const router = useRouter();
  const isExpected = useRef(false);
  const [said, say] = useState("");
  useEffect(
    () =>
      router.subscribe("onResolved", ({ fromLocation, toLocation, pathChanged }) => {
        const isFirst = fromLocation === undefined;
        const isOther = !isFirst && thingOf(fromLocation.pathname) !== thingOf(toLocation.pathname);
        if (isOther || isExpected.current) focusPage();
        // The tab's title stands in the document's once it is drawn.
        else if (!isFirst && pathChanged) setTimeout(() => say(document.title.replace(/ · Berth$/, "")));
        isExpected.current = false;
      }),
    [router],
  );
  const expectPage = () => {
    isExpected.current = true;
  };
  return [expectPage, said];
}
