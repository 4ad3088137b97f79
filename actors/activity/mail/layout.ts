/** What a mail says: in plain text for programs that show nothing else, and the same as simple HTML. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** One thing to do, as a button. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Below the line: why the mail was sent, and how to switch it off. */
  readonly footer: readonly string[];
  /** The page that switches off mails of this kind, also for mail programs (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/** Mail programs know neither style sheets nor variables: styles stand on the elements. Text has the reader's own colour, on light and on dark. */
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:600";

const escaped = (text: string): string => Bun.escapeHTML(text);

/** The two bodies of a mail. All of its text is escaped. */
export function layOut({ subject, paragraphs, action, footer }: MailText): { text: string; html: string } {
  const steps = action === undefined ? [] : [`${action.label}:\n${action.url}`];
  const text = `${[...paragraphs, ...steps].join("\n\n")}\n\n-- \n${footer.join("\n")}\n`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px 16px;${FONT};font-size:16px;line-height:1.5">
<div role="main" style="max-width:560px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escaped(subject)}</h1>
${paragraphs.map((one) => `<p style="margin:0 0 16px">${escaped(one)}</p>`).join("\n")}
${action === undefined ? "" : buttonOf(action)}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #8a94a3;font-size:13px">${footer.map(linked).join("<br>")}</p>
</div>
</body>
</html>
`;
  return { text, html };
}

const buttonOf = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:24px 0"><a href="${escaped(url)}" style="${BUTTON}">${escaped(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px">Or open this address:<br><a href="${escaped(url)}" style="color:inherit;word-break:break-all">${escaped(url)}</a></p>`;

/** A line whose address can be followed. */
const linked = (line: string): string =>
  escaped(line).replace(
    /https?:\/\/[^\s<]*[^\s<.,:;]/g,
    (url) => `<a href="${url}" style="color:inherit">${url}</a>`,
  );
