import { Link } from "@tanstack/react-router";
import { useProjects } from "../../lib/reads.ts";

/** Only the user's own projects have a page: that of a container of a pool may be another user's. */
export function ProjectLink({ id }: { id: string }) {
  const { data } = useProjects();
  const project = data?.projects.find((one) => one.id === id);
  if (project === undefined) return data === undefined ? "…" : <code>{id}</code>;
  return <Link to={`/projects/${id}` as "."}>{project.name}</Link>;
}
