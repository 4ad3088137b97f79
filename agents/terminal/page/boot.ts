import { isSecretVariable } from "../parameters/secret-variables.ts";
import type { Boot } from "../server/boot.ts";

/** The data that the server put into the page. */
export const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}") as Boot;

/**
 * Removes secrets and one-time parameters from the address, and adds the session's number, so that a reload returns
 * to the session.
 */
export function cleanAddress(): void {
  const url = new URL(location.href);
  for (const name of boot.forget) url.searchParams.delete(name);
  const variables = url.searchParams.getAll("env");
  const kept = variables.filter((pair) => !isSecretVariable(pair));
  if (kept.length < variables.length) {
    url.searchParams.delete("env");
    for (const pair of kept) url.searchParams.append("env", pair);
  }
  url.searchParams.set("terminal_id", String(boot.id));
  // `readonly` means the same as `readonly=`, and is the form that people write.
  const query = url.search.replace(/=(?=&|$)/g, "");
  history.replaceState(null, "", `${url.pathname}${query}${url.hash}`);
}

/**
 * Makes the packages' styles comply with the page's content security policy: style elements get the nonce, and style
 * attributes, which xterm.js uses for colours beyond the palette without WebGL, are set as properties.
 */
export function allowStyles(): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
  const { setAttribute } = HTMLElement.prototype;
  HTMLElement.prototype.setAttribute = function (name, value) {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}
