/** RFC 5280 §4.2.1.10 */
export const NAME_CONSTRAINTS = "2.5.29.30";

/** DER of name constraints: names of the domain and below it are permitted, and every address is excluded. */
export function limitsTo(domain: string): Buffer {
  const permitted = element(0xa0, element(0x30, element(0x82, Buffer.from(domain, "ascii"))));
  const everyAddress = [8, 32].map((bytes) => element(0x30, element(0x87, Buffer.alloc(bytes))));
  return element(0x30, Buffer.concat([permitted, element(0xa1, Buffer.concat(everyAddress))]));
}

/** DER of the extension, which is critical: who does not know it takes no certificate of the authority. */
export function extensionWith(limits: Buffer): Buffer {
  const [id, critical] = [Buffer.from("0603551d1e", "hex"), Buffer.from("0101ff", "hex")];
  return element(0x30, Buffer.concat([id, critical, element(0x04, limits)]));
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
