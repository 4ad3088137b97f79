import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "./api.ts";

export const SECOND_FACTOR_KEY = ["account", "second-factor"] as const;

/** The second factors of the own account, and whether the operator requires one. */
export const useSecondFactor = () =>
  useQuery({ queryKey: SECOND_FACTOR_KEY, queryFn: () => dataOf(api.GET("/api/v1/auth/second-factor")) });
