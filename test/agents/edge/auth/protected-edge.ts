import { join } from "node:path";
import type { EdgeServices } from "../../../../agents/edge/router.ts";
import { serviceLabel } from "../../../../schemas/addresses.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { newId } from "../../network/nft/rules.ts";
import { HOSTS, startEdge } from "../edge-under-test.ts";

/** An edge before a container with one user, whose terminal says what reached it. */
export async function startProtectedEdge() {
  const path = join(temporaryFolder(), "program");
  const program = Bun.serve({
    unix: path,
    fetch: (request) =>
      Response.json({
        url: new URL(request.url).pathname + new URL(request.url).search,
        ...request.headers.toJSON(),
      }),
  });
  const services: EdgeServices = {
    open: (_container, name) =>
      name === "terminal"
        ? { kind: "file", path }
        : { kind: "absent", status: 404, code: "PROGRAM_NOT_FOUND", message: "There is no such program." },
    isOpen: (_name, { path }) => path === "/open",
    shape: (_name, _request, answer) => answer,
  };
  const edge = await startEdge({ services });
  const [user, projectId] = [newId(), newId()];
  const container = edge.container({ projectId, grants: [user] });
  const addressOf = (containerId: string, project = projectId) =>
    `${serviceLabel({ projectId: project, containerId, service: "terminal", instance: 1 })}.${HOSTS}`;
  const host = addressOf(container);
  return {
    edge,
    services,
    user,
    projectId,
    container,
    host,
    addressOf,

    /** Enters by a link, and returns the cookie. */
    async enter(where = host, token?: string): Promise<string> {
      const link = token ?? (await edge.signer.forContainer(user, container));
      const response = await edge.request(`/?access_token=${link}`, where);
      if (response.status !== 303) throw new Error(`not let in: ${response.status}`);
      return response.headers.get("set-cookie")?.split(";")[0] ?? "";
    },

    /** Sends a request as it is written, and returns what comes back first. */
    async overTls(text: string): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>();
      const socket = await Bun.connect({
        hostname: "127.0.0.1",
        port: edge.edge.httpsPort,
        tls: { rejectUnauthorized: false },
        socket: {
          handshake: (socket) => void socket.write(text),
          data: (_socket, bytes) => resolve(bytes.toString()),
          close: () => resolve(""),
        },
      });
      const answer = await promise;
      socket.terminate();
      return answer;
    },

    async close() {
      await edge[Symbol.asyncDispose]();
      await program.stop(true);
    },
  };
}

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
export const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
