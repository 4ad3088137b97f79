import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../../agents/pipe/http/connection.ts";
import { socketHandlers } from "../../../agents/pipe/server.ts";
import { PipeService } from "../../../agents/pipe/service.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { curl } from "./pipe-server.ts";
import { RawClient } from "./raw-client.ts";

describe("mounted on a listener that reads a request's begin before it knows for whom it is", () => {
  const services: Readonly<Record<string, PipeService>> = {
    "a.test": new PipeService(),
    "b.test": new PipeService(),
  };
  interface Routed {
    early: Buffer;
    service?: PipeService;
    connection?: Connection | undefined;
  }
  const listener = Bun.listen<Routed>({
    hostname: "127.0.0.1",
    port: 0,
    allowHalfOpen: true,
    socket: {
      open(socket) {
        socket.data = { early: Buffer.alloc(0) };
      },
      data(socket, bytes) {
        const { data } = socket;
        if (data.service !== undefined) {
          data.connection?.received(bytes);
          return;
        }
        data.early = Buffer.concat([data.early, bytes]);
        const service = services[/\r\nHost: (\S+)\r\n/.exec(data.early.toString("latin1"))?.[1] ?? ""];
        if (service === undefined) return;
        data.service = service;
        data.connection = service.connect(socket);
        data.connection?.received(data.early);
      },
      end: ({ data }) => data.connection?.receivedEnd(),
      drain: ({ data }) => data.connection?.drained(),
      close({ data }) {
        if (data.connection !== undefined) data.service?.disconnect(data.connection);
      },
    },
  });
  afterAll(() => {
    listener.stop(true);
    for (const service of Object.values(services)) service.close();
  });

  const request = async (host: string, text: string) =>
    (await RawClient.connect(listener.port)).send(text.replace("HOST", `Host: ${host}`));

  test("each service has paths of its own", async () => {
    const receivers = await Promise.all(
      ["a.test", "b.test"].map((host) => request(host, "GET /api/v1/pipe/x HTTP/1.1\r\nHOST\r\n\r\n")),
    );
    for (const host of ["b.test", "a.test"]) {
      await request(host, `POST /api/v1/pipe/x HTTP/1.1\r\nHOST\r\nContent-Length: 6\r\n\r\n${host}`);
    }
    for (const [at, host] of ["a.test", "b.test"].entries()) {
      expect((await receivers[at]?.response())?.body.toString()).toBe(host);
    }
  });
});

describe.skipIf(lacks("openssl"))("over TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "berth-pipe-"));
  const file = (name: string) => join(folder, name);
  Bun.spawnSync([
    ..."openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(
      " ",
    ),
    "-keyout",
    file("key"),
    "-out",
    file("cert"),
  ]);
  const service = new PipeService({ scheme: "https" });
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    allowHalfOpen: true,
    tls: { key: readFileSync(file("key")), cert: readFileSync(file("cert")) },
    socket: socketHandlers(service),
  });
  afterAll(() => {
    listener.stop(true);
    service.close();
    rmSync(folder, { recursive: true });
  });
  const url = (path: string) => `https://127.0.0.1:${listener.port}/api/v1/pipe/${path}`;
  const large = process.execPath;

  test("a large file arrives whole, and each is told so", async () => {
    const sender = curl("-k", "-T", large, url("x"));
    const receiver = curl("-k", "-f", "-o", file("received"), url("x"));
    expect((await receiver.done()).code).toBe(0);
    expect((await sender.done()).text).toEndWith("[INFO] Transfer complete.\n");
    expect(Bun.hash(readFileSync(file("received")))).toBe(Bun.hash(readFileSync(large)));
  });

  test.each(["Transfer-Encoding: chunked", "X-Nothing: 1"])(
    "a sender that is killed (%s) is no clean end",
    async (line) => {
      for (const version of ["--http1.1", "--http1.0"]) {
        const receiver = curl("-k", version, "-o", file("part"), url("y"));
        const sender = curl("-k", "--limit-rate", "1M", "-T", large, "-H", line, url("y"));
        await until(() => Bun.file(file("part")).exists());
        sender.kill();
        expect((await receiver.done()).code).not.toBe(0);
        rmSync(file("part"));
      }
    },
  );

  test("the help has the URL with https", async () => {
    const help = await curl("-k", `https://127.0.0.1:${listener.port}/help`).done();
    expect(help.text).toContain(`curl -T file.bin https://127.0.0.1:${listener.port}/api/v1/pipe/`);
  });
});
