// Lists are searched and sorted by the gateway: every list of names takes `q` and `sort`, and pages
// of one order have each thing once.
import { beforeAll, describe, expect, test } from "bun:test";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const password = "correct horse battery";
const titles = ["Beta ends", "alpha begins", "Beta starts"];

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\nlog: { level: error }\n' }));

beforeAll(async () => {
  for (const [name, multiplier] of [
    ["zebra", 0.5],
    ["Zoo", 2],
    ["apple", 1.5],
  ] as const) {
    await gateway.control("POST", "/api/group", { name, multiplier });
  }
  for (const [username, micros] of [
    ["carol", 300],
    ["Cecil", 100],
    ["dora", 200],
  ] as const) {
    await gateway.control("POST", "/api/user", { username, password, quota_micros: micros });
    // A limit of nothing is used up.
    const quota_micros = username === "dora" ? 0 : micros;
    const key = { name: `key of ${username}`, account: username, quota_micros };
    await gateway.control("POST", "/api/token", key);
  }
  for (const [at, title] of titles.entries()) {
    const body = { title, text: "x", starts_at: 1000 - at };
    await gateway.control("POST", "/api/announcement", body);
  }
  for (const [model, input] of [
    ["own-b", 3],
    ["own-a", 3],
    ["own-c", 1],
  ] as const) {
    await gateway.control("POST", "/api/price", {
      model,
      input_micros_per_million: input,
      output_micros_per_million: 5,
    });
  }
});

type Item = Record<string, unknown>;

async function names(path: string, field: string): Promise<unknown[]> {
  const { items } = await gateway.control<{ items: Item[] }>("GET", path);
  return items.map((item) => item[field]);
}

describe("lists", () => {
  test.each([
    ["/api/group?q=z", "name", ["zebra", "Zoo"]],
    ["/api/group?q=z&sort=-name", "name", ["Zoo", "zebra"]],
    ["/api/group?q=z&sort=multiplier", "name", ["zebra", "Zoo"]],
    ["/api/user?q=c&sort=username", "username", ["carol", "Cecil"]],
    ["/api/user?q=c&sort=-username", "username", ["Cecil", "carol"]],
    ["/api/user?role=user&sort=quota_micros", "username", ["Cecil", "dora", "carol"]],
    ["/api/user?role=user&sort=-created_at", "username", ["dora", "Cecil", "carol"]],
    ["/api/token?q=key%20of&sort=name", "account", ["carol", "Cecil", "dora"]],
    ["/api/token?q=key%20of%20C&sort=-created_at", "account", ["Cecil", "carol"]],
    ["/api/token?q=key%20of&sort=-used_share", "account", ["dora", "Cecil", "carol"]],
    ["/api/announcement?all=true&q=beta", "title", ["Beta starts", "Beta ends"]],
    [
      "/api/announcement?all=true&sort=title",
      "title",
      ["alpha begins", "Beta ends", "Beta starts"],
    ],
    ["/api/announcement?all=true&sort=starts_at", "title", titles.toReversed()],
    ["/api/price?q=OWN", "model", ["own-a", "own-b", "own-c"]],
    ["/api/price?source=own&sort=input", "model", ["own-c", "own-a", "own-b"]],
    ["/api/price?source=own&sort=-input", "model", ["own-a", "own-b", "own-c"]],
  ])("%s lists what matches, in its order", async (path, field, expected) => {
    expect(await names(path, field)).toEqual(expected);
  });

  test("a group counts the channels that serve it", async () => {
    const channel = { type: "openai", base_url: "https://vendor.test/v1", key: "k", models: ["m"] };
    for (const [name, groups] of [
      ["one", ["zebra", "default"]],
      ["two", ["zebra"]],
    ] as const)
      await gateway.control("POST", "/api/channel", { ...channel, name, groups });
    expect(await names("/api/group?q=z&sort=name", "channels")).toEqual([2, 0]);
  });

  test("pages of one order have each thing once, also among equals", async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((p) => names(`/api/user?sort=used_micros&page_size=2&p=${p}`, "username")),
    );
    expect(pages.flat().toSorted()).toEqual(["Cecil", "carol", "dora", "root"]);
  });

  test.each(["group", "user", "token", "announcement", "price"])(
    "a %s is sorted by what is known alone",
    async (entity) => {
      const answer = await gateway.controlEnvelope(
        "GET",
        `/api/${entity}?sort=password_hash`,
        undefined,
        rootToken,
      );
      expect(answer).toMatchObject({ success: false, code: "invalid_request", param: "sort" });
    },
  );
});
