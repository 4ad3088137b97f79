import { readFile } from "node:fs/promises";
import { BerthError } from "../../errors.ts";
import type { ContainerAccess } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import { reply } from "../read.ts";

/** A container token is valid for five minutes; one that is about to expire is not used for a new request. */
const RENEW_MS = 4 * 60_000;

export type ServiceName = keyof ContainerAccess["urls"];

/** The way to the services of one container, through its host's edge. */
export class Entrance {
  #access: { readonly given: ContainerAccess; readonly until: number } | undefined;

  private constructor(
    readonly cli: Cli,
    readonly containerId: string,
    /** Trusted besides the public authorities. */
    readonly ca: string | undefined,
  ) {}

  static async open(cli: Cli, containerId: string): Promise<Entrance> {
    const { ca } = (await cli.session.context()).context;
    return new Entrance(cli, containerId, ca === undefined ? undefined : await readFile(ca, "utf8"));
  }

  /** Addresses and a token that is good for the next request. */
  async access(): Promise<ContainerAccess> {
    if (this.#access !== undefined && Date.now() < this.#access.until) return this.#access.given;
    const params = { path: { id: this.containerId } };
    const { data } = await reply((await this.cli.api()).POST("/api/v1/containers/{id}/access", { params }));
    this.#access = { given: data, until: Date.now() + RENEW_MS };
    return data;
  }

  /** The address of a service. @throws Refused where a permission is for others alone */
  async urlOf(service: ServiceName): Promise<string> {
    const { urls, services } = await this.access();
    const url = urls[service];
    if (url === undefined)
      throw new Refused(`you may enter only ${services?.join(", ")} of this container, not its ${service}`);
    return url;
  }

  /** A request to a service. @throws Refused, BerthError with what the service says */
  async request(service: ServiceName, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.ask(service, path, init);
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  /** A request whose reply may be a refusal. */
  async ask(service: ServiceName, path: string, init: RequestInit = {}): Promise<Response> {
    const url = await this.urlOf(service);
    const { access_token } = await this.access();
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${access_token}`);
    headers.set("accept", headers.get("accept") ?? "application/json");
    return fetch(`${url}${path}`, { ...init, headers, tls: this.tls } as RequestInit).catch(
      (error: Error) => {
        throw untrusted(error) ?? error;
      },
    );
  }

  /** A WebSocket of a service, as its own page opens it. */
  async socket(service: ServiceName, path: string): Promise<WebSocket> {
    const origin = await this.urlOf(service);
    const { access_token } = await this.access();
    const headers = { origin, authorization: `Bearer ${access_token}` };
    return new WebSocket(`${origin.replace(/^http/, "ws")}${path}`, { headers, tls: this.tls } as never);
  }

  get tls() {
    return this.ca === undefined ? {} : { ca: this.ca };
  }
}

function untrusted(error: Error & { code?: string }): Refused | undefined {
  if (!/CERT|SELF_SIGNED|UNABLE_TO|ISSUER/.test(error.code ?? "")) return undefined;
  return new Refused(
    "the certificate of the container's host is of an unknown authority.\n" +
      "  `berth context trust` takes the authority's file from your installation, where it offers one.\n" +
      "  Or give the file: `berth context add NAME URL --ca FILE`, or BERTH_CA=FILE.",
  );
}

const CODE = /^[A-Z][A-Z_]+$/;

/** Services say what is wrong as `message` with a `code`, or as `error`, a code, with `details`, or in a line of text. */
async function refusalOf(response: Response): Promise<Error> {
  const text = await response.text();
  try {
    const { message, error, details, code = CODE.test(error) ? error : "UNKNOWN" } = JSON.parse(text);
    const said = [message, details, error].find((one) => typeof one === "string" && one !== "") ?? text;
    return new BerthError(said, response.status, code, {}, response.headers.get("x-request-id"));
  } catch {
    return new Refused(`${response.status} ${text.trim().slice(0, 500)}`);
  }
}
