// The first start, and those that fail: nothing half made, nobody left behind, a sentence to go on.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { Browser, password } from "../../harness/browser.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { Folder } from "../../harness/folder.ts";
import { rootKey, spawnGateway, startGateway, startProcess } from "../../harness/gateway.ts";
import type { Gateway } from "../../harness/gateway.ts";
import { programWords } from "../../harness/nodes/program.ts";
import { engineOf } from "../../harness/postgres.ts";

setDefaultTimeout(120_000);

const repository = join(import.meta.dir, "..", "..", "..");
const launcher = join(repository, "bin", "sluice.mjs");
/** The variables of a user who has set nothing. */
const untouched = { SLUICE_ROOT_KEY: "", SLUICE_ROOT_TOKEN: "", SLUICE_ROOT_PASSWORD: "" };

interface End {
  code: number;
  text: string;
}

/** A start that must end by itself. */
async function startInVain(folder: string, environment: Record<string, string>): Promise<End> {
  const all = { ...untouched, ...(await engineOf(folder)), ...environment };
  const child = spawnGateway({ environment: all }, folder);
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  return { code, text: out + error };
}

/** Another program, which takes connections and says nothing. */
async function occupy(): Promise<{ port: number } & Disposable> {
  const server: Server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
  return { port, [Symbol.dispose]: () => void server.close() };
}

interface Unanswered extends End {
  ms: number;
  port: number;
  hasData: boolean;
}

/** A first start whose packages nobody sends. */
async function installInVain(): Promise<Unanswered> {
  using folder = new Folder();
  for (const name of ["bin", "package.json", "package-lock.json", ".npmrc"]) {
    cpSync(join(repository, name), join(folder.path, name), { recursive: true });
  }
  using silent = await occupy();
  const child = Bun.spawn(["node", join(folder.path, "bin", "sluice.mjs"), "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder.path,
      npm_config_cache: join(folder.path, "cache"),
      npm_config_registry: `http://127.0.0.1:${silent.port}/`,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const startedMs = performance.now();
  const [code, text] = await Promise.all([child.exited, child.stderr.text()]);
  const ms = performance.now() - startedMs;
  return { code, text, ms, port: silent.port, hasData: existsSync(join(folder.path, "data")) };
}

let unanswered: Promise<Unanswered>;

// It waits for half a minute, in which the other tests run.
beforeAll(() => {
  programWords();
  unanswered = installInVain();
});

describe("a port that is taken", () => {
  test("N17 is refused by name before the data folder is made, and the next start shows the credentials", async () => {
    using above = new Folder();
    const folder = join(above.path, "data");
    {
      using other = await occupy();
      const { code, text } = await startInVain(folder, { PORT: String(other.port) });
      expect(code).toBe(1);
      expect(text).toContain(`Port ${other.port} of 127.0.0.1 is already taken by another program`);
      expect(text).toContain("choose another port, such as PORT=");
      expect(text).not.toContain("    at ");
      expect(existsSync(folder)).toBe(false);
    }
    await using gateway = await startProcess({ folder, environment: untouched });
    const shown = await eventually("the credentials", async () =>
      /Root password: \S+\nAPI key: (\S+)/.exec(gateway.output),
    );
    const answer = await gateway.post("/v1/chat/completions", chatBody("chatA"), shown?.[1] ?? "");
    expect(answer.status).toBe(200);
  });

  test("N17 by another Sluice is refused as that, and that one goes on", async () => {
    await using first = await startProcess();
    using above = new Folder();
    const folder = join(above.path, "data");
    const port = new URL(first.url).port;
    const { code, text } = await startInVain(folder, { PORT: port });
    expect(code).toBe(1);
    expect(text).toContain(`Port ${port} of 127.0.0.1 is already taken by another Sluice`);
    expect(existsSync(folder)).toBe(false);
    expect((await first.post("/v1/chat/completions", chatBody("chatA"))).status).toBe(200);
  });
});

test("N17 an address that this machine has not is refused with those that it has", async () => {
  using above = new Folder();
  const folder = join(above.path, "data");
  const { code, text } = await startInVain(folder, { HOST: "192.0.2.1" });
  expect(code).toBe(1);
  expect(text).toContain("this machine has no such address");
  expect(existsSync(folder)).toBe(false);
});

test("N17 a start that fails after it has made credentials leaves them to the one that succeeds", async () => {
  using folder = new Folder();
  // The state file is the last that a start writes: where that cannot be, everything is made.
  mkdirSync(join(folder.path, "server.json"));
  const failed = await startInVain(folder.path, {});
  expect(failed.code).toBe(1);
  expect(failed.text).not.toContain("sk-");
  rmdirSync(join(folder.path, "server.json"));
  await using gateway = await startProcess({ folder: folder.path, environment: untouched });
  const shown = await eventually("the credentials", async () =>
    /Root password: (\S+)\nAPI key: (\S+)/.exec(gateway.output),
  );
  const key = shown?.[2] ?? "";
  expect((await gateway.post("/v1/chat/completions", chatBody("chatA"), key)).status).toBe(200);
  const signedIn = await fetch(`${gateway.url}/api/user/login`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-requested-with": "test",
      origin: gateway.url,
    },
    body: JSON.stringify({ username: "root", password: shown?.[1] }),
  });
  expect(await signedIn.json()).toMatchObject({ success: true });
  await gateway.stop();
  await using again = await startProcess({ folder: folder.path, environment: untouched });
  expect(again.output).not.toContain("password");
});

