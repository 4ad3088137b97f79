/** Where a part of a file stands. */
export interface Place {
  /** `services.web.ports.0`; "" is the whole file. */
  readonly path: string;
  readonly line: number | null;
}

/** A file does not say what it should. The message names the file, the line and the field. */
export class FileError extends Error {
  /** @param file "" where nobody needs its name */
  constructor(
    file: string,
    readonly place: Place,
    readonly reason: string,
  ) {
    const { path, line } = place;
    const at =
      file === "" ? (line === null ? "" : `line ${line}`) : `${file}${line === null ? "" : `:${line}`}`;
    super([at, path, reason].filter((part) => part !== "").join(": "));
  }
}
