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

test("N41 the name of a model is read without its escapes", () => {
  const names = { "arn%3Aaws%2Fus.claude%3A0": "arn:aws/us.claude:0", "a%40b@c": "a@b@c" };
  for (const [sent, model] of Object.entries(names)) {
    for (const path of ["/model/{model}/invoke", "/openai/deployments/{model}/embeddings"]) {
      const match = table.match("POST", path.replace("{model}", sent));
      expect(match).toMatchObject({ route: { path }, params: { model } });
    }
  }
});

test("N41 the address that counts tokens on Vertex AI is not that of a model", () => {
  const models = "/v1/projects/p/locations/l/publishers/anthropic/models";
  const count = table.match("POST", `${models}/count-tokens:rawPredict`);
  expect(count).toMatchObject({ route: { aliasOf: "/v1/messages/count_tokens" } });
  const ask = table.match("POST", `${models}/claude:rawPredict`);
  expect(ask).toMatchObject({ route: { aliasOf: "/v1/messages" } });
});