describe("npm start", () => {
  test("N17 that is ended leaves nobody behind", async () => {
    using folder = new Folder();
    const child = Bun.spawn(["npm", "start"], {
      cwd: repository,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder.path,
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
    const url = /listening on (\S+)/.exec(await reader.until("Data folder"))?.[1] ?? "";
    child.kill("SIGTERM");
    await child.exited;
    // The pipe ends when the last process that could write to it has ended.
    expect(await reader.rest()).toContain("shutting down");
    expect(await fetch(url).catch(() => null)).toBeNull();
    expect(existsSync(join(folder.path, "server.json"))).toBe(false);
  });

  test("N17 with a Node that is too old is refused in a sentence", async () => {
    using folder = new Folder();
    const disguise = join(folder.path, "old.cjs");
    writeFileSync(
      disguise,
      'Object.defineProperty(process.versions, "node", { value: "16.20.2" });\n',
    );
    for (const entry of [launcher, join(repository, "bin", "task.mjs")]) {
      const old = Bun.spawn(["node", "-r", disguise, entry, "serve"], {
        env: { PATH: process.env["PATH"] ?? "", SLUICE_DATA: folder.path },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [exitCode, out, error] = await Promise.all([
        old.exited,
        old.stdout.text(),
        old.stderr.text(),
      ]);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
      expect(error).toBe(
        "Sluice needs Node 18 or newer, and this is Node 16.20.2: " +
          "install a newer one (https://nodejs.org) and start again.\n",
      );
    }
  });

  test("N17 without a network says that it installs, and within a minute that nobody answers", async () => {
    const { code, text, ms, hasData, port } = await unanswered;
    expect(code).toBe(1);
    expect(text).toContain("Installing packages (once)...\nStill installing packages, for 5 s.\n");
    expect(text).toContain(`nothing answers at http://127.0.0.1:${port}. See that this`);
    expect(ms).toBeLessThan(60_000);
    expect(hasData).toBe(false);
  });
});

describe("what the configuration declares of what people change", () => {
  const declared = (name: string) => `
sandbox: "off"
log: { level: warn }
groups: [{ name: vip, multiplier: 0.5 }]
keys:
  - { name: ci, key: sk-first-of-${name}-0123456789, account: ${name}, group: vip }
  - { name: second, key: sk-second-of-${name}-0123456789, account: ${name}, group: made-by-hand }
  - { name: own, key: sk-own-0123456789abcdef01 }
`;
  const line = (text: string) =>
    text.split("\n").filter((one) => one.includes("a declared key is left out"));

  async function statuses(gateway: Gateway, name: string): Promise<number[]> {
    const own = [`sk-first-of-${name}-0123456789`, `sk-second-of-${name}-0123456789`];
    const answers = [...own, "sk-own-0123456789abcdef01"].map((key) =>
      gateway.get("/v1/models", key),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  }

  test("N17 hazard G4 a user who renames or erases itself keeps no gateway from starting", async () => {
    using data = new Folder();
    const { path: folder } = data;
    const people = { renames: "ann", erases: "bob" };
    const passwordOf = { password };
    await using first = await startGateway({ folder, config: 'sandbox: "off"' });
    for (const username of Object.values(people)) {
      await first.control("POST", "/api/user", { username, ...passwordOf });
    }
    await first.control("POST", "/api/group", { name: "made-by-hand", multiplier: 1 });
    expect(await first.stop()).toBe(0);
    for (const [deed, username] of Object.entries(people)) {
      const config = declared(username);
      await using before = await startGateway({ folder, config });
      expect(await statuses(before, username)).toEqual([200, 200, 200]);
      expect(line(before.output)).toEqual([]);
      const browser = await new Browser(before.url).signIn(username);
      if (deed === "renames") {
        await browser.ask("PATCH", "/api/user/self", { username: "somebody-else" });
      } else await browser.ask("POST", "/api/user/self/erase", passwordOf);
      expect(await before.stop()).toBe(0);
      await using after = await startGateway({ folder, config });
      expect(line(after.output)).toEqual([
        expect.stringContaining(`keys.0.account names no account: ${username}`),
        expect.stringContaining(`keys.1.account names no account: ${username}`),
      ]);
      expect(await statuses(after, username)).toEqual([401, 401, 200]);
      expect(await after.control<object>("POST", "/api/setting/reload")).toBeDefined();
      // A new account that takes the name does not take the key.
      await after.control("POST", "/api/user", { username, ...passwordOf });
      expect(await after.stop()).toBe(0);
      await using taken = await startGateway({ folder, config });
      expect(line(taken.output)).toEqual([
        expect.stringContaining("keys.0.key is the key of another account"),
        expect.stringContaining("keys.1.key is the key of another account"),
      ]);
      expect(await statuses(taken, username)).toEqual([401, 401, 200]);
      expect(await taken.stop()).toBe(0);
    }
  });

  test("N17 a group that an admin deletes keeps no gateway from starting", async () => {
    using data = new Folder();
    const { path: folder } = data;
    const config = declared("root").replace("group: made-by-hand", "group: gone");
    await using gateway = await startGateway({ folder, config });
    expect(line(gateway.output)).toEqual([
      expect.stringContaining("keys.1.group names no group: gone"),
    ]);
    expect(await statuses(gateway, "root")).toEqual([200, 401, 200]);
  });
});
