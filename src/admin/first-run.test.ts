import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listKeys } from "../identity/listing/queries.ts";
import { findAccountByName } from "../identity/queries.ts";
import { ensureRoot } from "./first-run.ts";
import { isPassword } from "./passwords.ts";
import { openControl, thrown } from "./fixtures/control-plane.ts";

const nothing = { password: null, key: null, token: null };
const page = { offset: 0, limit: 100 };

async function withParts(
  run: (control: Awaited<ReturnType<typeof openControl>>["control"]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-first-run-"));
  const { control, close } = await openControl(folder, []);
  try {
    await run(control);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("N17 an empty database gets a root account, a password and a key, shown once", () =>
  withParts(async (control) => {
    const first = await ensureRoot(control, nothing);
    expect(first.password).toHaveLength(24);
    expect(first.key).toStartWith("sk-");
    const root = await findAccountByName(control.database, "root");
    expect(root?.role).toBe("root");
    expect(await isPassword(first.password ?? "", root?.password_hash ?? "")).toBe(true);
    const caller = await control.authenticator.caller(first.key ?? "", { ip: "127.0.0.1" });
    expect(caller.username).toBe("root");
    expect((await control.balances.account(caller.accountId))?.unlimited).toBe(true);
    expect(await ensureRoot(control, nothing)).toEqual({ password: null, key: null });
    expect((await listKeys(control.database, {}, page)).total).toBe(1);
  }));

test("N17 what nobody has seen is made anew, and what was given or made before no longer works", () =>
  withParts(async (control) => {
    const lost = await ensureRoot(control, nothing);
    const shown = await ensureRoot(control, nothing, true);
    expect(shown.password).not.toBe(lost.password);
    expect(shown.key).not.toBe(lost.key);
    const root = await findAccountByName(control.database, "root");
    expect(await isPassword(shown.password ?? "", root?.password_hash ?? "")).toBe(true);
    expect((await control.authenticator.caller(shown.key ?? "", { ip: "127.0.0.1" })).keyName).toBe(
      "first",
    );
    const before = () => control.authenticator.caller(lost.key ?? "", { ip: "127.0.0.1" });
    expect(await thrown(before)).not.toBe("");
    expect((await listKeys(control.database, {}, page)).total).toBe(1);
    const given = { password: "correct horse", key: "sk-given-by-the-operator", token: null };
    expect(await ensureRoot(control, given, true)).toEqual({ password: null, key: null });
  }));

test("N17 what the environment gives is used and not shown", () =>
  withParts(async (control) => {
    const given = {
      password: "correct horse",
      key: "sk-given-by-the-operator",
      token: "sat-mine-12",
    };
    expect(await ensureRoot(control, given)).toEqual({ password: null, key: null });
    const caller = await control.authenticator.caller(given.key, { ip: "127.0.0.1" });
    expect(caller.keyName).toBe("first");
    expect((await control.authenticator.operator(given.token)).role).toBe("root");
    const root = await findAccountByName(control.database, "root");
    expect(await isPassword(given.password, root?.password_hash ?? "")).toBe(true);
  }));

test("another key, token or password of the environment takes the place of the one before", () =>
  withParts(async (control) => {
    await ensureRoot(control, {
      password: "correct horse",
      key: "sk-before-before",
      token: "sat-before",
    });
    const after = { password: "battery staple", key: "sk-after-after", token: "sat-after" };
    expect(await ensureRoot(control, after)).toEqual({ password: null, key: null });
    expect((await control.authenticator.caller(after.key, { ip: "" })).username).toBe("root");
    expect((await control.authenticator.operator(after.token)).username).toBe("root");
    const { authenticator } = control;
    expect(await thrown(() => authenticator.caller("sk-before-before", { ip: "" }))).toContain(
      "not valid",
    );
    expect(await thrown(() => authenticator.operator("sat-before"))).toContain("not valid");
    const root = await findAccountByName(control.database, "root");
    expect(await isPassword(after.password, root?.password_hash ?? "")).toBe(true);
    expect((await listKeys(control.database, {}, page)).total).toBe(1);
  }));

test("a password that is too short refuses the start before anything is made", () =>
  withParts(async (control) => {
    const given = { ...nothing, password: "short" };
    expect(await thrown(() => ensureRoot(control, given))).toContain("SLUICE_ROOT_PASSWORD");
    expect(await findAccountByName(control.database, "root")).toBeNull();
  }));
