// A disk that takes nothing more: money is read-only, what runs is finished, and all is well again
// once there is space. The limit of the process's file sizes stands for the full disk.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { startProcess, type Gateway } from "../../harness/gateway.ts";
import { completion, delta, Vendor, type VendorReply } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const config = `
sandbox: "off"
prices: [{ model: m, call_micros: 100 }]
`;

function limitFiles({ pids }: Gateway, bytes: string): void {
  for (const pid of pids) {
    const { exitCode, stderr } = Bun.spawnSync(["prlimit", "--pid", `${pid}`, `--fsize=${bytes}:`]);
    if (exitCode !== 0) throw new Error(`prlimit: ${stderr.toString()}`);
  }
}

const fillDisk = (gateway: Gateway): void => limitFiles(gateway, "1");
const freeDisk = (gateway: Gateway): void => limitFiles(gateway, "unlimited");

async function readiness(gateway: Gateway): Promise<number> {
  const response = await fetch(`${gateway.url}/readyz`);
  await response.text();
  return response.status;
}

async function untilReady(gateway: Gateway, status: number): Promise<void> {
  await eventually(`readyz ${status}`, async () =>
    (await readiness(gateway)) === status ? true : undefined,
  );
}

function finish(reply: VendorReply | undefined): void {
  reply?.event(delta({ content: "last words" }, "stop"));
  reply?.event("[DONE]");
  reply?.end();
}

// Most of the time of these is waiting, so they wait together.
test.concurrent(
  "fault F8 with a full disk streams finish, new paid work is a 503, and space brings it all back",
  async () => {
    await using gateway = await startProcess({ config, isOnFiles: true });
    const replies: VendorReply[] = [];
    using vendor = new Vendor((request, reply) => {
      if (request.body["stream"] !== true) return reply.json(completion("Yes."));
      reply.stream();
      reply.event(delta({ role: "assistant", content: "first words" }));
      replies.push(reply);
    });
    await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
    const { id, key } = await gateway.customer(1_000_000);
    const ask = async (stream = false) =>
      await gateway.post("/v1/chat/completions", chatBody("m", { stream }), key);
    const readers: StreamReader[] = [];
    for (let at = 0; at < 3; at++) readers.push(new StreamReader(await ask(true)));
    for (const reader of readers) await reader.until("first words");

    fillDisk(gateway);
    // The first settlement finds out; its stream ends all the same.
    finish(replies[0]);
    await untilReady(gateway, 503);
    const sent = vendor.requests.length;
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await errorOf(refused)).toMatchObject({ type: "server_error", code: "server_error" });
    expect(vendor.requests).toHaveLength(sent);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await gateway.get("/v1/models", key)).status).toBe(200);
    const status = await gateway.control<object>("GET", "/api/status");
    expect(status).toMatchObject({
      accepts_paid_work: false,
      obstacles: ["the journal cannot write"],
    });
    finish(replies[1]);
    for (const reader of readers.slice(0, 2)) {
      expect((await reader.rest()).trimEnd()).toEndWith("data: [DONE]");
    }
    expect(await readiness(gateway)).toBe(503);

    freeDisk(gateway);
    await untilReady(gateway, 200);
    finish(replies[2]);
    expect(await readers[2]?.rest()).toContain("[DONE]");
    expect((await ask()).status).toBe(200);
    // Not one of the settlements of the bad time was lost.
    expect(await balanceOf(gateway, id)).toMatchObject({
      quota_micros: 1_000_000 - 400,
      held_micros: 0,
      used_micros: 400,
    });
    expect(await gateway.stop()).toBe(0);
    const verified = await runCommand({ folder: gateway.folder }, "ledger", "verify");
    expect(verified).toMatchObject({ code: 0, error: "" });
  },
);

