import type { PoolSummary } from "../index.ts";
import type { Api } from "./cli.ts";
import { page, type ReadPage, readRows, reply } from "./read.ts";

export const pools: ReadPage<PoolSummary> = async (api, query) => {
  const { data, pagination } = await reply(api.GET("/api/v1/pools", { params: { query } }));
  return page(data, pagination);
};

/** Servers that others rent, and that the user reaches through their pools. */
export async function readSharedServers(api: Api) {
  const joined = (await readRows(api, pools)).filter(({ role }) => role !== "owner");
  const read = joined.map(({ id }) => reply(api.GET("/api/v1/pools/{id}", { params: { path: { id } } })));
  return (await Promise.all(read)).flatMap(({ data }) =>
    data.servers.map((server) => ({ ...server, pool: data.name })),
  );
}
