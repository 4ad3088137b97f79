interface Line {
  /** By column, for cells with an underline or a link. */
  readonly _extendedAttrs: Readonly<Record<number, { readonly urlId: number } | undefined>>;
}

interface Buffer {
  readonly lines: { readonly length: number; get(index: number): Line | undefined };
}

interface Link {
  readonly id?: string | undefined;
  readonly uri: string;
}

export interface Linking {
  readonly _bufferService: { readonly buffers: { readonly normal: Buffer; readonly alt: Buffer } };
  readonly _inputHandler: {
    readonly _curAttrData: { readonly extended: { readonly urlId: number } };
  };
  readonly _oscLinkService: {
    registerLink(link: Link): number;
    addLineToLink(): void;
    getLinkData(id: number): Link | undefined;
  };
}

/** More than a screen and its scrollback have in practice. */
export const LINKS_MAX = 5_000;
/** The length of a link's address, as in other terminals. */
export const LINK_CHARS_MAX = 2083;
/** The length of a link's address with its id, which is short. */
const KEY_CHARS_MAX = 2 * LINK_CHARS_MAX;
/** The length of all links together: enough for `LINKS_MAX` links of the usual length. */
const CHARS_MAX = 1 << 20;
/** Cells that may be scanned for each further link when the limit is reached. */
const CELLS_A_LINK = 200;

/**
 * Replaces the links (OSC 8) of xterm 6.0.0, which has an unbounded number of markers, one for every row of every
 * link, and drops a link with its first row, even if it is still open or shown in other rows. Here a link is kept
 * while a cell has it; above the limit, further links are ignored.
 */
export function limitLinks({ _oscLinkService: service, _bufferService, _inputHandler }: Linking): void {
  const links = new Map<number, Link>();
  const numbers = new Map<string, number>();
  let last = 0;
  let chars = 0;
  let attemptsToSweep = 0;

  const isFull = () => links.size >= LINKS_MAX || chars >= CHARS_MAX;
  const sweep = () => {
    const used = new Set([_inputHandler._curAttrData.extended.urlId]);
    let cells = 0;
    const { normal, alt } = _bufferService.buffers;
    for (const { lines } of [normal, alt]) {
      for (let row = 0; row < lines.length; row++) {
        for (const cell of Object.values(lines.get(row)?._extendedAttrs ?? {})) {
          cells += 1;
          if (cell !== undefined) used.add(cell.urlId);
        }
      }
    }
    for (const [number, link] of links) {
      if (used.has(number)) continue;
      links.delete(number);
      chars -= link.uri.length;
      numbers.delete(keyOf(link));
    }
    attemptsToSweep = cells / CELLS_A_LINK;
  };

  service.getLinkData = (number) => links.get(number);
  service.addLineToLink = () => undefined;
  service.registerLink = (link) => {
    const known = link.id === undefined ? undefined : numbers.get(keyOf(link));
    if (known !== undefined) return known;
    if (link.uri.length > LINK_CHARS_MAX || keyOf(link).length > KEY_CHARS_MAX) return 0;
    if (isFull()) {
      attemptsToSweep -= 1;
      if (attemptsToSweep <= 0) sweep();
      if (isFull()) return 0;
    }
    last += 1;
    chars += link.uri.length;
    links.set(last, link);
    if (link.id !== undefined) numbers.set(keyOf(link), last);
    return last;
  };
}

const keyOf = ({ id, uri }: Link) => JSON.stringify([id, uri]);
