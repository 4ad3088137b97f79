import { api, type Schemas } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Confirm } from "../../ui/dialog.tsx";

/** Gives a rental up before its end. */
export function EndDialog({
  rental: { id, server_name, rental_end, awaits_delivery },
  onClose,
}: {
  rental: Schemas["Rental"];
  onClose: () => void;
}) {
  const body = { expected_rental_end: rental_end };
  return (
    <Confirm
      title={`End the rental of ${server_name}?`}
      action="End the rental"
      isDangerous
      onClose={onClose}
      onConfirm={() =>
        perform(
          "The rental has ended",
          () => api.POST("/api/v1/rentals/{id}/end", { params: { path: { id } }, body }),
          ["rentals"],
          ["containers"],
          ["wallet"],
        )
      }
      command={{
        method: "POST",
        path: `/api/v1/rentals/${id}/end`,
        body,
        berth: ["servers", "end", server_name],
      }}
    >
      {awaits_delivery ? (
        <p>
          It was not delivered yet. All that you paid for it returns to your balance, with the setup fee. This
          cannot be undone.
        </p>
      ) : (
        <>
          <p>It is paid until {formatDateTime(rental_end)}. Nothing is refunded.</p>
          <p>
            What runs there is stopped now. Its containers and storage shares are deleted after a time of
            grace. This cannot be undone.
          </p>
        </>
      )}
    </Confirm>
  );
}
