import type { FileHandle } from "node:fs/promises";

/** A place in a log: a byte of the file with this number. */
export interface LogPlace {
  readonly number: number;
  readonly offset: number;
}

export const textOf = ({ number, offset }: LogPlace) => `${number}.${offset}`;

export function placeOf(text: string): LogPlace {
  const [number = 0, offset = 0] = text.split(".").map(Number);
  return { number, offset };
}

export async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, position);
  return buffer.subarray(0, bytesRead);
}
