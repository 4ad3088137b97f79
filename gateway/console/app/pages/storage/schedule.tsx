import { useState } from "react";
import { api } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { When } from "../../ui/status.tsx";
import type { Share } from "./states.tsx";

/** The names of usual schedules, by their hours. */
const USUAL: Readonly<Record<number, string>> = {
  1: "every hour",
  6: "every 6 hours",
  12: "every 12 hours",
  24: "every day",
  168: "every week",
};
const KEPT = 7;
const KEPT_MAX = 15;

const periodOf = (hours: number): string => USUAL[hours] ?? `every ${plural(hours, "hour")}`;

/** When a share takes snapshots by itself. */
export function ScheduleInWords({
  share: { snapshot_schedule: schedule, next_snapshot_at: next },
}: {
  share: Share;
}) {
  if (schedule === null || next === null) return null;
  return (
    <p className="hint">
      Taken {periodOf(schedule.every_hours)}; the newest {formatNumber(schedule.keep)} of these stay. The next
      one: {new Date(next) <= new Date() ? "as soon as its host can" : <When at={next} />}.
    </p>
  );
}

/** Named as the API names what it refuses. */
const EVERY = "snapshot_schedule.every_hours";
const KEEP = "snapshot_schedule.keep";

const scheduleOf = ({ [EVERY]: every = "", [KEEP]: keep = "" }: Values) =>
  every === "" ? null : { every_hours: Number(every), keep: Number(keep) };

/** Sets or ends the times at which a share takes snapshots by itself. */
export function ScheduleSnapshots({ share, onClose }: { share: Share; onClose: () => void }) {
  const { id, name, snapshot_schedule: schedule } = share;
  const [every, setEvery] = useState(schedule === null ? "24" : String(schedule.every_hours));
  const hours = new Set([
    ...Object.keys(USUAL).map(Number),
    ...(schedule === null ? [] : [schedule.every_hours]),
  ]);
  const choices = [...hours].toSorted((a, b) => a - b);
  const bodyOf = (values: Values) => ({ snapshot_schedule: scheduleOf(values) });
  return (
    <Dialog title={`Schedule snapshots of ${name}`} onClose={onClose}>
      <Form
        submit="Save"
        onSubmit={async (values) => {
          await perform(
            scheduleOf(values) === null ? "No more snapshots are taken by schedule" : "The schedule is saved",
            () =>
              api.PATCH("/api/v1/storage-shares/{id}", { params: { path: { id } }, body: bodyOf(values) }),
            ["storage"],
          );
          onClose();
        }}
        command={(values) => ({
          method: "PATCH",
          path: `/api/v1/storage-shares/${id}`,
          body: bodyOf(values),
          berth: [
            ...["share", "snapshots", "schedule", name],
            ...(scheduleOf(values) === null
              ? ["--off"]
              : [...option("every", values[EVERY]), ...option("keep", values[KEEP])]),
          ],
        })}
      >
        <ChoiceField
          label="How often"
          name={EVERY}
          value={every}
          onChange={setEvery}
          choices={[
            { value: "", label: "never" },
            ...choices.map((value) => ({ value: String(value), label: periodOf(value) })),
          ]}
        />
        {every !== "" && (
          <Field
            label="How many to keep"
            name={KEEP}
            inputMode="numeric"
            defaultValue={String(schedule?.keep ?? KEPT)}
            isRequired
            hint={`1 to ${KEPT_MAX}. The oldest is deleted when a new one is ready. Snapshots that you take yourself stay.`}
          />
        )}
        <p className="hint">
          The first one is taken at once. Each needs room on the server's disk, as much as the files take.
        </p>
      </Form>
    </Dialog>
  );
}
