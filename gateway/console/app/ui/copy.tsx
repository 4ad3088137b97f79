import { useState } from "react";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 2_000;

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span className="copy">
      <IconButton icon={copied ? "check" : "copy"} label={label} onPress={() => copy()} />
      <span className="visually-hidden" role="status">
        {copied ? "Copied" : ""}
      </span>
    </span>
  );
}

/** A text to copy, such as an address or a command. */
export const Copyable = ({ text, label }: { text: string; label: string }) => (
  <span className="copyable">
    <code title={text}>{text}</code>
    <CopyButton text={text} label={`Copy ${label}`} />
  </span>
);

/** Browsers give the clipboard to secure contexts only; elsewhere the older way still works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
