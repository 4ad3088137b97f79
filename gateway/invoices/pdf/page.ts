import PDFDocument from "pdfkit";
import { type Line, type TextStyle, Typesetter } from "./text.ts";

/** A sheet of A4 for text of any script. Positions are in points from the upper left corner. */

export const SHEET = { width: 595.28, height: 841.89, margin: 56 } as const;
export const COLUMN = SHEET.width - 2 * SHEET.margin;

/** The end of a page's content above the footer, and the beginning of the next page's. */
const END = SHEET.height - 76;
const BEGIN = 80;

/** The distance from one line to the next, as a multiple of the font size. */
const LEADING = 1.45;

export interface Style extends TextStyle {
  readonly color: string;
}

export interface SheetOptions {
  readonly title: string;
  readonly author: string;
  /** The file's date. It follows from the content, so that the bytes do too. */
  readonly at: Date;
  /** All texts that are going to be written. */
  readonly texts: readonly string[];
  /** Draws the frame of every page. */
  readonly onPage: (sheet: Sheet, page: number) => void;
}

export class Sheet {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #known = new Set<string>();
  readonly #onPage: SheetOptions["onPage"];
  #page = 1;

  private constructor(
    { title, author, at, onPage }: SheetOptions,
    private readonly typesetter: Typesetter,
  ) {
    this.#onPage = onPage;
    this.#pdf = new PDFDocument({
      size: [SHEET.width, SHEET.height],
      margin: 0,
      pdfVersion: "1.7",
      lang: "en",
      displayTitle: true,
      // No standard font is embedded: the typesetter's faces cover every script.
      font: null as unknown as string,
      info: {
        Title: title,
        Author: author,
        CreationDate: at,
        ModDate: at,
        Producer: "Berth",
        Creator: "Berth",
      },
    });
    this.#pdf.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
    onPage(this, this.#page);
  }

  static async open(options: SheetOptions): Promise<Sheet> {
    return new Sheet(options, await Typesetter.for([...options.texts, options.title]));
  }

  /** Writes one line on a baseline; `x` is its left end, or its right one. */
  line(text: string, x: number, baseline: number, style: Style, end: "left" | "right" = "left"): void {
    this.#draw(this.typesetter.line(text, style), x, baseline, style, end);
  }

  /** Writes a text over as many lines as it needs, the first on the baseline; returns the baseline of the last. */
  paragraph(text: string, x: number, baseline: number, width: number, style: Style): number {
    const lines = this.typesetter.lines(text, style, width);
    let at = baseline;
    for (const [index, line] of lines.entries()) {
      at = baseline + index * style.size * LEADING;
      this.#draw(line, x, at, style, "left");
    }
    return at;
  }

  /** The position for a part of this height: `at`, or the beginning of a new page. */
  room(at: number, height: number): number {
    if (at + height <= END) return at;
    this.#pdf.addPage();
    this.#onPage(this, ++this.#page);
    return BEGIN;
  }

  /** From the first baseline of a paragraph to its last. */
  height(text: string, width: number, style: TextStyle): number {
    return (this.typesetter.lines(text, style, width).length - 1) * style.size * LEADING;
  }

  width(text: string, style: TextStyle): number {
    return this.typesetter.line(text, style).width;
  }

  rule(y: number, color: string, thickness = 0.75): void {
    this.#pdf.moveTo(SHEET.margin, y).lineTo(SHEET.width - SHEET.margin, y);
    this.#pdf.lineWidth(thickness).strokeColor(color).stroke();
  }

  box(x: number, y: number, width: number, height: number, color: string, radius = 0): void {
    this.#pdf.roundedRect(x, y, width, height, radius).fillColor(color).fill();
  }

  async bytes(): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pdf.on("end", resolve).on("error", reject);
    this.#pdf.end();
    await promise;
    return Buffer.concat(this.#chunks);
  }

  #draw(line: Line, x: number, baseline: number, { size, color }: Style, end: "left" | "right"): void {
    let at = end === "left" ? x : x - line.width;
    this.#pdf.fontSize(size).fillColor(color);
    for (const { text, face, width } of line.runs) {
      if (!this.#known.has(face.name)) {
        // The library also accepts an opened font, but its types do not say so.
        this.#pdf.registerFont(face.name, face.font as unknown as Buffer);
        this.#known.add(face.name);
      }
      this.#pdf.font(face.name).text(text, at, baseline, { lineBreak: false, baseline: "alphabetic" });
      at += width;
    }
  }
}
