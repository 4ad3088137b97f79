import { berthLine, type Command, quote } from "../lib/commands.ts";
import { Copyable } from "./copy.tsx";

export type { Command };

/** How a form is done without this page, by one request or by several. `$TOKEN` is an access token or an API token. */
export function SameByCommand({ of }: { of: Command | readonly Command[] }) {
  const commands = [of].flat();
  const lines = commands.flatMap((command) => berthLine(command) ?? []);
  return (
    <details className="same">
      <summary>The same by command line and curl</summary>
      {lines.length > 0 && <Copyable text={lines.join("\n")} label="the command" />}
      <Copyable text={commands.map(curlOf).join("\n")} label="the curl command" />
      <p className="hint">
        <a href="/openapi">API reference</a>
      </p>
    </details>
  );
}

/** Who has no token yet asks for one. */
const NEEDS_NO_TOKEN = /^\/api\/v1\/auth\/(login|signup)/;

function curlOf({ method, path, body, file, headers = {} }: Command): string {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return [
    `curl -X ${method} '${location.origin}${path}'`,
    ...(NEEDS_NO_TOKEN.test(path) ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(file === undefined
      ? []
      : [`-H 'Content-Type: application/octet-stream' --data-binary ${quote(`@${file}`)}`]),
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quote(json)}`]),
  ].join(" \\\n  ");
}
