import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAccountByName, listKeys } from "../identity/queries.ts";
import { ensureRoot } from "./first-run.ts";
import { isPassword } from "./passwords.ts";
import { openParts, thrown } from "./control-plane.fixture.ts";

const nothing = { password: null, key: null, token: null };
const page = { offset: 0, limit: 100 };

async function withParts(
  run: (parts: Awaited<ReturnType<typeof openParts>>["parts"]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-first-run-"));
  const { parts, close } = await openParts(folder, []);
  try {
    await run(parts);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("N17 an empty database gets a root account, a password and a key, shown once", () =>
  withParts(async (parts) => {
    const first = await ensureRoot(parts, nothing);
    expect(first.password).toHaveLength(24);
    expect(first.key).toStartWith("sk-");
    const root = await findAccountByName(parts.database, "root");
    expect(root?.role).toBe("root");
    expect(await isPassword(first.password ?? "", root?.password_hash ?? "")).toBe(true);
    const caller = await parts.authenticator.caller(first.key ?? "", "127.0.0.1");
    expect(caller.username).toBe("root");
    expect((await parts.balances.account(caller.accountId))?.unlimited).toBe(true);
    expect(await ensureRoot(parts, nothing)).toEqual({ password: null, key: null });
    expect((await listKeys(parts.database, null, page)).total).toBe(1);
  }));

test("N17 what the environment gives is used and not shown", () =>
  withParts(async (parts) => {
    const given = {
      password: "correct horse",
      key: "sk-given-by-the-operator",
      token: "sat-mine-12",
    };
    expect(await ensureRoot(parts, given)).toEqual({ password: null, key: null });
    const caller = await parts.authenticator.caller(given.key, "127.0.0.1");
    expect(caller.keyName).toBe("first");
    expect((await parts.authenticator.operator(given.token)).role).toBe("root");
    const root = await findAccountByName(parts.database, "root");
    expect(await isPassword(given.password, root?.password_hash ?? "")).toBe(true);
  }));

test("another key, token or password of the environment takes the place of the one before", () =>
  withParts(async (parts) => {
    await ensureRoot(parts, {
      password: "correct horse",
      key: "sk-before-before",
      token: "sat-before",
    });
    const after = { password: "battery staple", key: "sk-after-after", token: "sat-after" };
    expect(await ensureRoot(parts, after)).toEqual({ password: null, key: null });
    expect((await parts.authenticator.caller(after.key, "")).username).toBe("root");
    expect((await parts.authenticator.operator(after.token)).username).toBe("root");
    const { authenticator } = parts;
    expect(await thrown(() => authenticator.caller("sk-before-before", ""))).toContain("not valid");
    expect(await thrown(() => authenticator.operator("sat-before"))).toContain("not valid");
    const root = await findAccountByName(parts.database, "root");
    expect(await isPassword(after.password, root?.password_hash ?? "")).toBe(true);
    expect((await listKeys(parts.database, null, page)).total).toBe(1);
  }));

test("a password that is too short refuses the start before anything is made", () =>
  withParts(async (parts) => {
    const given = { ...nothing, password: "short" };
    expect(await thrown(() => ensureRoot(parts, given))).toContain("SLUICE_ROOT_PASSWORD");
    expect(await findAccountByName(parts.database, "root")).toBeNull();
  }));
