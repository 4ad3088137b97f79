import type { UseQueryResult } from "@tanstack/react-query";
import { act } from "../../lib/actions.ts";
import { api, type Schemas } from "../../lib/api.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ImageIcon } from "./icon.tsx";
import { ratingOf } from "./image-tile.tsx";
import { useOf } from "./own.ts";

type UserImage = Schemas["UserImage"];

/** What the user may run: use it, and say what it is worth. */
export const OwnImages = ({ query }: { query: UseQueryResult<UserImage[]> }) => (
  <Section title="Your library">
    <Loaded query={query} rows={2}>
      {(images) =>
        images.length === 0 ? (
          <p className="hint">Images that you import or buy from the catalogue below are kept here.</p>
        ) : (
          <Table caption="Your library" columns={COLUMNS} rows={images} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  </Section>
);

const COLUMNS: readonly Column<UserImage>[] = [
  {
    title: "Image",
    cell: ({ id, alias }) => (
      <span className="with-icon">
        <ImageIcon id={id} />
        <strong>{alias}</strong>
      </span>
    ),
  },
  { title: "From", cell: ({ source }) => source },
  { title: "Rating", cell: (image) => ratingOf({ ...image, added_date: image.created_at }) },
  { title: "Your rating", cell: (image) => <RatingChoice image={image} /> },
  {
    title: "Use",
    isActions: true,
    cell: ({ id }) => <ButtonLink to={useOf(id)}>Use</ButtonLink>,
  },
];

const STARS = ["1", "2", "3", "4", "5"];

const RatingChoice = ({ image: { id, alias, user_rating } }: { image: UserImage }) => {
  const chosen = user_rating === null ? "" : String(user_rating);
  return (
    <select
      className="rating"
      aria-label={`Your rating of ${alias}`}
      value={chosen}
      onChange={({ target }) => void rate(id, Number(target.value))}
    >
      {chosen === "" && <option value="">none</option>}
      {[...new Set([...STARS, ...(chosen === "" ? [] : [chosen])])].map((stars) => (
        <option key={stars} value={stars}>
          ★ {stars}
        </option>
      ))}
    </select>
  );
};

const rate = (id: string, rating: number) =>
  act(
    "Thank you for the rating",
    () => api.POST("/api/v1/images/rate/{id}", { params: { path: { id } }, body: { rating } }),
    ["images"],
  );
