import { ValidationError } from "../../../schemas/errors.ts";
import { type AddImage, type ChangeImage, SYSTEMS } from "../../../schemas/hosting/image.ts";
import { fullReference } from "../../../schemas/hosting/image-reference.ts";
import { toCents } from "../../platform/money.ts";

/** An image as its actor holds it. */
export interface Image {
  readonly alias: string;
  readonly description: string;
  readonly imageName: string;
  readonly architecture: string;
  readonly os: string;
  readonly release: string;
  readonly variant: string;
  readonly serial: string;
  /** Bytes. */
  readonly size: number;
  readonly priceCents: bigint;
  readonly tags: readonly string[];
  readonly isPublic: boolean;
  readonly prespawn: boolean;
  /** The reference of the registry image; null: the programs of the container's host. */
  readonly reference: string | null;
  /** The command of a container of this image, as argv. */
  readonly command: readonly string[];
  readonly ratings: Ratings;
  readonly hasIcon: boolean;
  /** The time at which it left the catalogue for good; users who have it keep it. */
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
}

/** Hundredths, so that the sum is exact. */
export interface Ratings {
  readonly sum: number;
  readonly count: number;
}

export const added = (input: AddImage, now: Date): Image => ({
  alias: input.alias,
  description: input.description,
  imageName: input.image_name,
  architecture: input.architecture,
  os: input.os,
  release: input.release,
  variant: input.variant,
  serial: input.serial ?? "",
  size: input.size ?? 0,
  priceCents: toCents(input.price),
  tags: input.tags ?? [],
  isPublic: input.public ?? true,
  prespawn: input.prespawn ?? false,
  reference: referenceOf(input.reference),
  command: input.command ?? [],
  ratings: { sum: 0, count: 0 },
  hasIcon: false,
  deletedAt: null,
  createdAt: now,
});

export const changed = (image: Image, input: ChangeImage): Image => ({
  ...image,
  alias: input.alias ?? image.alias,
  description: input.description ?? image.description,
  imageName: input.image_name ?? image.imageName,
  architecture: input.architecture ?? image.architecture,
  os: input.os ?? image.os,
  release: input.release ?? image.release,
  variant: input.variant ?? image.variant,
  serial: input.serial ?? image.serial,
  size: input.size ?? image.size,
  priceCents: input.price === undefined ? image.priceCents : toCents(input.price),
  tags: input.tags ?? image.tags,
  isPublic: input.public ?? image.isPublic,
  prespawn: input.prespawn ?? image.prespawn,
  reference: input.reference === undefined ? image.reference : referenceOf(input.reference),
  command: input.command ?? image.command,
});

/** The reference in its full form, with registry and tag. @throws VALIDATION_ERROR */
function referenceOf(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  return fullReference(text, "body.reference");
}

/** @throws VALIDATION_ERROR for an operating system or a release that the platform does not support */
export function assertCarried({ os, release }: Pick<Image, "os" | "release">): void {
  const releases = Object.hasOwn(SYSTEMS, os) ? SYSTEMS[os] : undefined;
  if (releases === undefined)
    throw new ValidationError("body.os", `must be one of ${Object.keys(SYSTEMS).join(", ")}`);
  if (!releases.includes(release))
    throw new ValidationError("body.release", `must be one of ${releases.join(", ")}`);
}

/** @throws VALIDATION_ERROR for an image that hosts are to keep ready and that names nothing to pull */
export function assertPrespawnable({ prespawn, reference }: Pick<Image, "prespawn" | "reference">): void {
  if (prespawn && reference === null)
    throw new ValidationError("body.prespawn", "needs a reference: without one there is nothing to pull");
}

/** The average to the hundredth, rounded half-up like the column `average_rating`; 0 without ratings. */
export const averageOf = ({ sum, count }: Ratings): number =>
  count === 0 ? 0 : Number((2n * BigInt(sum) + BigInt(count)) / (2n * BigInt(count))) / 100;

/** The searched text. Its parts are separated by line breaks, so that no match spans two of them. */
export const searchText = ({ alias, imageName, description, tags }: Image): string =>
  folded([alias, imageName, description, ...tags].join("\n"));

/** Text as searches compare it: in lower case and in Unicode normal form. */
export const folded = (text: string): string => text.normalize("NFC").toLowerCase();
