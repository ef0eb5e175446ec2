import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { readStream } from "../harness/event-stream.ts";
import { Folder } from "../harness/folder.ts";
import { build, builtFolder, builtMsMax, runBuilt } from "./built.ts";
import { greet } from "./greeted.ts";

setDefaultTimeout(60_000);
beforeAll(async () => void (await builtFolder()), builtMsMax);

/** CPU time of a start on any machine; how long it takes depends on who else is there. */
const startCpuMsMax = 1500;

async function serveIn(folder: string) {
  return await greet([join(await builtFolder(), "sluice"), "serve"], folder, { PORT: "0" });
}

describe("the built file, alone in an empty folder,", () => {
  test("N17 answers the first curl, streams, makes a video and has books that agree", async () => {
    using folder = new Folder();
    const startedMs = performance.now();
    await using gateway = await serveIn(folder.path);
    const hello = { model: "chatA", messages: [{ role: "user", content: "Hello" }] };
    const whole = await gateway.post("/v1/chat/completions", hello);
    expect(whole.status).toBe(200);
    const firstMs = Math.round(performance.now() - startedMs);
    process.stderr.write(`The built file's first answer came after ${firstMs} ms.\n`);
    expect(readdirSync(folder.path)).toEqual(["data"]);

    const streamed = await gateway.post("/v1/chat/completions", { ...hello, stream: true });
    expect((await readStream(streamed)).data.at(-1)).toBe("[DONE]");
    const uncounted = [{ role: "user", content: "Hello sandbox:no-usage" }];
    const counted = await gateway.post("/v1/chat/completions", { ...hello, messages: uncounted });
    expect(counted.status).toBe(200);

    const prompt = "A fox in the snow sandbox:seconds=0";
    const fields = { model: "videoB-2", prompt, seconds: "4", size: "1280x720" };
    const { id } = (await (await gateway.post("/v1/videos", fields)).json()) as { id: string };
    const events = await (await gateway.get(`/v1/videos/${id}/events`)).text();
    expect(events).toContain('"status":"completed"');
    const content = await gateway.get(`/v1/videos/${id}/content`);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    expect((await content.bytes()).length).toBeGreaterThan(500);

    const running = await runBuilt(folder.path, ["ledger", "verify"]);
    expect(running).toMatchObject({ code: 0, out: expect.stringMatching(/^ok: 1 accounts/) });
    expect(await gateway.stop()).toBe(0);
    const stopped = await runBuilt(folder.path, ["ledger", "verify"]);
    expect(stopped).toMatchObject({ code: 0, out: expect.stringMatching(/^ok: 1 accounts/) });
  });

  test("N16 shows the reference, and says how it is to whoever has no curl", async () => {
    using folder = new Folder();
    const before = await runBuilt(folder.path, ["health"]);
    expect(before.code).toBe(1);
    expect(before.error).toContain("none runs on this data folder");
    await using gateway = await serveIn(folder.path);
    expect(await (await gateway.get("/docs")).text()).toContain("<script>");
    expect((await gateway.get("/openapi.json")).status).toBe(200);
    expect(await runBuilt(folder.path, ["health"])).toEqual({
      code: 0,
      out: '{"status":"up"}\n',
      error: "",
    });
    const ready = await runBuilt(folder.path, ["health", "--ready"]);
    expect(ready.code).toBe(0);
    expect(JSON.parse(ready.out)).toMatchObject({ status: "ready", role: "alone" });
  });

  test("starts with the runtime's settings of a gateway, under one process id, for little", async () => {
    using folder = new Folder();
    await using gateway = await serveIn(folder.path);
    const { pid } = JSON.parse(readFileSync(join(folder.path, "data", "server.json"), "utf8")) as {
      pid: number;
    };
    expect(pid).toBe(gateway.process.pid);
    const environ = `/proc/${pid}/environ`;
    if (existsSync(environ)) {
      expect(readFileSync(environ, "utf8")).toContain("BUN_JSC_forceRAMSize=");
    }
    gateway.process.kill("SIGKILL");
    await gateway.process.exited;
    const micros = gateway.process.resourceUsage()?.cpuTime.total ?? 0n;
    expect(Number(micros) / 1000).toBeLessThan(startCpuMsMax);
  });

  test("reads no .env file and no settings of the runtime that lie beside it", async () => {
    using folder = new Folder();
    await Bun.write(join(folder.path, ".env"), "SLUICE_DATA=elsewhere\n");
    await Bun.write(join(folder.path, "bunfig.toml"), 'preload = ["./missing.ts"]\n');
    await using gateway = await serveIn(folder.path);
    expect((await gateway.get("/healthz")).status).toBe(200);
    expect(readdirSync(folder.path).toSorted()).toEqual([".env", "bunfig.toml", "data"]);
  });

  test("says its version and the commit that it was built from", async () => {
    using folder = new Folder();
    const { code, out } = await runBuilt(folder.path, ["--version"]);
    expect(code).toBe(0);
    const root = join(import.meta.dir, "..", "..");
    const { stdout } = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: root });
    expect(out).toStartWith(`sluice ${version} (${stdout.toString().slice(0, 12)}`);
  });
});

describe("what is built", () => {
  test(
    "has the same bytes when it is built again",
    async () => {
      using folder = new Folder();
      await build(folder.path);
      const sums = readFileSync(join(folder.path, "SHA256SUMS"), "utf8");
      expect(sums).toBe(readFileSync(join(await builtFolder(), "SHA256SUMS"), "utf8"));
    },
    builtMsMax,
  );

  test("has checksums that are those of its files", async () => {
    const folder = await builtFolder();
    const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").trimEnd().split("\n");
    const names = lines.map((line) => line.slice(66));
    expect(names).toEqual(["sluice", "sluice.cdx.json"]);
    for (const line of lines) {
      const bytes = readFileSync(join(folder, line.slice(66)));
      expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(line.slice(0, 64));
    }
    expect(statSync(join(folder, "sluice")).mode & 0o111).toBe(0o111);
  });

  test("has a bill of materials with every package to run, and none to develop", async () => {
    const text = readFileSync(join(await builtFolder(), "sluice.cdx.json"), "utf8");
    const bill = JSON.parse(text) as {
      bomFormat: string;
      specVersion: string;
      components: { name: string; version: string; purl: string; "bom-ref": string }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect([bill.bomFormat, bill.specVersion]).toEqual(["CycloneDX", "1.6"]);
    const { dependencies, devDependencies } = (await import("../../package.json")) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const found = new Map(bill.components.map(({ name, version: of }) => [name, of]));
    for (const [name, wanted] of Object.entries(dependencies)) expect(found.get(name)).toBe(wanted);
    const { packages } = (await import("../../package-lock.json")) as {
      packages: Record<string, { dev?: boolean }>;
    };
    // One that a package to run needs as well is marked as no package of development alone.
    const onlyDeveloped = Object.keys(devDependencies).filter(
      (name) => packages[`node_modules/${name}`]?.dev === true,
    );
    expect(onlyDeveloped.length).toBeGreaterThan(10);
    for (const name of onlyDeveloped) expect(found.has(name)).toBe(false);
    expect([...found.keys()].filter((name) => name.startsWith("@oven/"))).toHaveLength(1);
    const references = new Set(bill.components.map((component) => component["bom-ref"]));
    expect(references.size).toBe(bill.components.length);
    const named = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
    expect(named.filter((reference) => !references.has(reference))).toEqual([]);
  });
});
