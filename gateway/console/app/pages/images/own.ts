import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../lib/api.ts";
import { quotedId } from "../../lib/quoted-id.ts";

/** As many as one page of the API has. */
const PAGE = "100";

/** The images that the user may run. */
export const useOwnImages = () =>
  useQuery({
    queryKey: ["images", "own"],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/images/user", { params: { query: { limit: PAGE } } }))).images,
  });

/** Where a container is made of it. */
export const useOf = (id: string) => `/containers?create=true&image=${quotedId(id)}`;
