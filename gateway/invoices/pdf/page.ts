import PDFDocument from "pdfkit";
import { type Line, type TextStyle, Typesetter } from "./text.ts";

/** A sheet of A4 that text of any script is written on. Points, from its upper left corner. */

export const SHEET = { width: 595.28, height: 841.89, margin: 56 } as const;
export const COLUMN = SHEET.width - 2 * SHEET.margin;

/** Above the foot of the page, and where the next page begins. */
const END = SHEET.height - 76;
const BEGIN = 80;

/** Of a face's size, from one line to the next. */
const LEADING = 1.45;

export interface Style extends TextStyle {
  readonly color: string;
}

export interface SheetOptions {
  readonly title: string;
  readonly author: string;
  /** The date that the file bears: the same for the same content, so that its bytes are the same too. */
  readonly at: Date;
  /** All that is going to be written. */
  readonly texts: readonly string[];
  /** Draws what every page has. */
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
      // Only faces of our own, which hold every script, are put in.
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

  /** Writes as many lines as it takes, the first on the baseline; answers the baseline of the last. */
  paragraph(text: string, x: number, baseline: number, width: number, style: Style): number {
    const lines = this.typesetter.lines(text, style, width);
    let at = baseline;
    for (const [index, line] of lines.entries()) {
      at = baseline + index * style.size * LEADING;
      this.#draw(line, x, at, style, "left");
    }
    return at;
  }

  /** Where a part of such a height goes: here, or at the beginning of a new page. */
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
        // An opened font is as good a source as its bytes, which the types do not know.
        this.#pdf.registerFont(face.name, face.font as unknown as Buffer);
        this.#known.add(face.name);
      }
      this.#pdf.font(face.name).text(text, at, baseline, { lineBreak: false, baseline: "alphabetic" });
      at += width;
    }
  }
}
