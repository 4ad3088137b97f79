import type { Schemas } from "../../lib/api.ts";
import { formatMoney, formatNumber } from "../../lib/format.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Status } from "../../ui/status.tsx";
import { ImageIcon } from "./icon.tsx";
import { useOf } from "./own.ts";

export type PublicImage = Schemas["PublicImage"];

interface ImageTileProps {
  readonly image: PublicImage;
  readonly isOwned: boolean;
  readonly onGet: (image: PublicImage) => void;
}

/** An image of the catalogue, with its price and what others think of it. */
export const ImageTile = ({ image, isOwned, onGet }: ImageTileProps) => (
  <li className="card image-tile">
    <header>
      <ImageIcon id={image.id} />
      <div>
        <h3>{image.alias}</h3>
        <p className="hint">
          {image.os} {image.release} · {image.architecture}
        </p>
      </div>
    </header>
    <p>{image.description}</p>
    <p className="hint">{ratingOf(image)}</p>
    <footer>
      <strong>{image.price === 0 ? "free" : formatMoney(image.price)}</strong>
      {isOwned ? (
        <Status tone="good">in your library</Status>
      ) : (
        <span className="with-actions">
          {image.price === 0 && <ButtonLink to={useOf(image.id)}>Use</ButtonLink>}
          <Button aria-label={`${verbOf(image)} ${image.alias}`} onPress={() => onGet(image)}>
            {verbOf(image)}
          </Button>
        </span>
      )}
    </footer>
  </li>
);

export const verbOf = ({ price }: PublicImage) => (price === 0 ? "Import" : "Buy");

export const ratingOf = ({ average_rating, rating_count }: PublicImage) =>
  rating_count === 0
    ? "not rated yet"
    : `★ ${average_rating.toLocaleString()} of 5 (${formatNumber(rating_count)})`;
