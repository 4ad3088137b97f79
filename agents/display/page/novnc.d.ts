/** What the page uses of noVNC, which has no types of its own (its own documents describe it). */
declare module "@novnc/novnc" {
  interface Events {
    connect: CustomEvent<undefined>;
    disconnect: CustomEvent<{ clean: boolean }>;
    credentialsrequired: CustomEvent<{ types: string[] }>;
    securityfailure: CustomEvent<{ status: number; reason?: string }>;
    clipboard: CustomEvent<{ text: string }>;
    desktopname: CustomEvent<{ name: string }>;
  }
  export default class RFB {
    constructor(
      target: HTMLElement,
      channel: WebSocket,
      options?: { shared?: boolean; credentials?: { password?: string } },
    );
    viewOnly: boolean;
    scaleViewport: boolean;
    resizeSession: boolean;
    showDotCursor: boolean;
    background: string;
    addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void;
    disconnect(): void;
    focus(options?: FocusOptions): void;
    sendCredentials(credentials: { password?: string; username?: string }): void;
    sendKey(keysym: number, code: string | null, down?: boolean): void;
    sendCtrlAltDel(): void;
    clipboardPasteFrom(text: string): void;
  }
}
