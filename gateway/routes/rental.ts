import { Elysia } from "elysia";
import { listRentals, readRental } from "../../actors/rental/queries.ts";
import { DomainError } from "../../schemas/errors.ts";
import { IdParams } from "../../schemas/primitives.ts";
import { RentalReply, RentalsReply } from "../../schemas/rental.ts";
import type { Berth } from "../berth.ts";
import { errors, ok } from "../plugins/envelope.ts";
import { signedIn } from "../plugins/signed-in.ts";

/** The caller's rentals, under both of their names (spec, control plane §4.3). */
export const rentalRoutes = (berth: Berth) => [
  under("/api/v1/rentals", berth),
  under("/api/v1/servers", berth),
];

const under = (prefix: string, { db, tokens }: Berth) =>
  new Elysia({ prefix, detail: { tags: ["Rentals"] } })
    .use(signedIn(tokens))
    .get("/", async ({ caller }) => ok("Rentals", await listRentals(db, caller.userId)), {
      response: { 200: RentalsReply },
      detail: { summary: "The servers that you rent, oldest first" },
    })
    .get(
      "/:id",
      async ({ caller, params }) => {
        const rental = await readRental(db, caller.userId, params.id);
        if (rental === undefined) throw new DomainError("RENTAL_NOT_FOUND", "Rental not found");
        return ok("Rental", rental);
      },
      {
        params: IdParams,
        response: { 200: RentalReply, ...errors("RENTAL_NOT_FOUND") },
        detail: { summary: "A rental" },
      },
    );
