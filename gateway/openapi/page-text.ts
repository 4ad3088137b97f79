export const text = (value: unknown) => Bun.escapeHTML(String(value));

/** Text with `code` in back quotes and **strong** words. */
export const prose = (value: unknown) =>
  text(value)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<b>$1</b>");

export const paragraphs = (value: string) =>
  value
    .split("\n\n")
    .map((one) => `<p>${prose(one)}</p>`)
    .join("\n");

/** Long names may break after a slash or an underscore on a narrow screen. */
export const breakable = (value: unknown) => text(value).replace(/([/_|])(?=\w|\{)/g, "$1<wbr>");

export const code = (value: unknown) => `<code>${breakable(value)}</code>`;

export const anchor = (name: string) => text(name.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
