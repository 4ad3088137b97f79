/** The links of the home page. */
const LINKS = {
  documentation: "/openapi",
  openapi: "/openapi/json",
  live: "/health/live",
  ready: "/health/ready",
};

const ABOUT = "Berth: a hosting control plane. The API is under /api/v1.";

/** The reply of `GET /` to programs. */
export const homeData = (version: string) => ({
  statusCode: 200,
  message: ABOUT,
  data: { name: "Berth", version, links: LINKS },
});
