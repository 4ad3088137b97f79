/** What had the focus in the page last, and what is around it, from the inside out. */
let places: readonly Element[] = [];

/** Who uses a keyboard goes on where they were when what had the focus is gone, such as a row that was deleted. */
export function keepFocus(signal: AbortSignal, focusPage: () => void): void {
  const remember = ({ type, target }: Event) => {
    const page = document.getElementById("page");
    if (page?.contains(target as Node)) places = type === "focusin" ? around(target as Element, page) : [];
  };
  addEventListener("focusin", remember, { signal });
  // A click beside everything takes the focus away on purpose.
  addEventListener("pointerdown", remember, { signal });
  const watch = new MutationObserver((changes) => {
    const hasClosed = changes.some(({ removedNodes }) => [...removedNodes].some(isDialog));
    const mustGoOn = () => isLost() || (hasClosed && document.activeElement === document.body);
    // A dialog that closes gives the focus back in the next frame. One that no button has opened has nothing to give it to.
    if (mustGoOn()) requestAnimationFrame(() => requestAnimationFrame(() => mustGoOn() && goOn(focusPage)));
  });
  watch.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => watch.disconnect());
}

const isDialog = (node: Node): boolean =>
  node instanceof Element && (node.matches(".overlay") || node.querySelector(".overlay") !== null);

const isLost = (): boolean => document.activeElement === document.body && places[0]?.isConnected === false;

function around(element: Element, page: Element): Element[] {
  const { parentElement: parent } = element;
  return element === page || parent === null || parent === page
    ? [element]
    : [element, ...around(parent, page)];
}

/** The tab that had the focus, in the page as it is now: a page that is drawn anew has new elements for its tabs. */
function tabAgain(): HTMLElement | null {
  const [lost] = places;
  if (!lost?.matches(".tabs a")) return null;
  return document.querySelector<HTMLElement>(
    `#page .tabs a[href=${JSON.stringify(lost.getAttribute("href"))}]`,
  );
}

function goOn(focusPage: () => void): void {
  const tab = tabAgain();
  const place = places.find(({ isConnected }) => isConnected);
  if (tab !== null) tab.focus({ preventScroll: true });
  else if (place instanceof HTMLElement) {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  } else focusPage();
}
