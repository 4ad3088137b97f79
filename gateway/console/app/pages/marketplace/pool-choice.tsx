import { usePools } from "../../lib/reads.ts";
import { ChoiceField } from "../../ui/field.tsx";

/** Whose server it is to be. Nothing is asked of who has no pool but the default one. */
export function PoolChoice({ chosen = "" }: { chosen?: string | undefined }) {
  const { data = [] } = usePools();
  const own = data.filter(({ role, is_default }) => role === "owner" && !is_default);
  if (own.length === 0) return null;
  return (
    <ChoiceField
      label="Pool"
      name="pool_id"
      defaultValue={String(chosen)}
      hint="Its members may use the server."
      choices={[
        { value: "", label: "Default: yours alone" },
        ...own.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
