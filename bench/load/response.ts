const HEADER_END = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Reads the answers of one keep-alive connection that has one request under way at a time. It knows what the servers
 * measured here send: a status line, headers with a Content-Length, a body.
 */
export class ResponseReader {
  #read = "";

  /** Takes what arrived. Returns the answer once it is whole. */
  take(chunk: Buffer): Answer | undefined {
    // latin1: one character a byte, so that lengths are those of the header.
    const text = this.#read === "" ? chunk.toString("latin1") : this.#read + chunk.toString("latin1");
    const headerEnd = text.indexOf(HEADER_END);
    const length = headerEnd === -1 ? undefined : LENGTH.exec(text)?.[1];
    if (headerEnd !== -1 && length === undefined)
      throw new Error(`an answer without Content-Length: ${text}`);
    if (length === undefined || text.length < headerEnd + HEADER_END.length + Number(length)) {
      this.#read = text;
      return undefined;
    }
    this.#read = "";
    return { status: Number(text.slice(9, 12)), text };
  }
}
