import { Link, type LinkProps } from "@tanstack/react-router";

/** To the page of a user, where a record has only the id. */
export const UserLink = ({ id }: { id: string }) => (
  <Link to={`/operator/users/${id}` as LinkProps["to"]}>
    <code>{id}</code>
  </Link>
);
