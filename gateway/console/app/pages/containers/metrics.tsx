import { dataOf, polledApi } from "../../lib/api.ts";
import { Usage } from "../../ui/usage.tsx";
import type { Container } from "./states.tsx";

/** What the container has used over time, as its host has measured it. */
export default function Metrics({ container: { id, resources } }: { container: Container }) {
  const { applied } = resources;
  return (
    <Usage
      queryKey={["containers", id]}
      read={(query) =>
        dataOf(polledApi.GET("/api/v1/containers/{id}/metrics", { params: { path: { id }, query } }))
      }
      limits={{ cores: applied?.cpu_cores ?? null, memoryBytes: applied?.memory_bytes ?? null }}
    />
  );
}
