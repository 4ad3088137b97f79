import { dlopen, FFIType, ptr } from "bun:ffi";
import { connect, type Socket } from "node:net";

/** Runs in a network namespace of its own and does what it is asked on stdin, a JSON line each: see peer.ts. */

export type Ask =
  | { do: "listen"; protocol: "tcp" | "udp"; port: number }
  | { do: "name-server"; address: string }
  | { do: "askers" }
  | { do: "stream"; port: number }
  | { do: "subscribe"; host: string; port: number }
  | { do: "streamed"; which: "sent" | "come" }
  | { do: "tcp"; host: string; port: number; from?: number }
  | { do: "udp"; host: string; port: number }
  | { do: "send"; host: string; port: number; as: string }
  | { do: "heard"; from: string }
  | { do: "icmp"; host: string; type: number }
  | { do: "open"; host: string; port: number }
  | { do: "say"; text: string };

/** How long silence must last to count as a dropped packet: nothing here is further than a link away. */
const SILENCE_MS = 400;
/** In so many turns of the event loop: a process that stood still meanwhile has its answers already, and not seen them yet. */
const SILENCE_TURNS = 8;

/** Between two packets of a stream. */
const STREAM_MS = 5;

let held: Socket | undefined;
/** Packets of streams. */
const streamed = { sent: 0, come: 0 };
const heard = new Map<string, number>();

async function answer(ask: Ask): Promise<string> {
  switch (ask.do) {
    case "listen":
      return listen(ask.protocol, ask.port);
    case "name-server":
      return serveNames(ask.address);
    case "askers":
      return [...heard.keys()].join(" ");
    case "stream":
      return stream(ask.port);
    case "subscribe":
      return subscribe(ask.host, ask.port);
    case "streamed":
      return String(streamed[ask.which]);
    case "tcp": {
      const { outcome, socket } = await dial(ask.host, ask.port, ask.from);
      socket.destroy();
      return outcome;
    }
    case "open": {
      const { outcome, socket } = await dial(ask.host, ask.port);
      held = socket;
      return outcome;
    }
    case "say":
      return say(ask.text);
    case "udp":
      return udp(ask.host, ask.port);
    case "send": {
      const socket = await Bun.udpSocket({ hostname: ask.as });
      socket.send("hello", ask.port, ask.host);
      socket.close();
      return "sent";
    }
    case "heard":
      return String(heard.get(ask.from) ?? 0);
    case "icmp":
      return icmp(ask.host, ask.type);
  }
}

async function listen(protocol: "tcp" | "udp", port: number): Promise<string> {
  if (protocol === "tcp") {
    Bun.listen({ hostname: "0.0.0.0", port, socket: { data: (socket, bytes) => void socket.write(bytes) } });
  } else {
    await Bun.udpSocket({
      hostname: "0.0.0.0",
      port,
      socket: {
        data(socket, bytes, from, address) {
          heard.set(address, (heard.get(address) ?? 0) + 1);
          socket.send(bytes, from, address);
        },
      },
    });
  }
  return "listening";
}

/** Whoever sends one packet is sent packets from then on. */
async function stream(port: number): Promise<string> {
  await Bun.udpSocket({
    hostname: "0.0.0.0",
    port,
    socket: {
      data(socket, bytes, from, address) {
        setInterval(() => {
          streamed.sent += 1;
          socket.send(bytes, from, address);
        }, STREAM_MS);
      },
    },
  });
  return "listening";
}

async function subscribe(host: string, port: number): Promise<string> {
  const socket = await Bun.udpSocket({
    socket: {
      data() {
        streamed.come += 1;
      },
    },
  });
  socket.send("more", port, host);
  return "sent";
}

/** Says of every name that it has this address, and that is all. */
async function serveNames(address: string): Promise<string> {
  await Bun.udpSocket({
    hostname: "0.0.0.0",
    port: 53,
    socket: {
      data(socket, query, port, from) {
        heard.set(from, (heard.get(from) ?? 0) + 1);
        const questionEnd = query.indexOf(0, 12) + 5;
        const isAddress = query.readUInt16BE(questionEnd - 4) === 1;
        const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0]);
        query.copy(header, 0, 0, 2);
        const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)];
        const parts = [header, query.subarray(12, questionEnd), Buffer.from(isAddress ? answer : [])];
        socket.send(Buffer.concat(parts), port, from);
      },
    },
  });
  return "listening";
}

function afterSilence(act: () => void): () => void {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns < SILENCE_TURNS) return;
    clearInterval(timer);
    act();
  }, SILENCE_MS / SILENCE_TURNS);
  return () => clearInterval(timer);
}

function dial(host: string, port: number, from?: number): Promise<{ outcome: string; socket: Socket }> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(from === undefined ? {} : { localPort: from }) });
    const cancel = afterSilence(() => resolve({ outcome: "silence", socket }));
    const finish = (outcome: string) => {
      cancel();
      resolve({ outcome, socket });
    };
    socket.once("connect", () => finish("open"));
    socket.on("error", (error) => finish("code" in error ? String(error.code) : error.message));
  });
}

function say(text: string): Promise<string> {
  return new Promise((resolve) => {
    const cancel = afterSilence(() => resolve("silence"));
    const finish = (outcome: string) => {
      cancel();
      resolve(outcome);
    };
    held?.once("data", (bytes) => finish(bytes.toString()));
    held?.once("close", () => finish("closed"));
    held?.write(text);
  });
}

function udp(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = Bun.udpSocket({
      connect: { hostname: host, port },
      socket: {
        data: () => finish("echo"),
        error: () => finish("refused"),
      },
    });
    const cancel = afterSilence(() => finish("silence"));
    const finish = (outcome: string) => {
      cancel();
      resolve(outcome);
      socket.then((open) => open.close());
    };
    socket.then((open) => open.send("hello"));
  });
}

/** Sends an ICMP message through a raw socket, since not every machine has ping, and tells what comes back. */
function icmp(host: string, type: number): string {
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    sendto: {
      args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i64,
    },
    recv: { args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i64 },
    poll: { args: [FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  });
  const socket = libc.socket(2, 3, 1);
  const message = new Uint8Array(type === 13 ? 20 : 8);
  message.set([type, 0, 0, 0, 0x42, 0x42, 0, 1]);
  const sum = checksum(message);
  message.set([sum >> 8, sum & 255], 2);
  const to = new Uint8Array([2, 0, 0, 0, ...host.split(".").map(Number), 0, 0, 0, 0, 0, 0, 0, 0]);
  libc.sendto(socket, ptr(message), message.length, 0, ptr(to), to.length);

  const limit = performance.now() + SILENCE_MS;
  const poll = new Int32Array([socket, 1]);
  const packet = new Uint8Array(1500);
  let outcome = "silence";
  while (outcome === "silence" && libc.poll(ptr(poll), 1, Math.max(0, limit - performance.now())) > 0) {
    libc.recv(socket, ptr(packet), packet.length, 0);
    const from = packet.slice(12, 16).join(".");
    const [kind, code] = packet.slice(((packet[0] ?? 0) & 15) * 4);
    if (kind === 3) outcome = `unreachable ${code}`;
    else if (from === host && kind !== type) outcome = "reply";
  }
  libc.close(socket);
  return outcome;
}

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

process.stdout.write("up\n");
for await (const line of console) process.stdout.write(`${await answer(JSON.parse(line))}\n`);
