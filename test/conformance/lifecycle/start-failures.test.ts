// Every start that fails says what, where and what to do, in words that the page on troubleshooting
// has; it shows no secret, and what it was to begin with stays as it was.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { Folder } from "../../harness/folder.ts";
import { startGateway } from "../../harness/gateway.ts";
import { freePort } from "../../harness/nodes/free-port.ts";
import { programWords } from "../../harness/nodes/program.ts";
import { Vendor } from "../../harness/vendor.ts";
import { testNeeding } from "../../harness/requirements.ts";
import { Postgres } from "../../import/postgres.ts";

setDefaultTimeout(120_000);

const repository = join(import.meta.dir, "..", "..", "..");
const password = "never-to-be-shown";
const longSecret = "a secret of more than thirty-two characters";
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

const known = readFileSync(join(repository, "docs", "troubleshooting.md"), "utf8")
  .split("\n")
  .flatMap((line) => /^\| `([^`]+)` /.exec(line)?.[1] ?? []);

/** The rows of the page whose words stand in the text, in their order. */
function rowsIn(text: string): string[] {
  return known.filter((row) => {
    const words = row
      .split("...")
      .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(words.join("[^]*")).test(text);
  });
}

const testWithPostgres = testNeeding("postgres", Postgres.findMissing());
let postgres: Postgres | null = null;

beforeAll(() => {
  postgres = Postgres.start();
});

afterAll(() => postgres?.[Symbol.dispose]());

interface Start {
  folder: string;
  environment?: Record<string, string>;
  /** Start as a user who owns nothing, where the test may choose. */
  isNobody?: boolean;
}

async function startInVain({ folder, environment = {}, isNobody = false }: Start): Promise<string> {
  const ids = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const before = isNobody && isRoot ? ["setpriv", ...ids] : [];
  const child = Bun.spawn([...before, ...programWords(), "serve"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", SLUICE_DATA: folder, ...environment },
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  expect([code, out]).toEqual([1, ""]);
  expect(error).not.toContain(password);
  expect(error).not.toContain("    at ");
  return error;
}

type Scene = (folder: string) => Promise<Start> | Start;

const database = (address: string): Record<string, string> => ({
  SLUICE_DATABASE_URL: address,
  SLUICE_SECRET: longSecret,
  SLUICE_MEDIA_FOLDER: "/tmp",
});

const folders: Readonly<Record<string, readonly [Scene, RegExp]>> = {
  "a folder below a file": [
    (folder) => {
      writeFileSync(join(folder, "file"), "");
      return { folder: join(folder, "file", "data") };
    },
    /^The data folder \S+ \(SLUICE_DATA\) cannot be made: \S+file is a file\. .*SLUICE_DATA/,
  ],
  "a file in the folder's place": [
    (folder) => {
      writeFileSync(join(folder, "data"), "");
      return { folder: join(folder, "data") };
    },
    /cannot be made: \S+data is a file/,
  ],
  "a folder below another user's": [
    (folder) => {
      chmodSync(folder, isRoot ? 0o755 : 0o555);
      return { folder: join(folder, "data"), isNobody: true };
    },
    isRoot ? /cannot be made: \S+ belongs to root, and this is nobody/ : /is closed to its owner/,
  ],
  "another user's folder": [
    (folder) => {
      mkdirSync(join(folder, "data"), { mode: isRoot ? 0o700 : 0o500 });
      chmodSync(folder, 0o755);
      return { folder: join(folder, "data"), isNobody: true };
    },
    isRoot
      ? /cannot be used: \S+ belongs to root, and this is nobody.*chown/
      : /closed to its owner/,
  ],
  "a database that nobody listens for": [
    (folder) => ({
      folder,
      environment: database(`postgres://ann:${password}@127.0.0.1:${freePort()}/books`),
    }),
    /^PostgreSQL at 127\.0\.0\.1:\d+ \(SLUICE_DATABASE_URL\) does not answer: .*start again/,
  ],
  "a secret that is short": [
    (folder) => ({ folder: join(folder, "data"), environment: { SLUICE_SECRET: "short" } }),
    /^environment SLUICE_SECRET is shorter than 32 characters: make one with/,
  ],
  "a variable that is not known": [
    (folder) => ({ folder, environment: { SLUICE_DATABASE: "x" } }),
    /^environment SLUICE_DATABASE is not known/,
  ],
};

test.each(Object.entries(folders))(
  "N17 %s ends the start with words",
  async (_name, [scene, said]) => {
    using above = new Folder();
    const start = await scene(above.path);
    const wasThere = existsSync(start.folder);
    const error = await startInVain(start);
    expect(error).toMatch(said);
    expect(rowsIn(error)).toHaveLength(1);
    if (start.environment?.["SLUICE_DATABASE_URL"] === undefined) {
      expect(existsSync(start.folder)).toBe(wasThere);
    }
  },
);

