import { expect, test } from "bun:test";
import { createKey } from "../key/create.ts";
import { revokeKey } from "../key/revoke.ts";
import { openPlane, refusal } from "../fixtures/control-plane.ts";
import { listGroupViews } from "./list.ts";
import { removeGroup } from "./remove.ts";
import { setGroup } from "./write.ts";

test("a group is made or replaced, and its keys pay by it at once", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const made = await setGroup(control, root, { name: "team a", multiplier: 1.25 });
  expect(made).toMatchObject({ name: "team a", multiplier: 1.25, declared: false });
  const { key } = await createKey(control, root, { name: "k", group: "team a" });
  expect((await control.authenticator.caller(key, { ip: "" })).multiplierPpm).toBe(1_250_000);
  await setGroup(control, root, { name: "team a", requests_per_minute: 3 });
  const caller = await control.authenticator.caller(key, { ip: "" });
  expect(caller.multiplierPpm).toBe(1_000_000);
  expect(caller.rates.find(({ scope }) => scope === "group")?.rule.requestsPerMinute).toBe(3);
  const { items } = await listGroupViews(control, root, new URLSearchParams());
  expect(items.map(({ name }) => name)).toEqual(["default", "team a"]);
});

test("a multiplier is never negative, nor finer than a millionth", async () => {
  await using plane = await openPlane();
  for (const multiplier of [-1, 1001, 0.000_000_1, "1"]) {
    const made = setGroup(plane.control, plane.root, { name: "x", multiplier });
    expect((await refusal(made)).param).toBe("multiplier");
  }
});

test("a group in use and the default group cannot be deleted", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const remove = (name: string) => removeGroup(control, root, { name });
  expect((await refusal(remove("default"))).code).toBe("conflict");
  expect((await refusal(remove("none"))).code).toBe("not_found");
  await setGroup(control, root, { name: "vip" });
  const { id } = await createKey(control, root, { name: "k", group: "vip" });
  expect((await refusal(remove("vip"))).code).toBe("conflict");
  await revokeKey(control, root, { id });
  expect(await remove("vip")).toEqual({ name: "vip" });
  expect(control.groups.find("vip")).toBeUndefined();
});
