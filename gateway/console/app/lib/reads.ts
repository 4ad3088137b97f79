import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "./api.ts";
import { SENDS_MAIL } from "./installation.ts";

/** What several pages read, each under one key, so that it is read once. Events name these keys (`event-queries.ts`). */

export const useBalances = () =>
  useQuery({
    queryKey: ["wallet", "balances"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/balances")),
  });

/** Which notices are mailed, and whether to an address that is verified. Nobody is asked to verify one where no mail is sent. */
export const useMailSettings = (isEnabled = SENDS_MAIL) =>
  useQuery({
    queryKey: ["account", "mail"],
    queryFn: () => dataOf(api.GET("/api/v1/notifications/mail")),
    enabled: isEnabled,
  });

/** As much as one page of the API has. */
const WHOLE = { params: { query: { limit: "500" } } } as const;

/** All rentals, also those that have ended. */
export const useRentals = () =>
  useQuery({ queryKey: ["rentals", "list"], queryFn: () => dataOf(api.GET("/api/v1/rentals", WHOLE)) });

/** What was ordered of the offers. */
export const useReservations = () =>
  useQuery({
    queryKey: ["marketplace", "reservations"],
    queryFn: async () => (await dataOf(api.GET("/api/v1/reservations", WHOLE))).reservations,
  });

export const useContainers = () =>
  useQuery({ queryKey: ["containers", "list"], queryFn: () => dataOf(api.GET("/api/v1/containers", WHOLE)) });

export const useContainer = (id: string) =>
  useQuery({
    queryKey: ["containers", id, "record"],
    queryFn: () => dataOf(api.GET("/api/v1/containers/{id}", { params: { path: { id } } })),
  });

/** The short public addresses of a container. */
export const useNames = (containerId: string) =>
  useQuery({
    queryKey: ["aliases", containerId],
    queryFn: () =>
      dataOf(api.GET("/api/v1/proxy/aliases", { params: { query: { container_id: containerId } } })),
  });

export const usePools = () =>
  useQuery({
    queryKey: ["pools", "list"],
    queryFn: () => dataOf(api.GET("/api/v1/pools", WHOLE)),
  });

/** What a pool is read by, under the same key everywhere. */
export const poolQuery = (id: string) => ({
  queryKey: ["pools", id, "record"],
  queryFn: () => dataOf(api.GET("/api/v1/pools/{id}", { params: { path: { id } } })),
});

export const useProjects = () =>
  useQuery({ queryKey: ["projects", "list"], queryFn: () => dataOf(api.GET("/api/v1/projects", WHOLE)) });

/** The storage shares of a project on a server, or all that the user reaches. */
export const useShares = (query: { project_id?: string; server_id?: string } = {}) =>
  useQuery({
    queryKey: ["storage", "list", query],
    queryFn: () =>
      dataOf(api.GET("/api/v1/storage-shares", { params: { query: { ...query, ...WHOLE.params.query } } })),
  });

/** The newest events of a thing, or of everything. */
export const useEvents = (query: { container_id?: string; resource_id?: string; limit?: string } = {}) =>
  useQuery({
    queryKey: ["events", "list", query],
    queryFn: () => dataOf(api.GET("/api/v1/events", { params: { query } })),
  });

/** How many notifications are unread; the navigation shows it. */
export const useUnread = () =>
  useQuery({
    queryKey: ["inbox", "summary"],
    queryFn: () => dataOf(api.GET("/api/v1/notifications/summary")),
  });
