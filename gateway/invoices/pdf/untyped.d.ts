declare module "bidi-js" {
  interface Levels {
    readonly levels: Uint8Array;
    readonly paragraphs: readonly { readonly level: number }[];
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl" | "auto"): Levels;
    getMirroredCharacter(character: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}

declare module "subset-font" {
  interface Options {
    readonly targetFormat: "truetype";
    readonly variationAxes: Readonly<Record<string, number>>;
    readonly keepAllGlyphs: true;
    readonly noHinting: true;
  }
  export default function subsetFont(font: Buffer, text: undefined, options: Options): Promise<Buffer>;
}
