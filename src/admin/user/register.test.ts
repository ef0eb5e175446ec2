import { expect, test } from "bun:test";
import { createInvitation } from "../invitation/create.ts";
import { listInvitationViews } from "../invitation/list.ts";
import { removeInvitation } from "../invitation/remove.ts";
import { enterCalls } from "../session/contract.ts";
import { openPlane, refusal, type Plane } from "../fixtures/control-plane.ts";
import type { Visitor } from "../session/visitor.ts";
import { register } from "./register.ts";

const password = "a long password";
const visitor: Visitor = { ip: "192.0.2.1", agent: "Browser", session: null };

/** The plane with registration as the operator set it. */
function partsOf(
  { control }: Plane,
  registration: Plane["control"]["accountRules"]["registration"],
) {
  return { ...control, accountRules: { ...control.accountRules, registration } };
}

test("registration is off unless the operator opens it", async () => {
  await using plane = await openPlane();
  const closed = await refusal(
    register(plane.control, visitor, { body: { username: "new", password } }),
  );
  expect(closed.code).toBe("permission_denied");
  expect(
    await refusal(register(plane.control, visitor, { body: { username: "root", password } })),
  ).toEqual(closed);
});

test("U3 who registers has an ordinary account without money and is signed in", async () => {
  await using plane = await openPlane();
  const control = partsOf(plane, "open");
  const { self, secret } = await register(control, visitor, {
    body: { username: "new", password },
  });
  expect(self).toMatchObject({ username: "new", role: "user", group: "default", quota_micros: 0 });
  expect((await control.sessions.operator(secret)).accountId as string).toBe(self.id);
});

test("hazard G3 nothing but name, password and code can be asked for", async () => {
  const extras = {
    role: "root",
    quota_micros: 1,
    group: "vip",
    id: "acc_1",
    status: "enabled",
    password_hash: "x",
    unlimited: true,
    created_at: 1,
  };
  for (const [name, value] of Object.entries(extras)) {
    const body = { username: "new", password, [name]: value };
    expect(await refusal((async () => enterCalls.register.body.parse(body))())).toEqual({
      code: "invalid_request",
      param: name,
    });
  }
});

test("a name is taken in any capitals, and a bad one is refused", async () => {
  await using plane = await openPlane();
  const control = partsOf(plane, "open");
  for (const username of ["root", "Root", "ROOT"]) {
    const taken = { code: "conflict", param: "username" };
    expect(await refusal(register(control, visitor, { body: { username, password } }))).toEqual(
      taken,
    );
  }
  const both = ["Twin", "twin"].map((username) =>
    register(control, visitor, { body: { username, password } }),
  );
  const ends = await Promise.allSettled(both);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const body of [
    { username: "a b", password },
    { username: "ok", password: "short" },
  ]) {
    const refused = await refusal((async () => enterCalls.register.body.parse(body))());
    expect(refused.code).toBe("invalid_request");
  }
});

test("an invitation lets in as many as it says, at once or one by one", async () => {
  await using plane = await openPlane();
  const control = partsOf(plane, "invitation");
  const { id, code } = await createInvitation(control, plane.root, {
    body: { uses_max: 2, note: "team" },
  });
  const works = ["one", "two", "three", "four"].map((username) =>
    register(control, visitor, { body: { username, password, invitation: code } }),
  );
  const ends = await Promise.allSettled(works);
  const late = works.filter((_, at) => ends[at]?.status === "rejected");
  expect(late).toHaveLength(2);
  for (const work of late) {
    expect(await refusal(work)).toEqual({ code: "invalid_request", param: "invitation" });
  }
  const { items } = await listInvitationViews(control, plane.root, {
    query: { p: 1, page_size: 20 },
  });
  expect(items).toMatchObject([{ id, note: "team", uses: 2, uses_max: 2 }]);
  expect(JSON.stringify(items)).not.toContain(code);
});

test("hazard F17 without a code that works nobody learns which names there are", async () => {
  await using plane = await openPlane();
  const control = partsOf(plane, "invitation");
  const clock = { ...control.clock, nowMs: () => 1_500_000_000_000 };
  const then = { ...control, clock };
  const past = await createInvitation(then, plane.root, { body: { expires_at: 1_600_000_000 } });
  const gone = await createInvitation(control, plane.root, { body: {} });
  await removeInvitation(control, plane.root, { id: gone.id });
  for (const username of ["root", "nobody-yet"]) {
    for (const invitation of [undefined, "wrong", past.code, gone.code, past.id]) {
      const body = { username, password, ...(invitation !== undefined && { invitation }) };
      expect(await refusal(register(control, visitor, { body }))).toEqual({
        code: "invalid_request",
        param: "invitation",
      });
    }
  }
  const missing = removeInvitation(control, plane.root, { id: gone.id });
  expect((await refusal(missing)).code).toBe("not_found");
});

test("a name that was taken costs the invitation nothing", async () => {
  await using plane = await openPlane();
  const control = partsOf(plane, "invitation");
  const { code: invitation } = await createInvitation(control, plane.root, { body: {} });
  const taken = { username: "root", password, invitation };
  expect((await refusal(register(control, visitor, { body: taken }))).code).toBe("conflict");
  await register(control, visitor, { body: { username: "free", password, invitation } });
});
