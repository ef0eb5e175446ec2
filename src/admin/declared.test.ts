import { expect, test } from "bun:test";
import type { Config } from "../config/config.ts";
import type { ChannelInput } from "../config/entities.ts";
import type { ChannelId, KeyId } from "../core/ids.ts";
import { micros } from "../core/money.ts";
import { readChannels, setKeyStatus } from "../distribution/queries.ts";
import { listKeys } from "../identity/listing/queries.ts";
import { readGroups } from "../identity/groups/queries.ts";
import { readPrices } from "../quota/queries.ts";
import type { Commit, Store } from "../store/store.ts";
import type { Control } from "../app/control.ts";
import { createDatabase } from "../store/database.ts";
import { applyDeclared, type DeclaredKeyMade } from "./declared.ts";
import { createKey } from "./key/create.ts";
import { makeChannel } from "./fixtures/channels.ts";
import { openPlane, thrown } from "./fixtures/control-plane.ts";

type Declared = Config["declared"];

const nothing: Declared = {
  groups: [],
  channels: [],
  prices: [],
  models: [],
  keys: [],
  budgets: [],
};
const channel: ChannelInput = {
  name: "main",
  type: "openai",
  base_url: "https://api.vendor.test",
  keys: ["vendor-key-1", "vendor-key-2"],
  models: ["chatA"],
  headers: { "X-Team": "a" },
};
const whole: Declared = {
  groups: [{ name: "vip", multiplier: 0.5 }],
  channels: [channel],
  prices: [{ model: "m", call_micros: 5 }],
  models: [{ name: "fast", members: [{ model: "chatA" }] }],
  keys: [{ name: "ci", key: "sk-declared-text", group: "vip", quota_micros: 100 }],
  budgets: [{ name: "month", limit_micros: 5_000_000 }],
};

/** The same control, with every write counted. */
function counting(control: Control): { control: Control; writes: Commit[] } {
  const writes: Commit[] = [];
  const store: Store = {
    ...control.store,
    commit(commit) {
      writes.push(commit);
      return control.store.commit(commit);
    },
  };
  return { control: { ...control, store, database: createDatabase(store) }, writes };
}

const page = { offset: 0, limit: 100 };
const keysOf = async ({ database }: Control) =>
  (await listKeys(database, {}, page)).items.toSorted((a, b) => (a.name < b.name ? -1 : 1));

test("what is declared is there afterwards and works", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  await applyDeclared(control, whole);
  const caller = await control.authenticator.caller("sk-declared-text", { ip: "" });
  expect(caller).toMatchObject({ username: "root", group: "vip", multiplierPpm: 500_000 });
  expect((await control.balances.key(caller.keyId))?.limitMicros).toBe(100);
  const [live] = control.channels.all;
  expect(live?.settings.keys.map(({ text }) => text)).toEqual(["vendor-key-1", "vendor-key-2"]);
  expect(live?.settings.headers).toEqual({ "x-team": "a" });
  expect(control.prices.snapshot("m", 1_000_000).callMicros).toBe(micros(5));
});

test("declaring the same again writes nothing at all", async () => {
  await using plane = await openPlane();
  await applyDeclared(plane.control, whole);
  const { control, writes } = counting(plane.control);
  await applyDeclared(control, whole);
  expect(writes).toEqual([]);
});

test("a changed declaration changes its rows, which keep their identity", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  await applyDeclared(control, whole);
  const [before] = await readChannels(control.database);
  const { keyId } = await control.authenticator.caller("sk-declared-text", { ip: "" });
  const balance = await control.balances.key(keyId);
  await applyDeclared(control, {
    groups: [{ name: "vip", multiplier: 2 }],
    channels: [{ ...channel, keys: ["vendor-key-3"], weight: 9 }],
    prices: [{ model: "m", call_micros: 6 }],
    models: [{ name: "fast", members: [{ model: "chatA" }] }],
    keys: [{ name: "ci", key: "sk-another-text", group: "vip" }],
    budgets: [{ name: "month", limit_micros: 6_000_000 }],
  });
  const [after] = await readChannels(control.database);
  expect(after?.id).toBe(before?.id as ChannelId);
  expect(control.channels.all[0]?.settings).toMatchObject({
    weight: 9,
    keys: [{ text: "vendor-key-3" }],
  });
  const caller = await control.authenticator.caller("sk-another-text", { ip: "" });
  expect(caller.keyId).toBe(keyId);
  expect(caller.multiplierPpm).toBe(2_000_000);
  expect(balance?.limitMicros).toBeNull();
  const old = await thrown(() => control.authenticator.caller("sk-declared-text", { ip: "" }));
  expect(old).toContain("not valid");
});

