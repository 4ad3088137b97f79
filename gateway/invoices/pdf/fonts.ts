import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { create, type Font } from "fontkit";
import subsetFont from "subset-font";

/**
 * The typefaces of a PDF: Noto Sans. npm has one package for each script, split into files by ranges of Unicode. A
 * file is opened when a character of its range is first written.
 */

/** In the order in which they are searched for a character. Han comes last, in the variant of the text's language. */
const SCRIPTS = [
  ...["", "-hebrew", "-arabic", "-thai", "-armenian", "-georgian"],
  ...[
    "-bengali",
    "-tamil",
    "-telugu",
    "-gujarati",
    "-gurmukhi",
    "-kannada",
    "-malayalam",
    "-oriya",
    "-sinhala",
  ],
  ...["-lao", "-khmer", "-myanmar", "-ethiopic", "-symbols"],
];
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const KOREAN = /\p{Script=Hangul}/u;

/** Drawn for a character that no typeface has. */
export const REPLACEMENT = "\u{FFFD}";

export const WEIGHTS = { regular: 400, bold: 600 } as const;
export type Weight = keyof typeof WEIGHTS;

/** A typeface of one weight, with a unique name. */
export interface Face {
  readonly name: string;
  readonly font: Font;
}

type Faces = Readonly<Record<Weight, Face>>;

interface File {
  readonly url: URL;
  readonly name: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** There are some 300 files. All of them, open in both weights, take 80 MB of memory. */
const opened = new Map<string, Promise<Face>>();
const packages = new Map<string, Promise<readonly File[]>>();

/** A character with the faces that draw it. */
export interface Drawable {
  readonly character: string;
  readonly faces: Faces;
}

/** Finds the faces for every character of a text. A character that no typeface has becomes U+FFFD. */
export async function findFaces(text: string): Promise<Map<string, Drawable>> {
  const scripts = [...SCRIPTS, ...hanOf(text)];
  const found = new Map<string, Drawable>();
  for (const character of new Set(`${text}${REPLACEMENT}`)) {
    const faces = await facesOf(character, scripts);
    if (faces !== undefined) found.set(character, { character, faces });
  }
  const replacement = found.get(REPLACEMENT);
  if (replacement === undefined) throw new Error("no typeface has U+FFFD");
  for (const character of text) if (!found.has(character)) found.set(character, replacement);
  return found;
}

function hanOf(text: string): string[] {
  if (JAPANESE.test(text)) return ["-jp", "-sc", "-kr"];
  return KOREAN.test(text) ? ["-kr", "-sc", "-jp"] : ["-sc", "-jp", "-kr"];
}

async function facesOf(character: string, scripts: readonly string[]): Promise<Faces | undefined> {
  const point = character.codePointAt(0) ?? 0;
  for (const script of scripts) {
    for (const file of await filesOf(script)) {
      if (!file.ranges.some(([from, to]) => point >= from && point <= to)) continue;
      const [regular, bold] = await Promise.all([open(file, "regular"), open(file, "bold")]);
      if (regular.font.hasGlyphForCodePoint(point)) return { regular, bold };
    }
  }
  return undefined;
}

function filesOf(script: string): Promise<readonly File[]> {
  const known = packages.get(script) ?? readPackage(script);
  packages.set(script, known);
  return known;
}

/** `unicode.json` of each package maps its files to ranges; numbered files are in brackets there. */
async function readPackage(script: string): Promise<readonly File[]> {
  const family = `noto-sans${script}`;
  const index = pathToFileURL(
    Bun.resolveSync(`@fontsource-variable/${family}/unicode.json`, import.meta.dir),
  );
  const ranges: Record<string, string> = JSON.parse(await readFile(index, "utf8"));
  return Object.entries(ranges).map(([subset, text]) => {
    const name = `${family}-${subset.replace(/[[\]]/g, "")}`;
    return {
      name,
      url: new URL(`files/${name}-wght-normal.woff2`, index),
      ranges: text.split(",").map(rangeOf),
    };
  });
}

function rangeOf(text: string): [number, number] {
  const [from = "", to = from] = text.replace(/^U\+/i, "").split("-");
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

function open(file: File, weight: Weight): Promise<Face> {
  const name = `${file.name}-${weight}`;
  const known = opened.get(name) ?? read(file, name, weight);
  opened.set(name, known);
  // A file that could not be read is tried again at its next use.
  known.catch(() => opened.delete(name));
  return known;
}

/** A file has all weights from thin to black. A PDF holds one of them, which harfbuzz extracts. */
async function read({ url }: File, name: string, weight: Weight): Promise<Face> {
  const bytes = await subsetFont(await readFile(fileURLToPath(url)), undefined, {
    targetFormat: "truetype",
    variationAxes: { wght: WEIGHTS[weight] },
    keepAllGlyphs: true,
    noHinting: true,
  });
  const font = create(bytes) as Font;
  // All weights of a file have one name, and the PDF library tells fonts apart by their name.
  Object.defineProperty(font, "postscriptName", { value: name });
  return { name, font };
}
