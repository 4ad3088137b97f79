const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Texts that a lenient decoder reads as the same token. The signature's 64 bytes leave four bits of its last character unused. */
export function otherSpellings(token: string): [what: string, token: string][] {
  const last = ALPHABET.indexOf(token.at(-1) ?? "");
  const [header = "", claims = "", signature = ""] = token.split(".");
  const within = (sign: string) =>
    `${header}.${claims}.${signature.slice(0, 40)}${sign}${signature.slice(40)}`;
  return [
    ...Array.from({ length: 15 }, (_, bits): [string, string] => [
      `a token whose last character has the unused bits ${(bits + 1).toString(2).padStart(4, "0")}`,
      token.slice(0, -1) + ALPHABET[last + bits + 1],
    ]),
    ["a token with padding", `${token}==`],
    ["a token with a space in its signature", within(" ")],
    ["a token with a line break in its signature", within("\n")],
    ["a token with a full stop after it", `${token}.`],
  ];
}
