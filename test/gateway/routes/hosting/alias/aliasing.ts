import type { StackClient } from "../../../../harness/stack-client.ts";
import { tenant } from "../container/hosting.ts";

/** A user with a container on a server of their own, and what makes aliases of it. */
export async function aliasTenant(stack: StackClient, serverName: string) {
  const owner = await tenant(stack, serverName);
  const containerId = await owner.container("web");
  return { ...owner, ...aliasCalls(stack, owner.token, containerId), containerId };
}

export function aliasCalls(stack: StackClient, token: string, containerId: string) {
  const call = (method: string, path = "", body?: unknown, headers = {}) =>
    stack.call(method, `/api/v1/proxy/aliases${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const create = (fields: object = {}, headers = {}) =>
    call("POST", "", { container_id: containerId, program: "http", ...fields }, headers);
  return {
    aliases: call,
    expose: create,
    /** The record of a new alias. */
    exposed: async (fields: object = {}) => {
      const { status, body } = await create(fields);
      if (status !== 201) throw new Error(`${status}: ${body.message}`);
      return body.data;
    },
  };
}
