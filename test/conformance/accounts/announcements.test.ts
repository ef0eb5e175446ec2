// News of the operators for everyone who is signed in.
import { beforeAll, expect, test } from "bun:test";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

interface Announcement {
  id: string;
  title: string;
  text: string;
  starts_at: number | null;
  ends_at: number | null;
}

const path = "/api/announcement";
const nowSeconds = Math.floor(Date.now() / 1000);
let reader: Browser;

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

beforeAll(async () => {
  await gateway.control("POST", "/api/user", { username: "reader", password });
  reader = await new Browser(gateway.url).signIn("reader");
});

async function announce(fields: object = {}): Promise<Announcement> {
  const body = { title: "Maintenance", text: "Tonight.", ...fields };
  return await gateway.control<Announcement>("POST", path, body);
}

async function read(at: Browser = reader, query: string = ""): Promise<string[]> {
  const { items } = await at.ask<{ items: Announcement[] }>("GET", `${path}?page_size=100${query}`);
  return items.map(({ id }) => id);
}

test("N10 an announcement is read by everyone who is signed in, newest first, until it is gone", async () => {
  const first = await announce();
  const second = await announce({ title: "Second", text: "Two\nlines and a\ttab." });
  expect((await read()).slice(0, 2)).toEqual([second.id, first.id]);
  const changed = await gateway.control("PATCH", `${path}/${first.id}`, { title: "Moved" });
  expect(changed).toMatchObject({ id: first.id, title: "Moved", text: "Tonight." });
  expect(await gateway.control("DELETE", `${path}/${first.id}`)).toEqual({ id: first.id });
  expect(await read()).not.toContain(first.id);
  const gone = { success: false, code: "not_found" };
  expect(await gateway.controlEnvelope("DELETE", `${path}/${first.id}`)).toMatchObject(gone);
  const late = await gateway.controlEnvelope("PATCH", `${path}/${first.id}`, { title: "x" });
  expect(late).toMatchObject(gone);
});

test("N10 only what is current is shown; admins may ask for all", async () => {
  const past = await announce({ ends_at: nowSeconds - 10 });
  const future = await announce({ starts_at: nowSeconds + 3600 });
  const now = await announce({ starts_at: nowSeconds - 10, ends_at: nowSeconds + 3600 });
  const shown = await read();
  expect(shown).toContain(now.id);
  expect(shown).not.toContain(past.id);
  expect(shown).not.toContain(future.id);
  expect(await read(reader, "&all=true")).toEqual(shown);
  await gateway.control("POST", "/api/user", { username: "editor", password, role: "admin" });
  const editor = await new Browser(gateway.url).signIn("editor");
  const all = await read(editor, "&all=true");
  expect(all).toEqual(expect.arrayContaining([past.id, future.id, now.id]));
  expect(await read(editor)).toEqual(shown);
  await gateway.control("PATCH", `${path}/${past.id}`, { ends_at: null });
  expect(await read()).toContain(past.id);
});

test("hazard G13 it is plain text of a bounded length, and is given back as it is", async () => {
  const text = '<script>alert("x")</script> & **not** markup';
  const { id } = await announce({ text });
  const { items } = await reader.ask<{ items: Announcement[] }>("GET", path);
  expect(items.find((one) => one.id === id)?.text).toBe(text);
  const wrong: [object, string][] = [
    [{ title: "" }, "title"],
    [{ title: "   " }, "title"],
    [{ title: "x".repeat(121) }, "title"],
    [{ text: "x".repeat(4001) }, "text"],
    [{ text: "bell\u0007" }, "text"],
    [{ text: "\u001b[31mred" }, "text"],
    [{ text: 5 }, "text"],
    [{ html: "<b>" }, "html"],
    [{ starts_at: "soon" }, "starts_at"],
    [{ starts_at: 20, ends_at: 10 }, "ends_at"],
    [{ id: "ann_mine" }, "id"],
  ];
  for (const [fields, param] of wrong) {
    const body = { title: "T", text: "t", ...fields };
    const answer = await gateway.controlEnvelope("POST", path, body);
    expect(answer).toMatchObject({ success: false, code: "invalid_request", param });
  }
  const changed = await gateway.controlEnvelope("PATCH", `${path}/${id}`, { text: "" });
  expect(changed).toMatchObject({ code: "invalid_request", param: "text" });
});
