import type { IBufferCell, Terminal } from "@xterm/headless";

/**
 * Members of @xterm/headless that a snapshot needs and its public interface lacks, in the version that package.json
 * pins. The tests of `serialise.ts` fail if a new version moves one.
 */

export interface Attributes {
  readonly fg: number;
  readonly bg: number;
  readonly extended: { readonly _ext: number; readonly urlId: number };
  hasExtendedAttrs(): number;
  isFgRGB(): boolean;
  isFgPalette(): boolean;
  isFgDefault(): boolean;
  isBgRGB(): boolean;
  isBgPalette(): boolean;
  getFgColor(): number;
  getBgColor(): number;
  getFgColorMode(): number;
  getBgColorMode(): number;
  isBold(): number;
  isDim(): number;
  isItalic(): number;
  isBlink(): number;
  isInverse(): number;
  isInvisible(): number;
  isStrikethrough(): number;
  isOverline(): number;
  isProtected(): number;
}

export type Cell = IBufferCell & Attributes;

interface Buffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly savedX: number;
  readonly savedCurAttrData: Attributes;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
}

export interface Internals {
  readonly _bufferService: { readonly buffers: { readonly normal: Buffer; readonly alt: Buffer } };
  readonly _inputHandler: {
    parse(data: Uint8Array): unknown;
    readonly _curAttrData: Attributes;
    readonly _parser: { readonly currentState: number; readonly precedingJoinState: number; reset(): void };
  };
  readonly _charsetService: {
    readonly charset: Readonly<Record<string, string | undefined>> | undefined;
    readonly glevel: number;
    readonly _charsets: readonly (object | undefined)[];
  };
  readonly _oscLinkService: { getLinkData(id: number): { id?: string; uri: string } | undefined };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: {
      readonly applicationCursorKeys: boolean;
      readonly applicationKeypad: boolean;
      readonly bracketedPasteMode: boolean;
      readonly cursorBlink: boolean | undefined;
      readonly cursorStyle: "block" | "underline" | "bar" | undefined;
      readonly origin: boolean;
      readonly reverseWraparound: boolean;
      readonly sendFocus: boolean;
      readonly synchronizedOutput: boolean;
      readonly wraparound: boolean;
    };
  };
}

export const internalsOf = (terminal: Terminal): Internals =>
  (terminal as unknown as { readonly _core: Internals })._core;
