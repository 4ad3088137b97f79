import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { api, dataOf } from "../../lib/api.ts";

/** One account as administrators see it. */
export const useUser = (id: string) =>
  useQuery({
    queryKey: ["operator", "users", id],
    queryFn: () => dataOf(api.GET("/api/v1/admin/users/{id}", { params: { path: { id } } })),
  });

/** To the page of a user, by name, where a record has only the id. */
export const UserLink = ({ id }: { id: string }) => (
  <Link to={`/operator/users/${id}` as LinkProps["to"]}>
    {useUser(id).data?.username ?? <code>{id}</code>}
  </Link>
);
