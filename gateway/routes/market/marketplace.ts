import { Elysia } from "elysia";
import { listOffers } from "../../../actors/market/offer/queries.ts";
import { listAvailable } from "../../../actors/market/server/queries.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import { OFFERS_SORT, OffersQuery, OffersReply } from "../../../schemas/market/offer.ts";
import {
  AVAILABLE_PAGE,
  AVAILABLE_SORT,
  AvailableQuery,
  AvailableServersReply,
  CATEGORIES,
  CPU_SCORES,
  DAYS_MAX,
  DISK_TYPES,
  RAM_TYPES,
} from "../../../schemas/market/server.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { listPage, okList } from "../../http/paging.ts";
import { listed, oneOf, oneOfEach } from "../../http/query.ts";

/** The servers that can be rented now, and the offers that can be reserved (spec, control plane §4.1). */
export const marketplaceRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1", detail: { tags: ["Marketplace"] } })
    .use(signedIn(credentials, "resources.read"))
    .get(
      "/offers",
      async ({ query }) => {
        const page = listPage("offers", query, LIST_PAGE, OFFERS_SORT);
        return okList("Offers", page, await listOffers(db, "orderable", page));
      },
      {
        query: OffersQuery,
        response: { 200: OffersReply },
        detail: {
          summary: "List servers that can be ordered, with their lead times",
          description:
            "A reservation costs `pricing_rules[days]` and the setup fee, which is `setup_fee_rules[days]` if there is such " +
            "a key (also 0), else `setup_fee_cents`. All in cents.",
        },
      },
    )
    .get(
      "/servers/available",
      async ({ query }) => {
        const page = listPage("servers/available", query, AVAILABLE_PAGE, AVAILABLE_SORT);
        return okList("Available servers", page, await listAvailable(db, filterOf(query), page));
      },
      {
        query: AvailableQuery,
        response: { 200: AvailableServersReply },
        detail: {
          summary: "List servers in stock that meet all filters, the lowest price a day first",
          description:
            "`pricing.price_tiers[days].total_first_payment` is what renting for so many days costs with the setup fee, in cents.",
        },
      },
    );

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** A lower bound for whole numbers: at least 1.5 means at least 2. */
const atLeast = (text: string | undefined) => (text === undefined ? undefined : Math.ceil(Number(text)));

const filterOf = (query: AvailableQuery) => ({
  country: query.country?.toUpperCase(),
  region: query.region,
  maxPricePerDay: query.max_price_per_day,
  durations: durationsOf(query.available_durations),
  minCpuCores: atLeast(query.min_cpu_cores),
  minCpuScore: atLeast(query.min_cpu_score),
  cpuScoreType: oneOf("cpu_score_type", query.cpu_score_type, CPU_SCORES) ?? ("passmark" as const),
  minRamGb: numberOf(query.min_ram_gb),
  ramTypes: oneOfEach("ram_types", query.ram_types, RAM_TYPES),
  minTotalStorageGb: atLeast(query.min_total_storage_gb),
  diskTypes: oneOfEach("disk_types", query.disk_types, DISK_TYPES),
  minBandwidthMbps: atLeast(query.min_bandwidth_mbps),
  minTrafficTb: numberOf(query.min_traffic_tb),
  unlimitedTrafficOnly: query.unlimited_traffic_only === "true",
  category: oneOf("category", query.category, CATEGORIES),
  featuredOnly: query.featured_only === "true",
});

function durationsOf(value: string | readonly string[] | undefined): number[] | undefined {
  return listed(value)?.map((text) => {
    const days = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Number.NaN;
    if (!(days <= DAYS_MAX))
      throw new ValidationError("query.available_durations", `may hold days from 1 to ${DAYS_MAX}`);
    return days;
  });
}
