import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import { foregroundOn, LIGHT } from "../parameters/colours.ts";
import { installLimits } from "../screen/bounds.ts";
import { applyXtermPatches } from "../screen/quirks.ts";
import { boot } from "./boot.ts";
import { answerNothing, openLink } from "./safety.ts";

/** More than the server keeps, since the page has seen the output itself. */
const SCROLLBACK_LINES = 10_000;
/** WCAG 2.2, 1.4.3: programs choose colours for a background that they do not know. */
const CONTRAST_MIN = 4.5;
const FONT_SIZE = { min: 8, max: 72 };

/** xterm.js with its add-ons, with the appearance from the parameters. */
export class View {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly isDark: boolean;
  readonly #fit = new FitAddon();

  constructor(root: HTMLElement) {
    const { fontSize, backgroundColor } = boot.appearance;
    const foreground = foregroundOn(backgroundColor);
    this.isDark = foreground === LIGHT;
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: true,
      disableStdin: boot.readonly,
      fontFamily: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
      fontSize,
      minimumContrastRatio: CONTRAST_MIN,
      scrollback: SCROLLBACK_LINES,
      theme: { background: backgroundColor, foreground, cursor: foreground },
      linkHandler: { activate: (_, uri) => openLink(uri) },
    });
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    this.terminal.loadAddon(new WebLinksAddon((_, uri) => openLink(uri)));
    applyXtermPatches(this.terminal as never);
    installLimits(this.terminal as never);
    answerNothing(this.terminal);
    this.terminal.open(root);
    this.#accelerate(root);
  }

  /** The size that fills the available space. */
  get availableSize(): { cols: number; rows: number } {
    const { cols = 80, rows = 24 } = this.#fit.proposeDimensions() ?? {};
    return { cols: Number.isFinite(cols) ? cols : 80, rows: Number.isFinite(rows) ? rows : 24 };
  }

  zoom(by: number): void {
    const { fontSize = 13 } = this.terminal.options;
    this.terminal.options.fontSize = Math.min(Math.max(fontSize + by, FONT_SIZE.min), FONT_SIZE.max);
  }

  /** Uses WebGL if available; otherwise, or when it is lost, the DOM renderer draws. */
  #accelerate(root: HTMLElement): void {
    try {
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.terminal.loadAddon(webgl);
      document.documentElement.dataset.renderer = "webgl";
      this.#checkScale(root, () => {
        webgl.dispose();
        document.documentElement.dataset.renderer = "dom";
      });
    } catch {
      document.documentElement.dataset.renderer = "dom";
    }
  }

  /** Detects browsers with two pixel ratios, such as one that emulates a phone, where WebGL draws at a wrong size. */
  #checkScale(root: HTMLElement, differs: () => void): void {
    const observer = new ResizeObserver(([entry]) => {
      observer.disconnect();
      const counted = entry?.devicePixelContentBoxSize?.[0]?.inlineSize;
      if (entry === undefined || counted === undefined) return;
      if (Math.abs(counted - entry.contentRect.width * devicePixelRatio) > 2) differs();
    });
    try {
      observer.observe(root, { box: "device-pixel-content-box" });
    } catch {
      // A browser that counts in one way only.
    }
  }
}
