import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serviceUrls } from "../../../schemas/addresses.ts";
import type { DesiredContainer } from "../../../schemas/hosting/desired.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { type Agent, type AgentOptions, cleanUp, recordOf, startAgent } from "../agent-process.ts";
import { testSubnet } from "../containers/specs.ts";
import { type ControlPlane, controlPlane } from "../control-plane.ts";
import { DOMAIN, type Signer, signer } from "../edge/edge-under-test.ts";
import { newId } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";
import { countTo, endProcess, isAlive, numbersIn, ptyHostOf } from "../terminal/pty-host/hosted-service.ts";
import { TestClient } from "../terminal/service.ts";

const SERVER = "node-9";

describe.skipIf(lacks("root", "ip", "unshare", "nsenter", "setpriv"))(
  "terminals of containers and the agent",
  () => {
    let plane: ControlPlane;
    let options: AgentOptions;
    let agent: Agent;
    let signs: Signer;
    const user = newId();
    let wanted: DesiredContainer = {
      revision: 1,
      server_name: SERVER,
      id: newId(),
      project_id: newId(),
      name: "web",
      state: "running",
      generation: 0,
      command: [],
      grants: [user],
    };
    const { id } = wanted;

    beforeAll(async () => {
      plane = await controlPlane(SERVER);
      signs = await signer();
      options = {
        natsUrl: plane.nats.agentUrl(SERVER),
        server: SERVER,
        data: join(temporaryFolder(), "agent"),
        driver: "oci",
        subnet: testSubnet(10),
        edgePort: await freePort(),
      };
      // The control plane's keys as the agent kept them.
      mkdirSync(join(options.data, "edge"), { recursive: true });
      writeFileSync(join(options.data, "edge", "jwks.json"), signs.jwks);
      await start();
      await plane.want(wanted);
      await plane.reported(id, "running");
    });
    afterAll(async () => {
      if (!options) return;
      await agent?.kill();
      await endProcess(ptyHostOf(options.data), "SIGTERM");
      await cleanUp(options);
      await plane.close();
    });

    const start = async (atEnd: "leave" | "stop" = "leave") => {
      agent = startAgent({ ...options, atEnd });
      await agent.ready().catch((cause) => {
        throw new Error(`the agent is not ready: ${JSON.stringify(agent.lines)}`, { cause });
      });
    };
    const want = async (change: Partial<DesiredContainer>) => {
      wanted = { ...wanted, ...change, revision: wanted.revision + 1 };
      await plane.want(wanted);
      await plane.reported(id, wanted.state, wanted.revision);
    };

    const ask = async (path: string, init: RequestInit = {}) => {
      const address = serviceUrls(wanted, { containerDomain: DOMAIN, httpsPort: options.edgePort ?? 0 });
      const { host, origin } = new URL(address.terminal);
      const credential = { authorization: `Bearer ${await signs.forContainer(user, id)}`, host };
      const at = `https://127.0.0.1:${options.edgePort}`;
      const response = await fetch(at + path, {
        keepalive: false,
        tls: { rejectUnauthorized: false },
        ...init,
        headers: { ...credential, origin },
      } as RequestInit);
      return {
        response,
        attach: (token: string) => TestClient.attach(at, token, undefined, { ...credential, origin }),
      };
    };
    const open = async (query: string) => {
      // A container that was being started when its agent was killed is started again.
      const { response, attach } = await until(async () => {
        const answer = await ask(`/${query}`);
        return answer.response.ok && answer;
      });
      const client = await attach(/"token":"([^"]+)"/.exec(await response.text())?.[1] ?? "");
      sharedWatchdog().watch(ptyHostOf(options.data), "TERM");
      // What is typed before a relay has set up its terminal may be lost.
      await client.shows("#");
      return client;
    };
    const comeBack = async (session: number) => {
      const { response, attach } = await ask(`/api/v1/terminal/sessions/${session}/tokens`, {
        method: "POST",
        body: '{"readonly":false}',
      });
      expect(response.status).toBe(200);
      return attach(((await response.json()) as { token: string }).token);
    };

    test("a session goes on when the agent is killed or restarted: the same shell, each byte once, and it can be ended", async () => {
      const client = await open("?terminal_id=1&shell=sh");
      client.type(
        "cd /srv; mark=kept; n=0; while [ $n -lt 300 ]; do n=$((n+1)); echo n$n; sleep 0.02; done; echo all''shown\n",
      );
      await client.shows("n20");
      for (const end of [() => agent.kill(), () => agent.stop()]) {
        await end();
        await start();
      }
      const again = await comeBack(1);
      await again.shows("allshown");
      expect(numbersIn(again.text)).toEqual(countTo(300));
      again.type("echo $mark in $(pwd) at $(hostname) $(tty)\n");
      await again.shows("kept in /srv at web /dev/pts/");
      // Files go to where its shell is: the agent has found its process again.
      const { response } = await ask("/api/v1/terminal/sessions/1/files?path=/etc/hostname");
      expect(await response.text()).toBe("web\n");
      again.type("sleep 1000\n");
      const { response: ended } = await ask("/api/v1/terminal/sessions/1", { method: "DELETE" });
      expect(ended.status).toBe(204);
      await until(() => again.exit);
      await until(() => inContainer("sleep 1000").length === 0);
    });

    test("a session of a PTY host that hangs while the agent starts is there when the PTY host answers", async () => {
      const client = await open("?terminal_id=6&shell=sh");
      client.type("mark=kept; echo re''ady\n");
      await client.shows("ready");
      await agent.kill();
      const ptyHost = ptyHostOf(options.data);
      const numbers = async () => {
        const { response } = await ask("/api/v1/terminal/sessions");
        const { sessions } = (await response.json()) as { sessions: { id: number }[] };
        return sessions.map(({ id }) => id);
      };
      process.kill(ptyHost, "SIGSTOP");
      try {
        await start();
        expect(await numbers()).not.toContain(6);
      } finally {
        process.kill(ptyHost, "SIGCONT");
      }
      await until(async () => (await numbers()).includes(6));
      const again = await comeBack(6);
      again.type("echo is $mark\n");
      await again.shows("is kept");
      again.type("exit\n");
      await until(() => again.exit);
    });

    test("what was told to end is ended in the container by the next agent, when the agent was killed before it had ended", async () => {
      const client = await open("?terminal_id=5&shell=sh");
      client.type("exec sh -c 'trap \"\" HUP; while :; do sleep 0.5; done' deaf\n");
      const deaf = () => inContainer("sh -c trap");
      await until(() => deaf().length === 1);
      const { response: ended } = await ask("/api/v1/terminal/sessions/5", { method: "DELETE" });
      expect(ended.status).toBe(204);
      await agent.kill();
      await start();
      const { response } = await ask("/api/v1/terminal/sessions");
      const { sessions } = (await response.json()) as { sessions: { id: number }[] };
      expect(sessions.map((one) => one.id)).not.toContain(5);
      await until(() => deaf().length === 0);
    });

    test("a PTY host that is killed leaves nothing in the container, also when the agent is killed with it", async () => {
      for (const withAgent of [false, true]) {
        const client = await open("?terminal_id=2&shell=sh");
        client.type("sleep 1001\n");
        await until(() => inContainer("sleep 1001").length > 0);
        if (withAgent) await agent.kill();
        await endProcess(ptyHostOf(options.data), "SIGKILL");
        if (!withAgent) {
          await until(() => client.exit);
          expect(client.exit).toMatchObject({ reason: "the process that held it was ended" });
        }
        await until(() => inContainer("sleep 1001").length === 0 && inContainer("script").length === 0);
        if (withAgent) await start();
      }
      const client = await open("?terminal_id=2&shell=sh");
      client.type("echo an''ew\n");
      await client.shows("anew");
      client.close();
    });

    test("a container that stops ends its sessions, also while the agent is away", async () => {
      const client = await open("?terminal_id=3&shell=sh");
      client.type("echo re''ady\n");
      await client.shows("ready");
      await want({ state: "stopped" });
      await until(() => client.exit);
      await want({ state: "running" });

      const next = await open("?terminal_id=3&shell=sh");
      next.type("echo an''ew\n");
      await next.shows("anew");
      const ptyHost = ptyHostOf(options.data);
      await agent.kill();
      process.kill(recordOf(options.data, id)?.init?.pid ?? 0, "SIGKILL");
      await start();
      // Of a container that was started again nothing goes on.
      await until(async () => (await ask("/api/v1/terminal/sessions")).response.ok);
      const { response } = await ask("/api/v1/terminal/sessions");
      expect(await response.json()).toEqual({ sessions: [] });
      expect(ptyHostOf(options.data)).toBe(ptyHost);
    });

    test("an agent that is told to end all ends the PTY host and what it holds", async () => {
      await agent.kill();
      await start("stop");
      const client = await open("?terminal_id=4&shell=sh");
      client.type("trap : HUP; sleep 1002\n");
      const [program = 0] = await until(() => {
        const found = inContainer("sleep 1002");
        return found.length > 0 && found.map(Number);
      });
      const ptyHost = ptyHostOf(options.data);
      expect(isAlive(ptyHost)).toBe(true);
      expect(await agent.stop()).toBe(0);
      expect(isAlive(ptyHost)).toBe(false);
      expect(isAlive(program)).toBe(false);
      await start();
    });

    /** Processes of the container whose command line begins with a text. */
    const inContainer = (text: string): string[] => {
      const namespaceOf = (pid: number | string) => link(`/proc/${pid}/ns/pid`);
      const own = namespaceOf(recordOf(options.data, id)?.init?.pid ?? 0);
      return readdirSync("/proc").filter(
        (pid) =>
          /^\d+$/.test(pid) &&
          read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").startsWith(text) &&
          isAlive(Number(pid)) &&
          own !== null &&
          namespaceOf(pid) === own,
      );
    };
  },
);

function link(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