test.concurrent(
  "fault F8 answers under an Idempotency-Key that a full disk let through are given again, charged once",
  async () => {
    await using gateway = await startProcess({ config, isOnFiles: true });
    using vendor = new Vendor((request, reply) => {
      if (request.body["stream"] !== true) return reply.json(completion("Yes."));
      reply.stream();
      return finish(reply);
    });
    await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
    const { id, key } = await gateway.customer(1_000_000);
    const ask = async (name: string) => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "idempotency-key": name },
        body: JSON.stringify(chatBody("m", { stream: name === "stream" })),
      });
      const { status, headers } = response;
      return { status, text: await response.text(), again: headers.get("idempotent-replayed") };
    };
    const names = ["whole", "other", "stream"];
    fillDisk(gateway);
    const first = await Promise.all(names.map(ask));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    const sent = vendor.requests.length;
    const replayed = first.map(({ status, text }) => ({ status, text, again: "true" }));
    expect(await Promise.all(names.map(ask))).toEqual(replayed);
    freeDisk(gateway);
    await untilReady(gateway, 200);
    expect(await Promise.all(names.map(ask))).toEqual(replayed);
    expect(await gateway.stop()).toBe(0);
    const { folder } = gateway;
    await using again = await startProcess({ config, folder, isOnFiles: true });
    const restarted = names.map((name) =>
      fetch(`${again.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "idempotency-key": name },
        body: JSON.stringify(chatBody("m", { stream: name === "stream" })),
      }).then((response) => response.text()),
    );
    expect(await Promise.all(restarted)).toEqual(first.map(({ text }) => text));
    expect(vendor.requests).toHaveLength(sent);
    expect(await balanceOf(again, id)).toMatchObject({ used_micros: 300, held_micros: 0 });
  },
);

test.concurrent(
  "fault F8 a credit waits for the disk, and can then be spent as the balance shows it",
  async () => {
    await using gateway = await startProcess({ config, isOnFiles: true });
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
    const { id, key } = await gateway.customer(0);
    fillDisk(gateway);
    const path = `/api/user/${id}/credit`;
    const credit = { id: "late", micros: 100, reason: "invoice" };
    const asked = gateway.controlEnvelope("POST", path, credit);
    await untilReady(gateway, 503);
    // The time after which nobody else waits for the disk any longer.
    await Bun.sleep(7000);
    expect((await gateway.post("/v1/chat/completions", chatBody("m"), key)).status).toBe(503);
    freeDisk(gateway);
    await untilReady(gateway, 200);
    expect(await asked).toMatchObject({ success: true });
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 100 });
    const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
    expect(response.status).toBe(200);
    expect(await balanceOf(gateway, id)).toMatchObject({ quota_micros: 0, used_micros: 100 });
  },
);

test.concurrent(
  "fault F9 whole lines at the journal's end that the disk has changed are told, kept aside, and stop no start",
  async () => {
    await using gateway = await startProcess({ config, isOnFiles: true });
    expect(await gateway.stop()).toBe(0);
    const damaged = ['1234abcd 900 ledger {"entries":[]}', '77aa 901 ledger {"entr\u0000'];
    const torn = '99bb 902 ledger {"en';
    writeFileSync(join(gateway.folder, "journal-a.log"), [...damaged, torn].join("\n"));
    const { folder } = gateway;
    const verified = await runCommand({ folder }, "ledger", "verify");
    expect(verified.code).toBe(1);
    expect(verified.error).toContain("record 1 of the journal is damaged");
    await using again = await startProcess({ config, folder, isOnFiles: true });
    for (const position of [1, 2]) {
      expect(again.output).toContain(`record ${position} of the journal is damaged`);
    }
    expect(again.output).toContain("a record of the journal is damaged; it is kept aside");
    const kept = readFileSync(join(folder, "journal-rejected.log"), "utf8");
    expect(kept).toBe(`${damaged.join("\n")}\n`);
    const ready = await fetch(`${again.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining("a record of the journal is damaged"),
    ]);
    expect(await again.stop()).toBe(0);
    await using third = await startProcess({ config, folder, isOnFiles: true });
    expect(third.output).not.toContain("damaged");
  },
);

test.concurrent(
  "fault F9 what a loss of power left behind a gap is told, kept aside, and turns nobody away",
  async () => {
    await using gateway = await startProcess({ config, isOnFiles: true });
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
    const { key } = await gateway.customer(1_000_000);
    expect(await gateway.stop()).toBe(0);
    const { folder } = gateway;
    // One file has a page that was not written, the other one what came after that.
    const text = '900 ledger {"entries":[]}';
    const behind = `${Bun.hash.crc32(text).toString(16)} ${text}\n`;
    writeFileSync(join(folder, "journal-a.log"), `1234abcd 899 led${"\0".repeat(4096)}"a"}\n`);
    writeFileSync(join(folder, "journal-b.log"), behind);
    await using again = await startProcess({ config, folder, isOnFiles: true });
    expect(again.output).toContain("records of the journal went with the power");
    expect(again.output).not.toContain("damaged");
    expect(readFileSync(join(folder, "journal-rejected.log"), "utf8")).toBe(behind);
    expect(await readiness(again)).toBe(200);
    expect((await again.post("/v1/chat/completions", chatBody("m"), key)).status).toBe(200);
    expect(await again.stop()).toBe(0);
    const verified = await runCommand({ folder }, "ledger", "verify");
    expect(verified).toMatchObject({ code: 0, error: "" });
    await using third = await startProcess({ config, folder, isOnFiles: true });
    expect(third.output).not.toContain("went with the power");
  },
);
