import type { UserImage } from "../../index.ts";
import { type CommandGroup, limitOption, printRows, sortOption } from "../groups.ts";
import { rowOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { dollars, plural } from "../output/format.ts";
import { count, page, ROWS_MAX, reply } from "../read.ts";

const CENTS = 100;
const RATING_MAX = 5;

export const image: CommandGroup = (program, cli) => {
  const group = program
    .command("image")
    .summary("the catalogue of container images")
    .description("Find, buy and rate images of the catalogue.");
  group
    .command("list")
    .option("--search <text>", "in alias and description")
    .option("--mine", "those that you have imported or purchased")
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .description("List images of the catalogue.")
    .action(async ({ search, mine, ...listed }) => {
      if (mine) return printRows(cli, OWN, readOwn, listed);
      const filters = search === undefined ? {} : { search };
      await printRows(
        cli,
        NOUNS.image,
        async (api, query) => {
          const params = { query: { ...query, ...filters } };
          const { data } = await reply(api.GET("/api/v1/images/public", { params }));
          return page(data.images, data.pagination);
        },
        listed,
      );
    });
  group
    .command("show")
    .argument("<image>")
    .description("Show an image.")
    .action(async (given) => {
      const { id } = await rowOf(cli, NOUNS.image, given);
      await cli.print.record(
        (await reply((await cli.api()).GET("/api/v1/images/public/{id}", { params: { path: { id } } }))).data,
      );
    });
  group
    .command("add")
    .argument("<image>")
    .option("--max-charge <dollars>", "refuse to pay more")
    .description("Put an image into your library. A price is shown and confirmed.")
    .action(async (given, { maxCharge }) => {
      const found = await rowOf(cli, NOUNS.image, given);
      const api = await cli.api();
      const params = { path: { id: found.id } };
      if (found.price === 0) await reply(api.POST("/api/v1/images/import/{id}", { params }));
      else {
        await cli.confirmPrice(found.alias, Math.round(found.price * CENTS), maxCharge);
        await reply(api.POST("/api/v1/images/purchase/{id}", { params }));
      }
      await cli.print.done(`${found.alias} is in your library.`, found);
    });
  group
    .command("rate")
    .argument("<image>")
    .argument("<rating>", `1 to ${RATING_MAX}`)
    .description("Rate an image of your library.")
    .action(async (given, rating) => {
      const { id, alias } = await rowOf(cli, NOUNS.image, given);
      const body = { rating: count(rating, 1, RATING_MAX) };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/images/rate/{id}", { params: { path: { id } }, body }),
      );
      await cli.print.done(
        `${alias} is rated ${data.average_rating} by ${plural(data.rating_count, "user")}.`,
        data,
      );
    });
};

const OWN = {
  columns: {
    ID: ({ id }: UserImage) => id,
    ALIAS: ({ alias }: UserImage) => alias,
    SOURCE: ({ source }: UserImage) => source,
    PRICE: ({ price }: UserImage) => (price === 0 ? "free" : dollars(price)),
    "YOUR RATING": ({ user_rating }: UserImage) => (user_rating === null ? "" : String(user_rating)),
  },
  empty: "Your library is empty. `berth image add IMAGE` puts one into it.",
};

const readOwn: Parameters<typeof printRows<UserImage>>[2] = async (api, query) => {
  const { data } = await reply(api.GET("/api/v1/images/user", { params: { query } }));
  return page(data.images, data.pagination);
};
