import { useQuery } from "@tanstack/react-query";
import { api, BerthError } from "../../lib/api.ts";
import type { Command } from "../../lib/commands.ts";
import { from } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { byDirection, type Listed, type Rule } from "./rule-diff.ts";
import type { Container } from "./states.tsx";

const PATH = "/api/v1/containers/{id}/firewall/rules";

/** The rules of a container as they were when the reader compared them. */
export interface Compared {
  readonly rules: readonly Listed[];
  /** Incoming packets that no rule matches pass. */
  readonly isOpen: boolean;
}

/** Replaces all rules of a container at once, and only those that the reader has compared. */
export function useReplacement({ id, name }: Pick<Container, "id" | "name">) {
  // Under a key that no event makes stale: what is replaced is the version that the reader has compared.
  const present = useQuery({
    queryKey: ["compared-rules", id],
    queryFn: () => readRules(id),
    staleTime: 0,
    gcTime: 0,
  });
  const headers = { "If-Match": present.data?.version ?? "" };
  const replace = async (rules: readonly Rule[], said: string) => {
    const params = { path: { id }, header: headers };
    const put = () => api.PUT(PATH, { params, body: { rules: [...rules] } });
    try {
      await perform(said, put, ["containers", id]);
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      if (/^body\.rules\.\d+$/.test(String(error.data.field)))
        throw new Error("There is such a rule already.");
      if (error.code !== "PRECONDITION_FAILED") throw error;
      await present.refetch();
      throw new Error("Somebody has changed the rules meanwhile. Look at the difference again.");
    }
  };
  const command = (rules: readonly Rule[]): Command => ({
    method: "PUT",
    path: PATH.replace("{id}", id),
    headers,
    body: { rules },
    berth: ["firewall", "apply", name, "--file", "-"],
    input: byDirection(rules),
  });
  return { present, replace, command };
}

/** All of them, also where they are more than a page: a rule that was not read would be removed. */
async function readRules(id: string): Promise<Compared & { readonly version: string }> {
  const rules: Listed[] = [];
  let [version, isOpen, cursor] = ["", true, undefined as string | undefined];
  do {
    const { data, response } = await api.GET(PATH, { params: { path: { id }, query: from(cursor) } });
    if (data === undefined) throw new Error("The reply is empty");
    rules.push(...data.data.ingress, ...data.data.egress);
    isOpen = data.data.defaults.ingress === "allow";
    // Of the first page: a change since then refuses the replacement.
    version ||= response.headers.get("etag") ?? "";
    cursor = data.data.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { rules, version, isOpen };
}
