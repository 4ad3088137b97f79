import { expect, test } from "bun:test";
import { serializeResponseHead } from "../../../agents/http1/response.ts";
import { ERROR_STATUS } from "../../../schemas/errors.ts";

test.each([...new Set([200, 204, 303, ...Object.values(ERROR_STATUS)])])(
  "status %d has a reason in its line",
  (status) => {
    expect(serializeResponseHead(status, {}).toString()).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [A-Z][A-Za-z ]+\r\n`),
    );
  },
);