test("what is no longer declared goes, and what was made by hand stays", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  await applyDeclared(control, whole);
  await makeChannel(control, root, { ...channel, name: "by hand" });
  await createKey(control, root, { body: { name: "by hand" } });
  await applyDeclared(control, nothing);
  expect((await readChannels(control.database)).map(({ name }) => name)).toEqual(["by hand"]);
  expect(await readPrices(control.database)).toEqual([]);
  expect((await readGroups(control.database)).map(({ name }) => name)).toEqual(["default"]);
  expect((await keysOf(control)).map(({ name }) => name)).toEqual(["by hand", "first"]);
  const gone = await thrown(() => control.authenticator.caller("sk-declared-text", { ip: "" }));
  expect(gone).toContain("not valid");
});

test("a key that is declared again with the same text is the same key again", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  await applyDeclared(control, whole);
  const { keyId } = await control.authenticator.caller("sk-declared-text", { ip: "" });
  await applyDeclared(control, nothing);
  await applyDeclared(control, whole);
  expect((await control.authenticator.caller("sk-declared-text", { ip: "" })).keyId).toBe(keyId);
});

test("a group that is still in use stays, with a warning", async () => {
  await using plane = await openPlane();
  const { control, root, lines } = plane;
  await applyDeclared(control, whole);
  await createKey(control, root, { body: { name: "member", group: "vip" } });
  await applyDeclared(control, nothing);
  expect(control.groups.find("vip")?.multiplierPpm).toBe(500_000);
  expect(lines.join("")).toContain("still in use");
});

test("something made by hand is taken over by a declaration of its name", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, { ...channel, priority: 3 });
  const { id: keyId } = await createKey(control, root, { body: { name: "ci" } });
  await applyDeclared(control, whole);
  const [row] = await readChannels(control.database);
  expect(row).toMatchObject({ id, priority: 0, declared: 1 });
  expect((await control.authenticator.caller("sk-declared-text", { ip: "" })).keyId).toBe(
    keyId as KeyId,
  );
});

test("a key without a text is made once and told of once", async () => {
  await using plane = await openPlane();
  const { control, lines } = plane;
  const declared: Declared = { ...nothing, keys: [{ name: "ci" }] };
  await applyDeclared(control, declared);
  expect((await keysOf(control)).map(({ name }) => name)).toEqual(["first"]);
  expect(lines.join("")).toContain("cannot be shown");
  const made: DeclaredKeyMade[] = [];
  await applyDeclared(control, declared, (key) => void made.push(key));
  await applyDeclared(control, declared, (key) => void made.push(key));
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({ account: "root", name: "ci" });
  expect((await control.authenticator.caller(made[0]?.key ?? "", { ip: "" })).keyName).toBe("ci");
});

test("a key that names what is not there is left out and told, and all else is applied", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const bad: Declared = {
    ...whole,
    keys: [
      { name: "a", key: "sk-a", account: "nobody" },
      { name: "b", key: "sk-b", group: "none" },
      { name: "c", key: "sk-c", group: "vip" },
    ],
  };
  await applyDeclared(control, bad);
  expect((await keysOf(control)).map(({ name }) => name)).toEqual(["c", "first"]);
  const told = plane.lines.filter((line) => line.includes("a declared key is left out"));
  expect(told).toEqual([
    expect.stringContaining("keys.0.account names no account: nobody"),
    expect.stringContaining("keys.1.group names no group: none"),
  ]);
});

test("a key that names what was never there is a slip, which is refused before any write", async () => {
  await using plane = await openPlane();
  const { control, writes } = counting(plane.control);
  const bad: Declared = {
    ...whole,
    keys: [
      { name: "a", key: "sk-a", account: "nobody" },
      { name: "b", key: "sk-b", group: "none" },
    ],
  };
  expect(await thrown(() => applyDeclared(control, bad, undefined, whole))).toBe(
    "keys.0.account names no account: nobody\nkeys.1.group names no group: none",
  );
  expect(writes).toEqual([]);
});

test("a key that a vendor refused stays disabled when nothing else changed", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  await applyDeclared(control, whole);
  const [row] = await readChannels(control.database);
  const place = { channelId: row?.id as ChannelId, position: 0, last4: "ey-1" };
  await setKeyStatus(control.database, place, "disabled", "refused");
  await applyDeclared(control, whole);
  expect(control.channels.all[0]?.settings.keys.map(({ isEnabled }) => isEnabled)).toEqual([
    false,
    true,
  ]);
});

test("a text that is another account's key is not declared, and stays that account's", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  await plane.person("alice");
  const { key } = await createKey(control, root, { body: { name: "k", account: "alice" } });
  const declared: Declared = { ...nothing, keys: [{ name: "mine", key }] };
  await applyDeclared(control, declared);
  expect(plane.lines.join("")).toContain("keys.0.key is the key of another account");
  expect(await control.authenticator.caller(key, { ip: "" })).toMatchObject({ username: "alice" });
});
