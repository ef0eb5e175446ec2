import { expect, test } from "bun:test";
import { openPlane, refusal } from "../fixtures/control-plane.ts";
import { createToken } from "./create.ts";
import { listTokenViews } from "./list.ts";
import { revokeToken } from "./revoke.ts";

const all = { query: { p: 1, page_size: 20 } };

test("N10 one's own tokens are made, listed without their text, and revoked at once", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const alice = await plane.person("alice");
  const made = await createToken(control, alice, {
    body: { name: "script", expires_at: 4_000_000_000 },
  });
  const { operator } = { operator: await control.authenticator.operator(made.token) };
  expect(operator).toEqual({ ...alice, expiresAtMs: 4_000_000_000_000 });
  const { items, total } = await listTokenViews(control, alice, all);
  expect(total).toBe(1);
  expect(items).toMatchObject([{ id: made.id, name: "script", expires_at: 4_000_000_000 }]);
  expect(JSON.stringify(items)).not.toContain(made.token);
  expect(await revokeToken(control, alice, { id: made.id })).toEqual({ id: made.id });
  expect((await refusal(control.authenticator.operator(made.token))).code).toBe("invalid_api_key");
  expect((await listTokenViews(control, alice, all)).items).toEqual([]);
});

test("a token makes none that outlives it, be it asked for or left open", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const alice = await plane.person("alice");
  const own = 4_000_000_000;
  const { token } = await createToken(control, alice, { body: { expires_at: own } });
  const maker = await control.authenticator.operator(token);
  const later = await refusal(createToken(control, maker, { body: { expires_at: own + 1 } }));
  expect(later).toEqual({ code: "invalid_request", param: "expires_at" });
  expect(await createToken(control, maker, { body: {} })).toMatchObject({ expires_at: own });
  const sooner = { expires_at: own - 1 };
  expect(await createToken(control, maker, { body: sooner })).toMatchObject(sooner);
  // A signed-in account is not bound by any token.
  expect(await createToken(control, alice, { body: {} })).toMatchObject({ expires_at: null });
});

test("hazard G1 a token of another is like one that is not there, even for root", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  const { id, token } = await createToken(control, alice, { body: {} });
  const theirs = await refusal(revokeToken(control, root, { id }));
  expect(theirs.code).toBe("not_found");
  expect(await refusal(revokeToken(control, root, { id: "tok_none" }))).toEqual(theirs);
  expect((await listTokenViews(control, root, all)).total).toBe(0);
  await control.authenticator.operator(token);
});
