import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { resourcesOf } from "../../../schemas/hosting/container-settings.ts";
import {
  type AddServer,
  type ChangeServer,
  hostNotJoined,
  type Prices,
  type ServerSpecs,
  type ServerStatus,
  type StockServer,
} from "../../../schemas/market/server.ts";
import { assertAgreed, priceFor } from "../prices.ts";
import type { RentalPayment } from "../rental-payment.ts";

/** A server as its actor holds it. */
export interface Server {
  readonly name: string;
  readonly kind: StockServer["kind"];
  /** The physical server that it is a part of; null: it is one. */
  readonly parentId: string | null;
  readonly status: ServerStatus;
  readonly specs: ServerSpecs;
  /** Counts the changes of what containers on it may take. */
  readonly specsRevision: number;
  readonly prices: Prices;
  readonly setupFeeCents: number;
  /** The rental that holds it, also during its payment and its cleaning. */
  readonly rentalId: string | null;
  /** What was paid for the rental that it names, at its beginning; null: nothing by a rent here. */
  readonly rentalPayment: (RentalPayment & { readonly rental_id: string }) | null;
  /** The time at which its host's agent first connected; null: it has not, or the host was removed since. */
  readonly joinedAt: Date | null;
  /** An operator sets it up for its renter: its host need not have joined. */
  readonly deliveredByHand: boolean;
  /** A change that an import of stock has prepared; null: none. */
  readonly prepared: Prepared | null;
  readonly createdAt: Date;
}

/** What an import will do to a server, if it does not drop it: it adds the server, or changes it. */
export interface Prepared {
  readonly importId: string;
  readonly add: AddServer | null;
  readonly change: ChangeServer | null;
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

/** @throws VALIDATION_ERROR for a machine on which the parts of others, or Berth itself, run; SERVER_NOT_AVAILABLE */
export function assertDeliverable(server: Server, field: string): void {
  if (server.kind !== "dedicated")
    throw new ValidationError(
      field,
      server.kind === "shared"
        ? "is divided into parts, which are others': deliver one of its parts, or a server of its own"
        : "is a server of the system: it is not for customers",
    );
  assertFree(server);
}

/** @throws SERVER_NOT_AVAILABLE */
export function assertFree(server: Server): void {
  if (server.status !== "in_stock" || isBeingAdded(server)) throw notForRent();
}

const isBeingAdded = ({ prepared }: Server): boolean => prepared !== null && prepared.add !== null;

/** @throws STOCK_CHANGED while an import changes the server, which takes moments */
export function assertUnprepared({ prepared }: Server): void {
  if (prepared !== null)
    throw new DomainError("STOCK_CHANGED", "an import is changing the server; try again");
}

/** A change of the specifications. It counts where the host has to hold containers to something else. */
export function changeSpecs(server: Server, specs: ServerSpecs): Server {
  const isOther = !isDeepStrictEqual(resourcesOf(server.specs), resourcesOf(specs));
  return { ...server, specs, specsRevision: server.specsRevision + (isOther ? 1 : 0) };
}

type Changeable = Pick<Server, "specs" | "prices" | "setupFeeCents" | "deliveredByHand">;

/** Stands for everything about a server that its operator can change: the same for the same values. */
export function stockRevision({ specs, prices, setupFeeCents, deliveredByHand }: Changeable): string {
  const text = JSON.stringify([sorted(specs), sorted(prices), setupFeeCents, deliveredByHand]);
  return createHash("sha256").update(text).digest("hex").slice(0, REVISION_LENGTH);
}

/** 64 bits: two versions of one server do not meet by chance. */
const REVISION_LENGTH = 16;

/** The same value with the keys of its objects in order: the database keeps them in another one than requests have them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

const notForRent = () =>
  new DomainError("SERVER_NOT_AVAILABLE", "the server is not for rent, or was just rented");
