import { parse } from "content-type";
import { BodyError, NO_BYTES } from "../http1/body.ts";
import { type FieldMap, parseFields } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import { BOUNDARY_CHARS_MAX, PART_HEAD_BYTES_MAX } from "./limits.ts";

/**
 * The form without JavaScript sends a text as a field, since a form cannot make a file of it. Its address says so: in
 * any other body a field is skipped, whatever its name (spec §4.2, "Multipart").
 */
export const TEXT_FIELD = "input_text";
export const TEXT_FORM = { name: "noscript", value: "text" } as const;

export interface PartReader {
  /** The streamed part begins. */
  part(headers: { readonly contentType: string; readonly disposition: string | undefined }): void;
  /** Bytes of that part. */
  data(bytes: Buffer): void;
}

/** The boundary of a multipart/form-data body; undefined for any other type. @throws Refusal 400 when it has none */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const { type, parameters } = parse(contentType ?? "");
  if (type !== "multipart/form-data") return undefined;
  const { boundary = "" } = parameters;
  if (boundary === "" || boundary.length > BOUNDARY_CHARS_MAX) {
    throw new Refusal(400, "multipart/form-data needs a boundary.");
  }
  return boundary;
}

const TEXT_PART = new RegExp(`;\\s*name\\s*=\\s*"?${TEXT_FIELD}"?\\s*(;|$)`, "i");

type State = "preamble" | "delimiter" | "head" | "streamed" | "skipped" | "epilogue";

/**
 * Parses a multipart/form-data body piece by piece: passes on the first part that is a file, or the text of a text
 * form, and skips all others. It buffers only a part's header, or the beginning of a delimiter.
 */
export class MultipartParser {
  readonly #delimiter: Buffer;
  readonly #reader: PartReader;
  #state: State = "preamble";
  #rest: Buffer;
  #found = false;

  constructor(
    boundary: string,
    reader: PartReader,
    private readonly isTextForm = false,
  ) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
    this.#reader = reader;
    // The first delimiter may be at the very beginning, without a line end before it.
    this.#rest = Buffer.from("\r\n");
  }

  /** @throws BodyError */
  push(bytes: Buffer): void {
    let input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = NO_BYTES;
    while (input.length > 0) {
      const left = this.#step(input);
      if (left === undefined) {
        // Copied: a view would keep the whole piece.
        this.#rest = Buffer.from(this.#rest);
        return;
      }
      input = left;
    }
  }

  /** Handles the end of the body. @throws BodyError when the body is incomplete, or had no file */
  end(): void {
    if (this.#state !== "epilogue") throw new BodyError("the multipart body has no end");
    if (!this.#found) throw new BodyError("the multipart body has no file part");
  }

  /**
   * Parses one step. Returns the unparsed input, or undefined if more input is needed; then `#rest` has the unparsed
   * part.
   */
  #step(input: Buffer): Buffer | undefined {
    if (this.#state === "epilogue") return NO_BYTES;
    if (this.#state === "delimiter") return this.#endDelimiter(input);
    if (this.#state === "head") return this.#readHead(input);
    return this.#readData(input);
  }

  #readData(input: Buffer): Buffer | undefined {
    const at = input.indexOf(this.#delimiter);
    if (at !== -1) {
      this.#deliver(input.subarray(0, at));
      this.#state = "delimiter";
      return input.subarray(at + this.#delimiter.length);
    }
    const kept = this.#beginOfDelimiter(input);
    this.#deliver(input.subarray(0, input.length - kept));
    this.#rest = input.subarray(input.length - kept);
    return undefined;
  }

  /** The number of last bytes that may begin a delimiter. */
  #beginOfDelimiter(input: Buffer): number {
    const from = Math.max(0, input.length - this.#delimiter.length + 1);
    for (let at = input.indexOf(13, from); at !== -1; at = input.indexOf(13, at + 1)) {
      const length = input.length - at;
      if (input.compare(this.#delimiter, 0, length, at) === 0) return length;
    }
    return 0;
  }

  #deliver(bytes: Buffer): void {
    if (this.#state === "streamed" && bytes.length > 0) this.#reader.data(bytes);
  }

  /** Parses the text after a delimiter: `--` after the last one, else optional spaces and the end of the line. */
  #endDelimiter(input: Buffer): Buffer | undefined {
    const text = input.toString("latin1", 0, Math.min(input.length, BOUNDARY_CHARS_MAX));
    if (text.startsWith("--")) {
      this.#state = "epilogue";
      return NO_BYTES;
    }
    const line = /^[ \t]*\r\n/.exec(text)?.[0];
    if (line === undefined) {
      if (!/^(-|[ \t]*\r?)$/.test(text) || text.length === BOUNDARY_CHARS_MAX) {
        throw new BodyError("a delimiter of the multipart body is malformed");
      }
      this.#rest = input;
      return undefined;
    }
    this.#state = "head";
    // The empty line that ends a header is looked for with its line end before it, also where the header is empty.
    return input.subarray(line.length - 2);
  }

  #readHead(input: Buffer): Buffer | undefined {
    const end = input.indexOf("\r\n\r\n", 0, "latin1");
    if ((end === -1 ? input.length : end) > PART_HEAD_BYTES_MAX) {
      throw new BodyError("a part's header is too large");
    }
    if (end === -1) {
      this.#rest = input;
      return undefined;
    }
    this.#beginPart(input.toString("latin1", 2, Math.max(2, end)));
    return input.subarray(end + 4);
  }

  #beginPart(text: string): void {
    const headers = fieldsOf(text);
    const disposition = headers.get("content-disposition");
    const isFile = /;\s*filename\*?\s*=/i.test(disposition ?? "");
    const isText = this.isTextForm && TEXT_PART.test(disposition ?? "");
    if (this.#found || !(isFile || isText)) {
      this.#state = "skipped";
      return;
    }
    this.#found = true;
    this.#state = "streamed";
    if (isFile) {
      const contentType = headers.get("content-type") ?? "application/octet-stream";
      this.#reader.part({ contentType, disposition });
    } else {
      this.#reader.part({ contentType: "text/plain; charset=utf-8", disposition: undefined });
    }
  }
}

function fieldsOf(text: string): FieldMap {
  try {
    return parseFields(text);
  } catch (cause) {
    if (cause instanceof Refusal) throw new BodyError("a part's header is malformed", { cause });
    throw cause;
  }
}
