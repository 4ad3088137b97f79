import { useState } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { useFilters, useList } from "../../lib/lists.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, Section } from "../../ui/page.tsx";
import { GetImage } from "./get-image.tsx";
import { ImageTile, type PublicImage } from "./image-tile.tsx";
import { useOwnImages } from "./own.ts";
import { OwnImages } from "./own-images.tsx";
import { ImagesHead } from "./tabs.tsx";

const SORTS = [
  { value: "", label: "newest first" },
  { value: "rating", label: "best rated first" },
  { value: "price", label: "most expensive first" },
  { value: "alias", label: "by name" },
];

/** The library of the user, and the catalogue that fills it. */
export default function ImagesPage() {
  const [filters, change] = useFilters(["search", "sort_by"]);
  const [wanted, setWanted] = useState<PublicImage>();
  const own = useOwnImages();
  const owned = new Set(own.data?.map(({ id }) => id));
  const query = useList(["images", "catalogue", filters], async (cursor) => {
    const page = { ...filters, ...(cursor === undefined ? {} : { cursor }) } as { sort_by?: "alias" };
    const { images, pagination } = await dataOf(
      api.GET("/api/v1/images/public", { params: { query: page } }),
    );
    return { items: images, next: pagination.next_cursor };
  });
  return (
    <>
      <ImagesHead />
      <OwnImages query={own} />
      <Section title="Catalogue">
        <search className="filters" aria-label="Catalogue">
          <Field
            label="Search"
            type="search"
            value={filters.search ?? ""}
            onChange={(search) => change({ search })}
            placeholder="debian"
          />
          <ChoiceField
            label="Sorted"
            value={filters.sort_by ?? ""}
            onChange={(sort_by) => change({ sort_by })}
            choices={SORTS}
          />
        </search>
        <LoadedList query={query} empty={<NoImages isFiltered={filters.search !== undefined} />}>
          {(images) => (
            <ul className="tiles">
              {images.map((image) => (
                <ImageTile key={image.id} image={image} isOwned={owned.has(image.id)} onGet={setWanted} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Section>
      {wanted && <GetImage image={wanted} onClose={() => setWanted(undefined)} />}
    </>
  );
}

const NoImages = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon="image" title={isFiltered ? "No such image" : "The catalogue is empty"}>
    {isFiltered
      ? "No name, description or tag contains this."
      : "Your operator has not added any yet. A container can be made from any public image by its reference."}
  </Empty>
);
