import type { Terminal } from "@xterm/xterm";

/** The share of its speed that a flick keeps in each frame, and the speed at which it stops. */
const GLIDE = { kept: 0.95, pxMin: 0.5 } as const;
/** A finger that rests this long before it lifts does not flick. */
const REST_MS = 60;

/**
 * Scrolls by touch, which xterm.js leaves to its page. Programs that use the wheel, or have no scrollback, get wheel
 * events. A tap gives the terminal the focus, and so a phone its keyboard.
 */
export function handleTouch(terminal: Terminal, screen: HTMLElement): void {
  let y = 0;
  let speed = 0;
  let movedAt = 0;
  let isTap = false;
  let frame = 0;
  /** The remainder of less than a row. */
  let rest = 0;
  const scroll = (px: number, { clientX, clientY }: { clientX: number; clientY: number }) => {
    const rows = screen.querySelector(".xterm-screen");
    if (rows === null) return;
    if (terminal.buffer.active.type === "normal" && terminal.modes.mouseTrackingMode === "none") {
      const moved = (rest + px) / (rows.clientHeight / terminal.rows);
      terminal.scrollLines(Math.trunc(moved));
      rest = (moved % 1) * (rows.clientHeight / terminal.rows);
    } else {
      const wheel = { deltaY: px, clientX, clientY, bubbles: true, cancelable: true };
      rows.dispatchEvent(new WheelEvent("wheel", wheel));
    }
  };
  screen.addEventListener(
    "touchstart",
    ({ touches }) => {
      cancelAnimationFrame(frame);
      const [finger] = touches;
      isTap = touches.length === 1;
      if (finger === undefined) return;
      rest = 0;
      y = finger.clientY;
      speed = 0;
    },
    { passive: true },
  );
  screen.addEventListener(
    "touchmove",
    ({ touches }) => {
      isTap = false;
      const [finger] = touches;
      // Two fingers zoom.
      if (finger === undefined || touches.length > 1) return;
      speed = y - finger.clientY;
      movedAt = performance.now();
      y = finger.clientY;
      scroll(speed, finger);
    },
    { passive: true },
  );
  screen.addEventListener("touchend", ({ changedTouches }) => {
    const [finger] = changedTouches;
    if (isTap) terminal.focus();
    if (finger === undefined || performance.now() - movedAt > REST_MS) return;
    const glide = () => {
      speed *= GLIDE.kept;
      if (Math.abs(speed) < GLIDE.pxMin) return;
      scroll(speed, finger);
      frame = requestAnimationFrame(glide);
    };
    frame = requestAnimationFrame(glide);
  });
}

/** Keeps the page above a virtual keyboard, even in browsers that overlay the keyboard. */
export function stayAboveKeyboard(root: HTMLElement): void {
  const view = window.visualViewport;
  if (view === null) return;
  const fit = () => {
    const isZoomed = Math.abs(view.scale - 1) > 0.01;
    const isCovered = !isZoomed && window.innerHeight - view.height > 1;
    root.style.height = isCovered ? `${view.height}px` : "";
    if (isCovered) window.scrollTo(0, 0);
  };
  view.addEventListener("resize", fit);
}
