import { DomainError } from "../../../schemas/errors.ts";
import type { UserImage } from "../../../schemas/hosting/image.ts";

/** A user's library as its actor holds it. */
export interface Library {
  /** Images that the user has. */
  readonly owned: ReadonlySet<string>;
  /** Image → the saga that gets it. */
  readonly acquiring: Readonly<Record<string, string>>;
  readonly ratings: ReadonlyMap<string, OwnRating>;
}

export const EMPTY_LIBRARY: Library = { owned: new Set(), acquiring: {}, ratings: new Map() };

export type Source = UserImage["source"];

/** Hundredths. */
export interface OwnRating {
  readonly hundredths: number;
  /** The rating that the image's sum contains; null: none yet. */
  readonly counted: number | null;
  /** The saga that sends the rating to the image. Until it ends, no other rating is sent. */
  readonly pendingSaga: string | null;
  /** The next saga, for a rating given meanwhile. */
  readonly next: string | null;
}

const NOT_IMPORTABLE = "Image is not free or already imported";

/**
 * A user imports or buys an image once. @throws IMAGE_ALREADY_OWNED, also while an import or purchase is in progress
 */
export function assertNew({ owned, acquiring }: Library, imageId: string, source: Source): void {
  if (!owned.has(imageId) && !Object.hasOwn(acquiring, imageId)) return;
  throw new DomainError(
    "IMAGE_ALREADY_OWNED",
    source === "imported" ? NOT_IMPORTABLE : "Image is already owned, or is being purchased just now",
  );
}

/**
 * Checks the present price of an image, which may differ from the one that the user was shown. Cents.
 * @throws IMAGE_NOT_FREE for an import, CHARGE_EXCEEDS_MAX for a purchase that would cost more than was shown
 */
export function assertPrice(priceCents: number, source: Source, maxPriceCents: number): void {
  if (source === "imported" && priceCents !== 0) throw new DomainError("IMAGE_NOT_FREE", NOT_IMPORTABLE);
  if (priceCents > maxPriceCents) {
    throw new DomainError("CHARGE_EXCEEDS_MAX", "The price has just been raised; look at it and try again", {
      total_cents: priceCents,
    });
  }
}

export const without = (acquiring: Library["acquiring"], imageId: string): Library["acquiring"] =>
  Object.fromEntries(Object.entries(acquiring).filter(([id]) => id !== imageId));

/** The changes of the image's sum and count of ratings by a rating. */
export const deltaOf = ({ hundredths, counted }: OwnRating) => ({
  sum_delta: hundredths - (counted ?? 0),
  count_delta: counted === null ? 1 : 0,
});
