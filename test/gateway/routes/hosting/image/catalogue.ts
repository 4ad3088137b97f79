import { deflateSync } from "node:zlib";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { AddImage } from "../../../../../schemas/hosting/image.ts";
import type { StackClient, TestUser } from "../../../../harness/stack-client.ts";

/** Files that share a catalogue have names of their own in it. */
const FILE = newId().slice(-8);
let made = 0;

export const imageFields = (fields: Partial<AddImage> = {}): AddImage => ({
  alias: `image-${FILE}-${++made}`,
  description: "An image",
  image_name: "debian/13",
  architecture: "amd64",
  os: "debian",
  release: "13",
  variant: "default",
  price: "0",
  ...fields,
});

/** An image of the catalogue. */
export async function inCatalogue(stack: StackClient, fields: Partial<AddImage> = {}): Promise<string> {
  const id = newId();
  await stack.actors.image(id).create(imageFields(fields));
  return id;
}

/** Asks as a user: `ask("POST", "purchase", id)`. */
export const asker =
  (stack: StackClient, user: TestUser) =>
  (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    stack.call(method, `/api/v1/images/${path}`, {
      token: user.token,
      headers,
      ...(body === undefined ? {} : { body }),
    });

/** A PNG of one colour. */
export function png(width: number, height: number, colour = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.alloc(1 + width, colour).fill(0, 0, 1);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND")]);
}

export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Bun.hash.crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

export async function fetchIcon(
  stack: StackClient,
  user: TestUser,
  id: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${stack.url}/api/v1/images/${id}/icon`, {
    headers: { authorization: `Bearer ${user.token}`, ...headers },
  });
  const { "x-request-id": _id, date: _date, ...rest } = Object.fromEntries(response.headers);
  return { status: response.status, headers: rest, bytes: Buffer.from(await response.arrayBuffer()) };
}

export const putIcon = async (
  stack: StackClient,
  token: string,
  id: string,
  body: Uint8Array<ArrayBuffer>,
) => {
  const response = await fetch(`${stack.url}/api/v1/admin/images/${id}/icon`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "image/png" },
    body,
  });
  return { status: response.status, body: (await response.json()) as { code: string; message: string } };
};
