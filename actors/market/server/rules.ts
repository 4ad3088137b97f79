import { DomainError } from "../../../schemas/errors.ts";
import {
  hostNotJoined,
  type Prices,
  type ServerSpecs,
  type ServerStatus,
  type StockServer,
} from "../../../schemas/market/server.ts";
import { assertAgreed, priceFor } from "../prices.ts";

/** A server as its actor holds it. */
export interface Server {
  readonly name: string;
  readonly kind: StockServer["kind"];
  /** The physical server that it is a part of; null: it is one. */
  readonly parentId: string | null;
  readonly status: ServerStatus;
  readonly specs: ServerSpecs;
  readonly prices: Prices;
  readonly setupFeeCents: number;
  /** The rental that holds it, also during its payment and its cleaning. */
  readonly rentalId: string | null;
  /** The time at which its host's agent first connected. */
  readonly joinedAt: Date | null;
  /** An operator sets it up for its renter: its host need not have joined. */
  readonly deliveredByHand: boolean;
  readonly createdAt: Date;
}

export interface FirstPayment {
  readonly rentCents: number;
  readonly setupFeeCents: number;
  readonly totalCents: number;
}

/**
 * The first payment of a rental, at the present prices.
 * @throws SERVER_NOT_AVAILABLE, HOST_NOT_JOINED, VALIDATION_ERROR for a length without a price, and the codes of
 * `assertAgreed`
 */
export function firstPayment(server: Server, days: number, maxChargeCents: number | undefined): FirstPayment {
  if (server.kind !== "dedicated") throw notForRent();
  assertFree(server);
  if (server.joinedAt === null && !server.deliveredByHand) throw hostNotJoined();
  const rentCents = priceFor(server.prices, days, "body.rental_days");
  const { setupFeeCents } = server;
  assertAgreed(rentCents, setupFeeCents, maxChargeCents);
  return { rentCents, setupFeeCents, totalCents: rentCents + setupFeeCents };
}

/** @throws SERVER_NOT_AVAILABLE */
export function assertFree(server: Server): void {
  if (server.status !== "in_stock") throw notForRent();
}

const notForRent = () =>
  new DomainError("SERVER_NOT_AVAILABLE", "the server is not for rent, or was just rented");
