import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ImageIcon } from "../images/icon.tsx";
import { ImageForm } from "./image-form.tsx";
import { OperatorHead } from "./tabs.tsx";

type Image = Schemas["CatalogueImage"];
export const CATALOGUE_KEY = ["images", "operator"] as const;

/** The catalogue as its operator sees it, with what is not public. */
export default function CataloguePage() {
  const [edited, setEdited] = useState<Image | "new">();
  const [deleted, setDeleted] = useState<Image>();
  const query = useList(CATALOGUE_KEY, async (cursor) => {
    const { images, pagination } = await dataOf(
      api.GET("/api/v1/admin/images", { params: { query: from(cursor) } }),
    );
    return { items: images, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead>
        <Button look="primary" icon="plus" onPress={() => setEdited("new")}>
          Add an image
        </Button>
      </OperatorHead>
      <LoadedList
        query={query}
        empty={
          <Empty icon="image" title="The catalogue is empty">
            Add an image that users import or buy, and make containers of.
          </Empty>
        }
      >
        {(images) => (
          <Table
            caption="Images"
            columns={columnsOf(setEdited, setDeleted)}
            rows={images}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {edited && (
        <ImageForm {...(edited === "new" ? {} : { image: edited })} onClose={() => setEdited(undefined)} />
      )}
      {deleted && <DeleteImage image={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

const columnsOf = (
  onEdit: (image: Image) => void,
  onDelete: (image: Image) => void,
): readonly Column<Image>[] => [
  {
    title: "Image",
    cell: ({ id, alias }) => (
      <span className="with-icon">
        <ImageIcon id={id} />
        <strong>{alias}</strong>
      </span>
    ),
  },
  {
    title: "Made of",
    cell: ({ reference, image_name }) => <code>{reference || image_name}</code>,
    isMinor: true,
  },
  {
    title: "State",
    cell: (image) => (
      <Status tone={image.public ? "good" : "idle"}>{image.public ? "public" : "hidden"}</Status>
    ),
  },
  { title: "On hosts", cell: (image) => <Prepared image={image} /> },
  { title: "Price", cell: ({ price }) => (price === 0 ? "free" : formatMoney(price)), isFigure: true },
  {
    title: "Change",
    isActions: true,
    cell: (image) => (
      <>
        <Button
          look="quiet"
          aria-label={`${image.public ? "Hide" : "Publish"} ${image.alias}`}
          onPress={() => publish(image)}
        >
          {image.public ? "Hide" : "Publish"}
        </Button>
        <Button look="quiet" aria-label={`Change ${image.alias}`} onPress={() => onEdit(image)}>
          Change
        </Button>
        <Button look="remove" aria-label={`Delete ${image.alias}`} onPress={() => onDelete(image)}>
          Delete
        </Button>
      </>
    ),
  },
];

/** How far the hosts are with an image that they keep ready. */
function Prepared({ image: { prespawn, prepared } }: { image: Image }) {
  if (!prespawn) return "pulled when needed";
  const { ready, pulling, error, reason } = prepared;
  if (error > 0)
    return (
      <span title={reason ?? ""}>
        <Status tone="bad">{`${error} of ${ready + pulling + error} cannot pull it`}</Status>
      </span>
    );
  return <Status tone={pulling > 0 ? "busy" : "good"}>{`ready on ${ready} of ${ready + pulling}`}</Status>;
}

const publish = (image: Image) =>
  act(
    image.public ? `${image.alias} is hidden` : `${image.alias} is public`,
    () =>
      api.PATCH("/api/v1/admin/images/{id}", {
        params: { path: { id: image.id } },
        body: { public: !image.public },
      }),
    ["images"],
  );

const DeleteImage = ({ image: { id, alias }, onClose }: { image: Image; onClose: () => void }) => (
  <Confirm
    title={`Delete ${alias}?`}
    action="Delete the image"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        `${alias} is deleted`,
        () => api.DELETE("/api/v1/admin/images/{id}", { params: { path: { id } } }),
        ["images"],
      )
    }
    command={{
      method: "DELETE",
      path: `/api/v1/admin/images/${id}`,
      berth: ["admin", "images", "delete", id],
    }}
  >
    <p>Nobody can import or buy it any more.</p>
  </Confirm>
);
