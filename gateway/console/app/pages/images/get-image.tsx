import { api } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { useBalances } from "../../lib/reads.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { type PublicImage, verbOf } from "./image-tile.tsx";

/** Brings an image into the library; one that costs something is paid for, and its price said before. */
export function GetImage({ image, onClose }: { image: PublicImage; onClose: () => void }) {
  const { id, alias, price } = image;
  const balance = useBalances().data?.general_balance;
  const isFree = price === 0;
  const params = { params: { path: { id } } };
  return (
    <Confirm
      title={`${verbOf(image)} ${alias}?`}
      action={isFree ? "Import" : `Pay ${formatMoney(price)}`}
      onClose={onClose}
      onConfirm={() =>
        perform(
          `${alias} is in your library`,
          () =>
            isFree
              ? api.POST("/api/v1/images/import/{id}", params)
              : api.POST("/api/v1/images/purchase/{id}", params),
          ["images"],
          ["wallet"],
        )
      }
      command={{
        method: "POST",
        path: `/api/v1/images/${isFree ? "import" : "purchase"}/${id}`,
        berth: ["image", "add", alias, ...(isFree ? [] : ["--max-charge", price.toFixed(2)])],
      }}
    >
      {isFree ? (
        <p>It costs nothing. You can then run containers of it.</p>
      ) : (
        <p>
          {formatMoney(price)} are taken from your balance once
          {balance === undefined ? "" : `, which is ${formatMoney(balance)} now`}. You can then run as many
          containers of it as you like, also when it leaves the catalogue.
        </p>
      )}
    </Confirm>
  );
}
