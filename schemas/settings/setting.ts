import { type TSchema, Type } from "@sinclair/typebox";

/** Who reads a setting. `berth` is the command line, `start` is `npm start`. */
export const ROLES = ["gateway", "actors", "agent", "services", "start", "berth"] as const;
export type Role = (typeof ROLES)[number];

/** A setting of the environment, or of the file that BERTH_CONFIG names (docs/settings.md). */
export interface Setting {
  readonly name: string;
  readonly roles: readonly Role[];
  /** What its text is read as. */
  readonly type: TSchema;
  /** The value of an unset one, as one would write it. */
  readonly standard?: string;
  /** The same in words, where it depends on something. */
  readonly standardIs?: string;
  /** In Markdown, from the folder docs/. */
  readonly meaning: string;
  /** Never printed. */
  readonly isSecret?: true;
}

export const Text = Type.String();
export const Whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const Decimal = (minimum: number, maximum: number) => Type.Number({ minimum, maximum });
export const Word = (...words: string[]) => Type.Union(words.map((word) => Type.Literal(word)));
export const File = Type.String({ description: "file" });
export const Url = Type.String({ description: "URL" });
export const PostgresUrl = Type.String({ pattern: "^postgres(ql)?://", description: "URL of a PostgreSQL" });
export const List = Type.String({ description: "list, separated by commas" });
export const Port = Whole(0, 65_535);
