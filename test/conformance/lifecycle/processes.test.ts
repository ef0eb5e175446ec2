// Starting, stopping and reloading the real program.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { readStream, StreamReader } from "../../harness/event-stream.ts";
import { Folder } from "../../harness/folder.ts";
import { rootKey, spawnGateway, startGateway, startProcess } from "../../harness/gateway.ts";
import type { Gateway } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { completion, delta, usageChunk, Vendor, type VendorReply } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

/** The variables of a user who has set nothing. */
const untouched = { SLUICE_ROOT_KEY: "", SLUICE_ROOT_TOKEN: "", SLUICE_ROOT_PASSWORD: "" };

async function chatStatus(gateway: Gateway, model: string, key = rootKey): Promise<number> {
  return (await gateway.post("/v1/chat/completions", chatBody(model), key)).status;
}

/** Runs the program to its end, which must come by itself. */
async function runToEnd(environment: Record<string, string>, config?: string, folder?: string) {
  using own = new Folder();
  const options = { environment, ...(config !== undefined && { config }) };
  const child = spawnGateway(options, folder ?? own.path);
  const stuck = setTimeout(() => child.kill("SIGKILL"), 50_000);
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  clearTimeout(stuck);
  return { code, text: out + error };
}

describe("starting", () => {
  test("N17 hazard F16 the first start shows URL, password and key once; later ones keep all and show none", async () => {
    using folder = new Folder();
    keepOnFiles(folder.path);
    let key = "";
    {
      await using first = await startProcess({ folder: folder.path, environment: untouched });
      const { text } = await eventually("the greeting", async () =>
        first.output.includes("curl") ? { text: first.output } : undefined,
      );
      expect(text.split(first.url).length).toBeGreaterThan(1);
      const password = /Root password: (\S+)/.exec(text)?.[1] ?? "";
      key = /API key: (\S+)/.exec(text)?.[1] ?? "";
      expect(password.length).toBeGreaterThanOrEqual(16);
      expect(key).toMatch(/^sk-/);
      expect(await chatStatus(first, "chatA", key)).toBe(200);
      expect(await first.stop()).toBe(0);
      const entries = readdirSync(folder.path, { recursive: true, withFileTypes: true });
      for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
        const bytes = readFileSync(join(parentPath, name));
        expect(bytes.includes(key)).toBe(false);
        expect(bytes.includes(password)).toBe(false);
      }
      expect(statSync(join(folder.path, "secret")).mode & 0o077).toBe(0);
    }
    await using second = await startProcess({ folder: folder.path, environment: untouched });
    expect(await chatStatus(second, "chatA", key)).toBe(200);
    expect(second.output).not.toContain("password");
    expect(second.output).not.toContain("sk-");
  });

  test("N17 a restart keeps accounts, keys, channels, prices, balances and the log", async () => {
    using folder = new Folder();
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    const config = 'sandbox: "off"\n';
    let customer = { id: "", key: "", keyId: "" };
    {
      await using first = await startProcess({ folder: folder.path, config });
      await first.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
      await first.control("POST", "/api/price", { model: "m", call_micros: 70 });
      customer = await first.customer(1000, { quota_micros: 300 });
      expect(await chatStatus(first, "m", customer.key)).toBe(200);
      expect(await first.stop()).toBe(0);
    }
    await using second = await startProcess({ folder: folder.path, config });
    expect(await balanceOf(second, customer.id)).toMatchObject({
      quota_micros: 930,
      held_micros: 0,
      used_micros: 70,
    });
    const path = `/api/log?key=${customer.keyId}`;
    expect(await second.control<object>("GET", path)).toMatchObject({ total: 1 });
    expect(await chatStatus(second, "m", customer.key)).toBe(200);
    const key = await second.control<object>("GET", `/api/token/${customer.keyId}`);
    expect(key).toMatchObject({ used_micros: 140, quota_micros: 300 });
  });

  test("N17 hazard F16 a second process is refused though the lock is gone, also while the first is frozen", async () => {
    using folder = new Folder();
    keepOnFiles(folder.path);
    const { path } = folder;
    const lock = join(path, "lock");
    const refused = "another sluice process is using the data folder";
    await using first = await startProcess({ folder: path });
    rmSync(lock);
    expect(await runToEnd({}, undefined, path)).toMatchObject({
      code: 1,
      text: expect.stringContaining(refused),
    });
    // A command finds the gateway that runs, and begins none of its own.
    rmSync(lock, { force: true });
    const listed = await runCommand({ folder: path }, "user", "list");
    expect(listed).toMatchObject({ code: 0, error: "" });
    // The lock is taken anew by who has the folder, also without the file that names it.
    const named = readFileSync(join(path, "server.json"));
    rmSync(lock, { force: true });
    await eventually("a lock", async () => existsSync(lock) || undefined);
    rmSync(join(path, "server.json"));
    expect((await runToEnd({}, undefined, path)).text).toContain(refused);
    writeFileSync(join(path, "server.json"), named);
    first.signal("SIGSTOP");
    rmSync(lock);
    const besideFrozen = await runToEnd({}, undefined, path);
    first.signal("SIGCONT");
    expect(besideFrozen.text).toContain(refused);
    expect(await first.stop()).toBe(0);
  });

  test("N17 fault F1 what a killed process or a copy of the folder names keeps no other from starting", async () => {
    using folder = new Folder();
    using copy = new Folder();
    for (const { path } of [folder, copy]) keepOnFiles(path);
    const { path } = folder;
    await using first = await startProcess({ folder: path });
    // A copy of a gateway that runs names that one.
    cpSync(join(path, "server.json"), join(copy.path, "server.json"));
    await using beside = await startProcess({ folder: copy.path });
    expect(await beside.stop()).toBe(0);
    await first.kill();
    const state = JSON.parse(readFileSync(join(path, "server.json"), "utf8"));
    // Its number is another process's now, and its port another gateway's.
    await using other = await startProcess({ isOnFiles: true });
    const taken = { ...state, pid: process.pid, url: other.url };
    writeFileSync(join(path, "server.json"), JSON.stringify(taken));
    await using second = await startProcess({ folder: path });
    expect(await second.stop()).toBe(0);
  });

  test("N17 hazard F16 a second process on the same folder is refused and says why", async () => {
    using folder = new Folder();
    await using first = await startProcess({ folder: folder.path });
    const second = await runToEnd({}, undefined, folder.path);
    expect(second.code).toBe(1);
    expect(second.text).toContain("another sluice process is using the data folder");
    expect(second.text).not.toContain("    at ");
    expect(await chatStatus(first, "chatA")).toBe(200);
  });

  test("hazard E8 variables that change the runtime behind our back stop the start", async () => {
    const variables: [string, string][] = [
      ["ALL_PROXY", "http://127.0.0.1:9"],
      ["https_proxy", "socks5://127.0.0.1:9"],
      ["NODE_TLS_REJECT_UNAUTHORIZED", "0"],
      ["SLUICE_DATBASE_URL", "x"],
    ];
    const runs = variables.map(async ([name, value]) => {
      const { code, text } = await runToEnd({ [name]: value });
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(text).toContain(name);
    });
    await Promise.all(runs);
  });

  test("N17 a configuration with mistakes stops the start and names every line", async () => {
    const config = "server:\n  port: many\nchannels:\n  - name: a\n    prority: 3\nnonsense: 1\n";
    const { code, text } = await runToEnd({}, config);
    expect(code).toBe(1);
    expect(text).toContain("sluice.yaml:2:");
    expect(text).toContain("sluice.yaml:5:");
    expect(text).toContain("sluice.yaml:6:");
    expect(text).toContain("did you mean priority?");
  });

  test("N17 the sandbox serves until a channel is configured, and never when it is off", async () => {
    await using off = await startGateway({ environment: { SLUICE_SANDBOX: "off" } });
    expect(await chatStatus(off, "chatA")).toBe(503);
    await using auto = await startGateway();
    expect(await chatStatus(auto, "chatA")).toBe(200);
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    const { id } = await auto.control<{ id: string }>(
      "POST",
      "/api/channel",
      vendor.channel({ models: ["chatB"] }),
    );
    expect([await chatStatus(auto, "chatA"), await chatStatus(auto, "chatB")]).toEqual([503, 200]);
    expect(vendor.requests).toHaveLength(1);
    await auto.control("DELETE", `/api/channel/${id}`);
    expect(await chatStatus(auto, "chatA")).toBe(503);
  });

  test("N40 whoever has had a channel sells no sandbox, also after a restart; root may ask for it", async () => {
    using folder = new Folder();
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    const sandboxed = "sandbox/chatA";
    let customer = { key: "" };
    {
      await using first = await startGateway({ folder: folder.path });
      customer = await first.customer(100_000_000);
      expect(await chatStatus(first, "chatA", customer.key)).toBe(200);
      expect(await chatStatus(first, sandboxed)).toBe(503);
      const channel = vendor.channel({ models: ["chatB"] });
      const { id } = await first.control<{ id: string }>("POST", "/api/channel", channel);
      await first.control("DELETE", `/api/channel/${id}`);
      expect(await chatStatus(first, "chatA", customer.key)).toBe(503);
    }
    await using again = await startGateway({ folder: folder.path });
    for (const model of ["chatA", sandboxed]) {
      expect(await chatStatus(again, model, customer.key)).toBe(503);
    }
    expect(await chatStatus(again, "chatA")).toBe(503);
    expect(await chatStatus(again, sandboxed)).toBe(200);
    expect(await (await again.get("/v1/models")).json()).toMatchObject({ data: [] });
    await again.stop();
    const environment = { SLUICE_SANDBOX: "off" };
    await using off = await startGateway({ folder: folder.path, environment });
    expect(await chatStatus(off, sandboxed)).toBe(503);
    await off.stop();
    await using on = await startGateway({
      folder: folder.path,
      environment: { SLUICE_SANDBOX: "on" },
    });
    expect(await chatStatus(on, "chatA", customer.key)).toBe(200);
  });

  test("N17 npm start's command runs it with Node alone, and passes the signal to stop on", async () => {
    using folder = new Folder();
    const launcher = join(import.meta.dir, "..", "..", "..", "bin", "sluice.mjs");
    const child = Bun.spawn(["node", launcher, "serve"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOST: "127.0.0.1",
        PORT: "0",
        SLUICE_DATA: folder.path,
        SLUICE_ROOT_KEY: rootKey,
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const reader = new StreamReader(new Response(child.stdout));
    const text = await reader.until("Data folder");
    const url = /listening on (\S+)/.exec(text)?.[1] ?? "";
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${rootKey}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("chatA")),
    });
    expect(response.status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

/** A gateway with one stream under way that the test continues as it likes. */
async function openStream(drainSeconds: number) {
  const folder = new Folder();
  const replying = Promise.withResolvers<VendorReply>();
  const vendor = new Vendor((_request, reply) => {
    reply.stream();
    reply.event(delta({ role: "assistant", content: "first words " }));
    replying.resolve(reply);
  });
  const config = `
sandbox: "off"
server: { drain_seconds: ${drainSeconds} }
prices: [{ model: m, input_micros_per_million: 1000000, output_micros_per_million: 1000000 }]
`;
  const gateway = await startProcess({ folder: folder.path, config });
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  const customer = await gateway.customer(1_000_000);
  const response = await gateway.post(
    "/v1/chat/completions",
    chatBody("m", { stream: true }),
    customer.key,
  );
  const reader = new StreamReader(response);
  await reader.until("first words");
  return {
    gateway,
    reader,
    reply: await replying.promise,
    customer,
    /** Balance after the end, read by the next process. */
    async balance() {
      await using next = await startProcess({ folder: folder.path, config });
      return await balanceOf(next, customer.id);
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      vendor[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("stopping", () => {
  test("fault F17 SIGTERM lets a stream come to its end, takes no new work, and exits 0", async () => {
    await using open = await openStream(30);
    const { gateway, reader, reply } = open;
    gateway.signal("SIGTERM");
    await eventually("the stop", async () => gateway.output.includes("shutting down") || undefined);
    const refused = await eventually("a closed door", async () => {
      const answer = await fetch(`${gateway.url}/healthz`, { keepalive: false }).catch(() => null);
      return answer === null ? true : undefined;
    });
    expect(refused).toBe(true);
    reply.event(delta({ content: "last words" }, "stop"));
    reply.event(usageChunk());
    reply.event("[DONE]");
    reply.end();
    const text = await reader.rest();
    expect(text).toContain("last words");
    expect(text.trimEnd()).toEndWith("data: [DONE]");
    expect(await gateway.exited).toBe(0);
    expect(await open.balance()).toMatchObject({ held_micros: 0, used_micros: 30 });
  });

  test("fault F17 past the drain time a stream ends with an error in its own format, and is billed", async () => {
    await using open = await openStream(0);
    const { gateway, reader } = open;
    gateway.signal("SIGTERM");
    const text = await reader.rest();
    expect(text).not.toContain("[DONE]");
    expect(await gateway.exited).toBe(0);
    const last = (await readStream(new Response(text))).chunks.at(-1);
    expect(last).toMatchObject({ error: { type: "server_error" } });
    const { held_micros, used_micros } = await open.balance();
    expect(held_micros).toBe(0);
    expect(used_micros).toBeGreaterThan(0);
    expect(used_micros).toBeLessThan(100);
  });

  test("fault F17 a signal is obeyed from the moment the gateway says that it listens", async () => {
    await using gateway = await startProcess();
    expect(await gateway.stop()).toBe(0);
  });

  test("fault F17 a whole answer under way is finished too", async () => {
    using folder = new Folder();
    const go = Promise.withResolvers<void>();
    using vendor = new Vendor(async (_request, reply) => {
      await go.promise;
      reply.json(completion("Yes."));
    });
    await using gateway = await startProcess({ folder: folder.path, config: "unpriced: free\n" });
    await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
    const asked = chatStatus(gateway, "m");
    await eventually("the request", async () => vendor.requests[0]);
    gateway.signal("SIGINT");
    await eventually("the stop", async () => gateway.output.includes("shutting down") || undefined);
    go.resolve();
    expect(await asked).toBe(200);
    expect(await gateway.exited).toBe(0);
  });
});

describe("reloading", () => {
  function declare(url: string, more: { micros: number; multiplier: number; key: string }): string {
    return `
sandbox: "off"
groups:
  - { name: default, multiplier: ${more.multiplier} }
channels:
  - { name: only, type: openai, base_url: "${url}", key: sk-declared-key, models: [m],
      allow_private: true }
prices:
  - { model: m, call_micros: ${more.micros} }
keys:
  - { name: declared, key: ${more.key} }
`;
  }

  const oldKey = "sk-declared-old-0123456789abcdef0123456789";
  const newKey = "sk-declared-new-0123456789abcdef0123456789";

  async function reload(gateway: Gateway, config: string, said: string): Promise<void> {
    const before = gateway.output.length;
    writeFileSync(join(gateway.folder, "sluice.yaml"), config);
    gateway.signal("SIGHUP");
    await eventually(said, async () => isSaidByAll(gateway, before, said));
    await gateway.agreed();
  }

  function isSaidByAll(gateway: Gateway, before: number, words: string): true | undefined {
    const times = gateway.output.slice(before).split(words).length - 1;
    return times >= gateway.nodeUrls.length || undefined;
  }

  async function spentBy(gateway: Gateway, run: () => Promise<void>): Promise<number> {
    const used = async () =>
      (await gateway.control<{ used_micros: number }>("GET", "/api/user/self")).used_micros;
    const before = await used();
    await run();
    return (await used()) - before;
  }

  test("N17 SIGHUP takes over declared channels, groups, prices and keys, and no others", async () => {
    using first = new Vendor((_request, reply) => reply.json(completion("One.")));
    using second = new Vendor((_request, reply) => reply.json(completion("Two.")));
    const old = declare(first.url, { micros: 10, multiplier: 1, key: oldKey });
    await using gateway = await startProcess({ config: old });
    const byHand = await gateway.control<{ key: string }>("POST", "/api/token", { name: "hand" });
    expect(await spentBy(gateway, async () => void (await chatStatus(gateway, "m", oldKey)))).toBe(
      10,
    );
    const next = declare(second.url, { micros: 20, multiplier: 2, key: newKey });
    await reload(gateway, next, "configuration reloaded");
    expect(await chatStatus(gateway, "m", oldKey)).toBe(401);
    const spent = await spentBy(gateway, async () => {
      expect(await chatStatus(gateway, "m", newKey)).toBe(200);
    });
    expect(spent).toBe(40);
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    expect(await chatStatus(gateway, "m", byHand.key)).toBe(200);
    await reload(gateway, 'sandbox: "off"\n', "configuration reloaded");
    expect(await chatStatus(gateway, "m", byHand.key)).toBe(503);
    expect(await chatStatus(gateway, "m", newKey)).toBe(401);
  });

  test("N17 SIGHUP with a bad file says so and leaves everything as it was", async () => {
    using vendor = new Vendor((_request, reply) => reply.json(completion("One.")));
    const good = declare(vendor.url, { micros: 10, multiplier: 1, key: oldKey });
    await using gateway = await startGateway({ config: good });
    expect(await chatStatus(gateway, "m", oldKey)).toBe(200);
    const bad = [
      good.replace("multiplier: 1", "multiplier: many"),
      `${good}\nnonsense: [`,
      good.replace("name: declared,", "name: declared, account: nobody,"),
      `${good.replace(oldKey, newKey)}    group: nowhere\n`,
    ];
    for (const config of bad) {
      await reload(gateway, config, "configuration not reloaded");
      expect(await chatStatus(gateway, "m", oldKey)).toBe(200);
      expect(await chatStatus(gateway, "m", newKey)).toBe(401);
    }
    rmSync(join(gateway.folder, "sluice.yaml"));
    const before = gateway.output.length;
    gateway.signal("SIGHUP");
    await eventually("the refusal", async () => isSaidByAll(gateway, before, "not reloaded"));
    expect(await chatStatus(gateway, "m", oldKey)).toBe(200);
  });
});
