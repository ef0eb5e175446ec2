import { expect, test } from "bun:test";
import { routes } from "../../test/harness/route-table.ts";
import { isControl, isOpenToPages } from "./respond.ts";
import { RouteTable } from "./route.ts";

const table = new RouteTable(routes);

test.each([
  ["", "a"],
  ["/", "a"],
  ["/nothing", "a"],
  ["/v1", "a"],
  ["/v1/nothing", "a"],
  ["/v1/chat/nothing", "a"],
  ["/v1/messages", "messages"],
  ["/v1/messages/nothing", "messages"],
  ["/v1beta/nothing", "google"],
  ["/v1/video/nothing", "unified"],
  ["/imgF/nothing", "img-f"],
  ["/videoE/nothing", "video-e"],
  ["/api/nothing", "session"],
  ["/api/user/x/y/z", "session"],
  ["/api/asset/get/nothing", "c"],
] as const)(
  "what is not there at %p is answered in the envelope %p of its neighbours",
  (path, name) => {
    expect(table.nearest(path).envelope).toBe(name);
  },
);

test.each([
  ["/v1/chat/completions", 204],
  ["/v1beta/models", 204],
  ["/dashboard/billing/usage", 204],
  ["/imgF/submit/imagine", 204],
  ["/api/asset/get", 405],
  ["/api/user/self", 405],
  ["/api/user/login", 405],
  ["/api/oauth/state", 405],
  ["/api/nothing", 405],
  ["/metrics", 405],
  ["/docs", 405],
])("a preflight to %p is answered with %p", (path, status) => {
  expect(isOpenToPages(table.nearest(path)) ? 204 : 405).toBe(status);
});

test("only what people sign in to, and what is for this machine, is of the control plane", () => {
  for (const path of ["/api/user/self", "/api/asset/get", "/api/nothing", "/metrics"]) {
    expect([path, isControl(table.nearest(path))]).toEqual([path, true]);
  }
  for (const path of ["/v1/models", "/docs", "/nothing"]) {
    expect([path, isControl(table.nearest(path))]).toEqual([path, false]);
  }
});

test("what is spelt out is matched before what may be anything, whatever stands first", () => {
  const anyRow = routes.find(({ path }) => path === "/api/user/{id}/identities/{part}");
  const ownRow = routes.find(({ path }) => path === "/api/user/self/identities/{id}");
  if (!anyRow || !ownRow) throw new Error("the rows are gone");
  const match = new RouteTable([anyRow, ownRow]).match("DELETE", "/api/user/self/identities/x");
  expect(match).toMatchObject({ route: { path: ownRow.path }, params: { id: "x" } });
});