test("N17 a folder that is in use is told with its path", async () => {
  await using gateway = await startGateway({ isOnFiles: true });
  const error = await startInVain({ folder: gateway.folder });
  expect(error).toContain(`another sluice process is using the data folder ${gateway.folder}`);
  expect(rowsIn(error)).toHaveLength(1);
});

testWithPostgres(
  "N17 a database without the name, the user or the right is told with what to do",
  async () => {
    if (!postgres) throw new Error("PostgreSQL did not start");
    await using sql = new SQL(postgres.url, { max: 1 });
    await sql.unsafe("create role poor login");
    await sql.unsafe("create database books");
    const at = (user: string, name: string) =>
      database(`postgres://${user}:${password}@${new URL(postgres?.url ?? "").host}/${name}`);
    const scenes: [Record<string, string>, RegExp][] = [
      [at("postgres", "nope"), /has no database nope: .*createdb nope/],
      [at("stranger", "books"), /refuses the user stranger: .*the user and the password/],
      [at("poor", "books"), /does not let the user poor make tables in books: .*grant create on/],
    ];
    for (const [environment, said] of scenes) {
      using above = new Folder();
      const error = await startInVain({ folder: above.path, environment });
      expect(error).toMatch(said);
      expect(error).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ \(SLUICE_DATABASE_URL\)/);
      expect(rowsIn(error)).toHaveLength(1);
    }
  },
);

test("N17 data that was sealed with another secret is not begun with, and can be given up", async () => {
  using vendor = new Vendor((_request, reply) => reply.json({}));
  using above = new Folder();
  const folder = join(above.path, "data");
  mkdirSync(folder);
  {
    await using gateway = await startGateway({ folder, isOnFiles: true });
    const channel = vendor.channel({ name: "one", models: ["m"] });
    await gateway.control("POST", "/api/channel", channel);
  }
  const kept = join(folder, "secret");
  const secret = readFileSync(kept, "utf8");
  const refused =
    /SLUICE_SECRET must be the secret that these rows were sealed with .*: 1 keys? of/;
  const other = await startInVain({ folder, environment: { SLUICE_SECRET: longSecret } });
  expect(other).toMatch(refused);
  expect(rowsIn(other)).toHaveLength(1);
  rmSync(kept);
  expect(await startInVain({ folder })).toMatch(refused);
  // A lost secret is not replaced by another one, which would be taken for the right one.
  expect(existsSync(kept)).toBe(false);
  writeFileSync(kept, secret, { mode: 0o600 });
  {
    await using gateway = await startGateway({ folder, isOnFiles: true });
    const { items } = await gateway.control<{ items: object[] }>("GET", "/api/channel");
    expect(items).toHaveLength(1);
  }
  rmSync(kept);
  const lost = { SLUICE_SECRET_LOST: "yes" };
  {
    await using gateway = await startGateway({ folder, isOnFiles: true, environment: lost });
    expect(gateway.output).toContain("keys of channels were sealed with another secret");
  }
  await using again = await startGateway({ folder, isOnFiles: true });
  expect(again.output).toContain('"keys":1');
});

test("N17 a short secret that data was sealed with is taken, with a warning", async () => {
  using above = new Folder();
  const folder = join(above.path, "data");
  mkdirSync(folder);
  writeFileSync(join(folder, "secret"), "short", { mode: 0o600 });
  {
    await using _gateway = await startGateway({ folder, isOnFiles: true });
  }
  const environment = { SLUICE_SECRET: "short" };
  await using gateway = await startGateway({ folder, isOnFiles: true, environment });
  expect(gateway.output).toContain("SLUICE_SECRET is short");
});

test("N17 a clone that npm may not write to is told as that, without npm's own page", async () => {
  using above = new Folder();
  for (const name of ["bin", "package.json", "package-lock.json", ".npmrc"]) {
    cpSync(join(repository, name), join(above.path, name), { recursive: true });
  }
  chmodSync(above.path, isRoot ? 0o755 : 0o555);
  const ids = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const words = ["node", join(above.path, "bin", "sluice.mjs"), "serve"];
  const child = Bun.spawn([...(isRoot ? ["setpriv", ...ids] : []), ...words], {
    env: { PATH: process.env["PATH"] ?? "", HOME: above.path },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [code, error] = await Promise.all([child.exited, child.stderr.text()]);
  expect(code).toBe(1);
  expect(error).toMatch(/Packages cannot be installed: \S+ may not be written by \S+\. .*chown/);
  expect(error).not.toContain("npm error");
  expect(rowsIn(error)).toHaveLength(1);
});
