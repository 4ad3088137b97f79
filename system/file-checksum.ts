import { open } from "node:fs/promises";

const CHUNK_BYTES = 1024 * 1024;

/** The SHA-256 of a file, in hexadecimal. @param mustBeDurable whether what it sums is on the disk before */
export async function checksumOf(path: string, mustBeDurable: boolean): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const file = await open(path, "r");
  try {
    if (mustBeDurable) await file.sync();
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return hasher.digest("hex");
      hasher.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
