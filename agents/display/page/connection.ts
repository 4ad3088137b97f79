import RFB from "@novnc/novnc";
import { CLOSE, SOCKET_PATH } from "../protocol.ts";

const RETRY_MS = { first: 500, max: 10_000 } as const;

export interface ConnectionEvents {
  /** @param reason in words; empty where there is none */
  state(state: "connecting" | "connected" | "waiting" | "stopped", reason: string): void;
  clipboard(text: string): void;
  name(name: string): void;
  /** The VNC server asks for a password of its own. */
  password(isWrong: boolean): void;
}

/** The connection to a display, made again whenever it breaks. */
export class Connection {
  #rfb: RFB | null = null;
  #retryMs: number = RETRY_MS.first;
  #timer = 0;
  #password: string | undefined;

  constructor(
    private readonly screen: HTMLElement,
    private readonly boot: { readonly display: number; readonly readonly: boolean },
    private readonly events: ConnectionEvents,
    /** Sets what the viewer has chosen. */
    private readonly prepare: (rfb: RFB) => void,
  ) {
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#timer !== 0) this.retry();
    });
  }

  /** Null while there is none. */
  get rfb(): RFB | null {
    return this.#rfb;
  }

  open(): void {
    const { display, readonly } = this.boot;
    this.events.state("connecting", "");
    const url = new URL(`${SOCKET_PATH}?display=${display}${readonly ? "&readonly" : ""}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    let end: CloseEvent | null = null;
    // Before noVNC's own: it says only that it is over.
    socket.addEventListener("close", (event) => {
      end = event;
    });
    const credentials = this.#password === undefined ? {} : { password: this.#password };
    const rfb = new RFB(this.screen, socket, { shared: true, credentials });
    rfb.viewOnly = readonly;
    rfb.scaleViewport = true;
    // A program may have set no pointer, or an empty one.
    rfb.showDotCursor = true;
    this.prepare(rfb);
    let isRefused = false;
    rfb.addEventListener("connect", () => {
      this.#rfb = rfb;
      this.#retryMs = RETRY_MS.first;
      this.events.state("connected", "");
    });
    rfb.addEventListener("clipboard", ({ detail }) => this.events.clipboard(detail.text));
    rfb.addEventListener("desktopname", ({ detail }) => this.events.name(detail.name));
    rfb.addEventListener("credentialsrequired", () => {
      this.#rfb = rfb;
      this.events.password(false);
    });
    rfb.addEventListener("securityfailure", () => {
      isRefused = true;
      this.#password = undefined;
    });
    rfb.addEventListener("disconnect", () => {
      this.#rfb = null;
      if (isRefused) this.events.password(true);
      else this.#ended(end);
    });
  }

  /** With a password of the VNC server's own. */
  answer(password: string): void {
    this.#password = password;
    if (this.#rfb === null) this.open();
    else this.#rfb.sendCredentials({ password });
  }

  /** Tries again at once, where it waits. */
  retry(): void {
    if (this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.open();
  }

  #ended(end: CloseEvent | null): void {
    const reason = end?.reason ?? "";
    const isFinal =
      end?.code === CLOSE.unavailable || end?.code === CLOSE.refused || end?.code === CLOSE.crowded;
    this.events.state(isFinal ? "stopped" : "waiting", reason);
    // A person may still try again.
    this.#timer = window.setTimeout(() => this.retry(), isFinal ? 2 ** 31 - 1 : this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.max);
  }
}
