import manifest from "../../../package.json" with { type: "json" };
import type { SignIn } from "../service.ts";

/**
 * The text of `/help`: how to use the pipe from a command line.
 *
 * @param url the service's own, as the client knows it
 * @param signIn how its commands are let in, where they must be
 */
export function helpText(url: string, signIn?: Pick<SignIn, "tokenPath" | "curlTrust">): string {
  const pipe = `${url}/api/v1/pipe`;
  const curl = ["curl", signIn && '-H "Authorization: Bearer $TOKEN"', signIn?.curlTrust]
    .filter(Boolean)
    .join(" ");
  return `Berth Pipe ${manifest.version}

Streams from a sender to one or more receivers over HTTP. Nothing is kept: each waits for the other, up to 5 minutes.
${signIn === undefined ? "" : signInText(url, signIn.tokenPath)}
Send, and receive, in either order
  ${curl} -T file.bin ${pipe}/any/path
  ${curl} -f -o file.bin ${pipe}/any/path

Send what a program writes
  tar cz folder | ${curl} -T - ${pipe}/backup
  ${curl} -fs ${pipe}/backup | tar xz

Send text
  echo hello | ${curl} -T - ${pipe}/greeting

To several receivers at once: the same n for all (1 to 256)
  ${curl} -T file.bin '${pipe}/any/path?n=3'
  ${curl} -f '${pipe}/any/path?n=3'

Receiving
  ?download                 as an attachment; ?download=false: not as one
  ?filename=report.pdf      as an attachment of that name
  ?video=true               plays WebM, MP4 and MPEG-TS in a browser
  ?progress                 how far it is, without receiving: Server-Sent Events, or a page in a browser
                            ${curl} -N '${pipe}/any/path?progress'

A receiver gets the sender's Content-Type, Content-Length, Content-Disposition, X-Piping and X-Service-Pipe.
A receiver whose connection breaks, or ends before its length, does not have all: curl then exits with an error.

In a browser
  ${url}/           send and receive
  ${url}/noscript   send without JavaScript
  A script of a page sends and receives with fetch(url, { cache: "no-store" }): a browser's cache makes requests of one URL wait for each other.

Health
  ${curl} ${pipe}/health
`;
}

const signInText = (url: string, tokenPath: string): string => `
Sign in
  This pipe is for people with access to its container. Ask the API for a token, which is good for 5 minutes. $BERTH_URL is the address of the API,
  $BERTH_TOKEN your token for it:
  TOKEN=$(curl -sf -X POST -H "Authorization: Bearer $BERTH_TOKEN" "$BERTH_URL${tokenPath}" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

Let somebody else receive from one path, without access to the container, for an hour: the page at ${url}/ copies such links
`;
