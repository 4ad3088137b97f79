import { QUOTA_NAMES, QUOTAS } from "../accounts/quota.ts";
import { type Setting, Whole } from "./setting.ts";

/** Requests a minute by kind of caller: far more than a person or a well-behaved program makes. */
export const REQUEST_RATES = {
  account: 6_000,
  api_token: 6_000,
  impersonation: 3_000,
  realm: 6_000,
  anonymous: 3_000,
  callbacks: 6_000,
} as const;

const RATE_MAX = 1_000_000_000;

/** Quotas, and limits of requests (docs/limits.md). */
export const limits: readonly Setting[] = [
  ...QUOTA_NAMES.map(
    (name): Setting => ({
      name: `BERTH_QUOTA_${name.toUpperCase()}`,
      roles: ["gateway", "actors"],
      type: Whole(0, QUOTAS[name].max),
      standard: String(QUOTAS[name].standard),
      meaning: `quota: ${QUOTAS[name].description}; give both the same`,
    }),
  ),
  ...Object.entries(REQUEST_RATES).map(
    ([name, rate]): Setting => ({
      name: `BERTH_RATE_LIMIT_${name.toUpperCase()}`,
      roles: ["gateway"],
      type: Whole(1, RATE_MAX),
      standard: String(rate),
      meaning: "requests a minute, see [limits.md](limits.md#requests)",
    }),
  ),
];
