import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { api, dataOf } from "../../lib/api.ts";

/** One account as administrators see it. */
export const useUser = (id: string, isEnabled = true) =>
  useQuery({
    queryKey: ["operator", "users", id],
    queryFn: () => dataOf(api.GET("/api/v1/admin/users/{id}", { params: { path: { id } } })),
    enabled: isEnabled,
  });

/** To the page of a user, by name. A record that has only the id has the name read. */
export function UserLink({ id, name }: { id: string; name?: string }) {
  const { data } = useUser(id, name === undefined);
  const username = name ?? data?.username;
  return (
    <Link className="user-link" title={username} to={`/operator/users/${id}` as LinkProps["to"]}>
      {username ?? <code>{id}</code>}
    </Link>
  );
}
