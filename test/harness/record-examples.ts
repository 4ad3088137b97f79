import { appendFileSync } from "node:fs";

/** A request that the running system answered, as a line of the file that `BERTH_RECORD_EXAMPLES` names. */
export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly reply: unknown;
}

const FILE = process.env.BERTH_RECORD_EXAMPLES;

/** Notes a call for `test/gateway/openapi/write-examples.ts`, where that was asked for. */
export function recordCall(call: RecordedCall): void {
  if (FILE !== undefined && call.status < 300) appendFileSync(FILE, `${JSON.stringify(call)}\n`);
}
