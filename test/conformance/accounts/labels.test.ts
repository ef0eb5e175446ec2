// Labels: a request's own word, in the log, in its sums and their files, and never at the vendor's.
import { beforeAll, describe, expect, test } from "bun:test";
import { as, newPerson, refusedField, rowsOf } from "../../harness/accounts/usage.ts";
import type { Person, UsageAnswer } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { rootToken, type Gateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { addressOf, bodyOf, nameOf, routes } from "../../harness/route-table.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { create, prompt, startVideos } from "../../harness/videos.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
let gateway: Gateway;

const stand = useStand(() =>
  startVideos(`
prices: [{ model: videoB-2, second_micros: 100 }]`),
);

beforeAll(async () => {
  ({ gateway } = stand);
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "main", models: ["m"] }));
  await gateway.control("POST", "/api/price", { model: "m", call_micros: 50 });
});

function ask({ key }: Person, body: object, label?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: label === undefined ? headers : { ...headers, "x-sluice-label": label },
    body: JSON.stringify(body),
  });
}

/** Usage of an account once it has so many requests. */
function usageOf({ token }: Person, requests: number, query: string): Promise<UsageAnswer> {
  return eventually(`${requests} requests by ${query}`, async () => {
    const usage = await as<UsageAnswer>(gateway, token, `/api/usage/self?${query}`);
    return usage.sum.requests === requests ? usage : undefined;
  });
}

describe("a label", () => {
  test("N20 stands in the log and has a sum of its own, and the rest has one as well", async () => {
    const person = await newPerson(gateway, 1_000_000);
    for (const label of ["search", "search", "team:chat-2.0"]) {
      expect((await ask(person, chatBody("m"), label)).status).toBe(200);
    }
    expect((await ask(person, chatBody("m"))).status).toBe(200);
    const { items, sum } = await usageOf(person, 4, "by=label");
    const told = items.map(({ label, requests, micros }) => [label, requests, micros]);
    expect(told).toEqual([
      ["search", 2, 100],
      ["", 1, 50],
      ["team:chat-2.0", 1, 50],
    ]);
    expect(sum.micros).toBe(200);
    const own = await usageOf(person, 2, "by=day&label=search");
    expect(own.items.map(({ micros }) => micros)).toEqual([100]);
    const rows = await rowsOf(gateway, `key=${person.keyId}&label=search`, 2);
    expect(rows.map(({ label }) => label)).toEqual(["search", "search"]);
    const [unlabelled] = await rowsOf(gateway, `key=${person.keyId}&micros_min=50`, 4);
    expect(unlabelled?.label).toBeNull();
  });

  test("N20 is a column of both files", async () => {
    const person = await newPerson(gateway, 1_000_000);
    await (await ask(person, chatBody("m"), "of-files")).text();
    await usageOf(person, 1, "by=label");
    const file = async (path: string) => {
      const headers = { authorization: `Bearer ${person.token}` };
      const [head = "", row = ""] = (
        await (await fetch(`${gateway.url}${path}`, { headers })).text()
      ).split("\r\n");
      return row.split(",")[head.split(",").indexOf("label")];
    };
    expect(await file("/api/usage/self.csv?by=day,label")).toBe("of-files");
    expect(await file("/api/log/self.csv?label=of-files")).toBe("of-files");
  });

  test("N20 may stand in the metadata, where the header is the stronger", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const body = { ...chatBody("m"), metadata: { label: "by-body", run: "7" } };
    await (await ask(person, body)).text();
    await (await ask(person, body, "by-header")).text();
    // Metadata are the client's own, so another text there is no fault.
    const wordy = { ...chatBody("m"), metadata: { label: "two words" } };
    expect((await ask(person, wordy)).status).toBe(200);
    const { items } = await usageOf(person, 3, "by=label");
    expect(items.map(({ label }) => label).sort()).toEqual(["", "by-body", "by-header"]);
    const sent = vendor.requests.slice(-3);
    expect(sent.map(({ body: { metadata } }) => metadata)).toEqual([
      { label: "by-body", run: "7" },
      { label: "by-body", run: "7" },
      { label: "two words" },
    ]);
    for (const { headers } of sent) expect(headers["x-sluice-label"]).toBeUndefined();
  });

  test("N20 that is none is a 400 that names the header: nothing is sent or charged", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const before = vendor.requests.length;
    for (const label of ["two words", "x".repeat(65), "a/b"]) {
      const response = await ask(person, chatBody("m"), label);
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: { param: string; message: string } };
      expect(error.param).toBe("x-sluice-label");
      expect(error.message).toContain("x-sluice-label must be");
    }
    expect(vendor.requests).toHaveLength(before);
    const { items } = await usageOf(person, 3, "by=label");
    expect(items.map(({ label, micros }) => [label, micros])).toEqual([["", 0]]);
  });

  test("N20 is looked at on every route that is paid for", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const paid = routes.filter((route) => route.policy === "key" && route.isPaid);
    expect(paid.length).toBeGreaterThan(20);
    for (const route of paid) {
      const response = await fetch(gateway.url + addressOf(route), {
        method: route.method,
        headers: {
          authorization: `Bearer ${person.key}`,
          "content-type": "application/json",
          "x-sluice-label": "two words",
        },
        ...bodyOf(route),
      });
      expect(`${nameOf(route)} ${response.status}`).toBe(`${nameOf(route)} 400`);
      expect(await response.text()).toContain("x-sluice-label must be");
    }
  });

  test("N20 of a video is that of its creation and of its end", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const headers = { "x-sluice-label": "films" };
    const body = { model: "videoB-2", prompt, seconds: 4 };
    expect((await create(gateway, body, { key: person.key, headers })).status).toBe(200);
    await rowsOf(gateway, `key=${person.keyId}&label=films`, 2);
    const { items } = await usageOf(person, 1, "by=label");
    expect(items.map(({ label, micros }) => [label, micros])).toEqual([["films", 400]]);
  });

  test("N20 has a series by days, and no sum together with a model", async () => {
    const person = await newPerson(gateway, 1_000_000);
    await (await ask(person, chatBody("m"), "drawn")).text();
    await usageOf(person, 1, "by=label");
    const { series } = await as<{ series: { name: string; points: { requests: number }[] }[] }>(
      gateway,
      person.token,
      "/api/series/self?by=label",
    );
    expect(series.map(({ name, points }) => [name, points.at(-1)?.requests])).toEqual([
      ["drawn", 1],
    ]);
    for (const [path, field] of [
      ["/api/usage?by=label,model", "label"],
      ["/api/usage?label=drawn&channel=main", "label"],
      ["/api/series?by=label&model=m", "label"],
      ["/api/series?by=label&step=3600", "step"],
    ] as const) {
      expect(await refusedField(gateway, rootToken, path)).toBe(field);
    }
  });
});
