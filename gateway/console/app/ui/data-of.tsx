/** What a record of a log says, each value with its name. */
export const DataOf = ({ data }: { data: Readonly<Record<string, unknown>> }) => (
  <ul className="data-of">
    {Object.entries(data)
      .filter(([, value]) => value !== null && value !== "")
      .map(([name, value]) => (
        <li key={name}>
          <span>{name.replaceAll("_", " ")}</span> {typeof value === "string" ? value : JSON.stringify(value)}
        </li>
      ))}
  </ul>
);
