import bidiFactory from "bidi-js";
import { type Drawable, type Face, findFaces, REPLACEMENT, type Weight } from "./fonts.ts";

/** Lays out text of any script: which face draws which characters, in which order from left to right. */

const bidi = bidiFactory();

/** A run of characters that one face draws in one direction. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  readonly width: number;
}

export interface Line {
  readonly runs: readonly Run[];
  readonly width: number;
}

type Direction = "ltr" | "rtl" | "auto";

export interface TextStyle {
  readonly size: number;
  readonly weight: Weight;
}

/** Characters that combine with the one before: marks, joiners, variation selectors. */
const CLINGS = /^(?:\p{M}|\p{Join_Control}|\p{Variation_Selector})$/u;
/** Controls for direction and line breaks are not drawn: directions and lines are computed here. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;
const LETTER = /[\p{L}\p{M}]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export class Typesetter {
  private constructor(private readonly faces: ReadonlyMap<string, Drawable>) {}

  /** @param texts all texts that are going to be written */
  static async for(texts: readonly string[]): Promise<Typesetter> {
    const all = texts.map(plain).join(" ");
    // In a right-to-left run a bracket is drawn as its counterpart.
    const mirrored = [...new Set(all)].map((character) => bidi.getMirroredCharacter(character) ?? "");
    return new Typesetter(await findFaces(all + mirrored.join("")));
  }

  /** Lays out one line, however wide. `auto` takes the direction of its first letter. */
  line(text: string, style: TextStyle, direction: Direction = "auto"): Line {
    const runs = this.#visual(plain(text), direction).flatMap(({ text, drawable }) =>
      this.#shaped(text, drawable.faces[style.weight], style),
    );
    return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) };
  }

  /**
   * Shapes a run with its face. The library fails at some clusters of some scripts (Gurmukhi with fontkit 2.0): then
   * each cluster is shaped by itself, and one that still fails is drawn as U+FFFD, so that the invoice is rendered in
   * any case.
   */
  #shaped(text: string, face: Face, style: TextStyle): Run[] {
    const run = runOf(text, face, style);
    if (run !== undefined) return [run];
    const clusters = [...graphemes.segment(text)].map(({ segment }) => segment);
    if (clusters.length > 1) return clusters.flatMap((cluster) => this.#shaped(cluster, face, style));
    const replacement = this.faces.get(REPLACEMENT)?.faces[style.weight];
    const shown = replacement && runOf(REPLACEMENT, replacement, style);
    return shown === undefined ? [] : [shown];
  }

  /** Breaks a text into lines of at most `width` points: at spaces, and within a word that is wider than a line. */
  lines(text: string, style: TextStyle, width: number): Line[] {
    const fits = (part: string) => this.line(part, style).width <= width;
    const direction = bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? "rtl" : "ltr";
    const lines: string[] = [];
    let open = "";
    for (const word of plain(text).split(" ").filter(Boolean)) {
      const longer = open === "" ? word : `${open} ${word}`;
      if (fits(longer)) {
        open = longer;
        continue;
      }
      if (open !== "") lines.push(open);
      open = "";
      for (const { segment } of graphemes.segment(word)) {
        if (open !== "" && !fits(open + segment)) {
          lines.push(open);
          open = "";
        }
        open += segment;
      }
    }
    return [...lines, open].map((part) => this.line(part, style, direction));
  }

  /** Runs from left to right (UAX #9). Within a run of a right-to-left script the face's own shaping turns the order. */
  #visual(text: string, direction: Direction): { text: string; drawable: Drawable }[] {
    const found = bidi.getEmbeddingLevels(text, direction);
    const runs: { text: string; drawable: Drawable; level: number; isWord: boolean }[] = [];
    let at = 0;
    for (const sent of text) {
      const level = found.levels[at] ?? 0;
      at += sent.length;
      const character = level % 2 === 1 ? (bidi.getMirroredCharacter(sent) ?? sent) : sent;
      const drawable = this.faces.get(character);
      if (drawable === undefined)
        throw new Error("this text is missing from the texts that the typesetter was opened with");
      const last = runs.at(-1);
      const isWord = LETTER.test(sent) || level % 2 === 0;
      const joins =
        last !== undefined &&
        (CLINGS.test(sent) ||
          // Neutral characters form a run of their own within right-to-left text: no face would reverse them.
          (last.drawable.faces.regular === drawable.faces.regular &&
            last.level === level &&
            isWord &&
            last.isWord));
      if (joins) last.text += drawable.character;
      else runs.push({ text: drawable.character, drawable, level, isWord });
    }
    return inVisualOrder(runs);
  }
}

function runOf(text: string, face: Face, { size }: TextStyle): Run | undefined {
  try {
    const { advanceWidth } = face.font.layout(text);
    return { text, face, width: (advanceWidth / face.font.unitsPerEm) * size };
  } catch {
    return undefined;
  }
}

const plain = (text: string) => text.replace(CONTROLS, " ").normalize("NFC");

/** Rule L2: from the highest level down to the lowest odd one, what is at it or above is reversed. */
function inVisualOrder<R extends { readonly level: number }>(logical: readonly R[]): R[] {
  const runs = [...logical];
  const highest = Math.max(0, ...runs.map((run) => run.level));
  for (let level = highest; level >= 1; level--) {
    for (let from = 0; from < runs.length; from++) {
      let to = from;
      while (to < runs.length && (runs[to]?.level ?? 0) >= level) to++;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = to;
    }
  }
  return runs;
}
