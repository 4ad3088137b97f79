import type { Launch, TerminalRequest } from "../parameters/parse.ts";

/** A longer value could push the next value out of sight, so the rest is collapsed. */
const SHOWN_CHARS_MAX = 500;

/** Everything that a request would do, as HTML: the user may have followed a malicious link. */
export function summarizeLaunch({
  terminalId,
  reset,
  readonly,
  launch,
  redirect,
  appearance,
}: TerminalRequest): string[] {
  const id = terminalId === null ? "a new terminal" : `terminal ${terminalId}`;
  const lines: string[] = [begins(id, launch)];
  if (readonly) lines.push("here it is to be watched only");
  if (reset && terminalId !== null) lines.push(`what runs in ${id} now is ended`);
  if (launch.ssh !== null && launch.ssh.ignored.length > 0) {
    lines.push(`over SSH these parameters mean nothing: ${launch.ssh.ignored.map(code).join(", ")}`);
  }
  // A running process already has its environment, and of an SSH host's environment little is known.
  if (launch.pid === null) {
    if (launch.ssh === null) lines.push(...describeEnvironment(launch));
    const variables = Object.entries(launch.env).map(([name, value]) => code(`${name}=${value}`));
    if (variables.length > 0) lines.push(`it sets ${variables.join(", ")}`);
    if (launch.ssh === null) lines.push(...programs(launch));
    if (launch.command !== null) lines.push(`it runs ${code(launch.command)}`);
  }
  if (appearance.title !== null) lines.push(`its tab is called ${code(appearance.title)}`);
  if (appearance.panel !== null) {
    const { url, visible } = appearance.panel;
    lines.push(`it shows ${code(url)} beside it${visible ? "" : ", when that is opened"}`);
  }
  if (redirect !== null) {
    const { display, delaySeconds } = redirect;
    lines.push(
      `then it goes on to display :${display}${delaySeconds === 0 ? "" : ` after ${delaySeconds} seconds`}`,
    );
  }
  return lines;
}

function begins(id: string, { pid, ssh, user }: Launch): string {
  const as = user === null ? "" : ` as user ${code(user)}`;
  if (pid !== null) return `process ${pid} is moved to ${id}${as}`;
  if (ssh === null) return `${id} opens${as}`;
  const { proxy } = ssh;
  const shown = [ssh.password === null ? "" : "password", ssh.key === null ? "" : "key"].filter(Boolean);
  const by = shown.length === 0 ? "" : `, with a ${shown.join(" and a ")} of the link's`;
  const at = proxy?.user ? `, where it is user ${code(proxy.user)}` : "";
  const through = proxy === null ? "" : ` by the proxy ${code(address(proxy))}${at}`;
  return `${id} connects by SSH to ${code(address(ssh))} as user ${code(ssh.user)}${by}${through}`;
}

function describeEnvironment(launch: Launch): string[] {
  const lines: string[] = [];
  if (launch.cwd !== null) {
    const made = launch.createCwd ? ", which is made if it is missing" : "";
    lines.push(`it starts in ${code(launch.cwd)}${made}`);
  }
  if (!launch.injectServiceEnv) lines.push("it does not get the service's own variables");
  return lines;
}

function programs(launch: Launch): string[] {
  const lines: string[] = [];
  if (launch.desktop !== null) {
    lines.push(`it starts a desktop (${launch.desktop === "any" ? "whichever there is" : launch.desktop})`);
  }
  if (launch.startupScript !== null) lines.push(`it runs the script ${code(launch.startupScript)}`);
  if (launch.shell !== null) lines.push(`its shell is ${code(launch.shell)}`);
  if (launch.args.length > 0) lines.push(`its shell gets the arguments ${launch.args.map(code).join(" ")}`);
  return lines;
}

const address = ({ host, port }: { host: string; port: number }) =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Characters that are invisible, look like a blank, reverse the text's direction, or stack over their neighbours. */
const UNSEEN = /[^\P{C}\n]|[^\P{Z} ]|[\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}\p{M})\p{M}/gu;

/**
 * A value in a code element, with invisible characters shown by name. A long value is visibly cut and can be
 * unfolded.
 */
function code(text: string): string {
  const shown = [...text].slice(0, SHOWN_CHARS_MAX).join("");
  if (shown === text) return `<code>${named(text)}</code>`;
  const rest = [...text.slice(shown.length)].length;
  return `<code>${named(shown)}</code><details><summary>… and ${rest} more characters</summary><code>${named(text)}</code></details>`;
}

const named = (text: string) =>
  Bun.escapeHTML(text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`));
