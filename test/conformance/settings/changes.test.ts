// Settings that are changed beside the file: what holds at once and everywhere, what waits for a
// restart, who is stronger, and what is refused.
import { expect, test } from "bun:test";
import { newPerson } from "../../harness/accounts/usage.ts";
import { startGateway, temporaryFolder } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { rowsOf } from "../../harness/rows.ts";
import { Vendor } from "../../harness/vendor.ts";
import { change, settingOf, undo, type Setting } from "../../harness/accounts/settings.ts";

const hooks = kept(new Vendor((_request, reply) => reply.json({ ok: true })));
const config = 'sandbox: "off"\nretention:\n  log_days: 60\n';
const gateway = useStand(() => startGateway({ config }));

interface Site {
  name: string;
  registration: string;
}

/** Facts that each node shows to visitors. */
async function sites(): Promise<Site[]> {
  await gateway.agreed();
  return await Promise.all(
    gateway.nodeUrls.map(async (url) => {
      const envelope = (await (await fetch(`${url}/api/site`)).json()) as { data: Site };
      return envelope.data;
    }),
  );
}

test("what is live holds at once on every node, and is undone and taken back", async () => {
  const [before] = await sites();
  expect(before).toMatchObject({ name: "Sluice", registration: "off" });
  const changed = await change(gateway, {
    "site.name": "Harbour",
    "accounts.registration": "open",
  });
  expect(
    changed.map(({ name, value, source, live, pending }) => [name, value, source, live, pending]),
  ).toEqual([
    ["site.name", "Harbour", "page", true, null],
    ["accounts.registration", "open", "page", true, null],
  ]);
  for (const site of await sites()) {
    expect(site).toMatchObject({ name: "Harbour", registration: "open" });
  }
  await change(gateway, { "site.name": "Quay" });
  expect(await undo(gateway, "site.name")).toMatchObject({ value: "Harbour", source: "page" });
  expect(await undo(gateway, "site.name")).toMatchObject({ value: "Quay" });
  for (const site of await sites()) expect(site.name).toBe("Quay");
  const [gone] = await change(gateway, { "site.name": null, "accounts.registration": null });
  expect(gone).toMatchObject({ value: "Sluice", source: "default", stated: { previous: "Quay" } });
  for (const site of await sites())
    expect(site).toMatchObject({ name: "Sluice", registration: "off" });
  expect(await undo(gateway, "site.name")).toMatchObject({ value: "Quay" });
  await change(gateway, { "site.name": null });
});

test("each change says who made it, and is in the audit trail with before and after", async () => {
  await change(gateway, { "text.image_tokens_max": 1234 });
  await change(gateway, { "text.image_tokens_max": 2345 });
  expect((await settingOf(gateway, "text.image_tokens_max")).stated).toMatchObject({
    by: "root",
    value: 2345,
    previous: 1234,
    problem: null,
  });
  const { items } = await gateway.control<{ items: { changes: object; actor: string }[] }>(
    "GET",
    "/api/audit?action=setting.change&target_id=text.image_tokens_max",
  );
  expect(items.map(({ changes }) => changes)).toEqual([
    { value: { from: 1234, to: 2345 } },
    { value: { from: null, to: 1234 } },
  ]);
  await change(gateway, { "text.image_tokens_max": null });
});

test.each<[name: string, value: unknown, param: string, message: string]>([
  ["site.name", "", "site.name", "fewer than 1"],
  ["site.name", 5, "site.name", "must be string"],
  ["site.default_language", "English", "site.default_language", "match"],
  ["distribution.ejection_ms", 400_000, "distribution.ejection_ms", "at most ejection_ms_max"],
  ["accounts.email_domains", ["a.b", "no"], "accounts.email_domains.1", "must be a domain"],
  ["sign_in.link", "on", "sign_in.link", "mail.smtp is required"],
  ["notices.quiet", { from: "22:00" }, "notices.quiet.to", "is required"],
  ["notices.quiet", { from: "22:00", to: "7", at: 1 }, "notices.quiet.at", "is not known"],
  ["retention.log_days", 5, "retention.log_days", "sluice.yaml:3"],
  ["server.host", "0.0.0.0", "server.host", "in the file or the environment alone"],
  ["database_url", "postgres://x", "database_url", "in the file or the environment alone"],
  ["SLUICE_SECRET", "x".repeat(40), "SLUICE_SECRET", "in the file or the environment alone"],
  ["site.nam", "x", "site.nam", "is not a setting"],
])("%s refuses %p and changes nothing", async (name, value, param, message) => {
  const asked = {
    changes: [
      { name: "mail.footer", value: "x" },
      { name, value },
    ],
  };
  const refused = await gateway.controlEnvelope("PATCH", "/api/setting", asked);
  expect(refused).toMatchObject({ success: false, code: "invalid_request", param });
  expect(refused.message).toContain(message);
  expect((await settingOf(gateway, "mail.footer")).stated).toBeNull();
});

test("what the file states is locked with its place, and what only a page states can be undone", async () => {
  expect(await settingOf(gateway, "retention.log_days")).toMatchObject({
    value: 60,
    source: "file",
    place: expect.stringMatching(/sluice\.yaml:3$/),
  });
  const refused = await gateway.controlEnvelope("POST", "/api/setting/undo", {
    name: "site.notice",
  });
  expect(refused).toMatchObject({ success: false, code: "invalid_request", param: "name" });
});

test("only root changes settings; admins read them, members do neither", async () => {
  const asked = { changes: [{ name: "site.name", value: "Mine" }] };
  const { id, token } = await newPerson(gateway, 0);
  const as = (method: string, body?: object) =>
    gateway.controlEnvelope(method, "/api/setting", body, token);
  for (const role of ["user", "admin"]) {
    await gateway.control("PATCH", `/api/user/${id}`, { role });
    expect(await as("PATCH", asked)).toMatchObject({ success: false, code: "permission_denied" });
  }
  expect(await as("GET")).toMatchObject({ success: true });
});

test("live limits are asked for each time", async () => {
  const { token } = await newPerson(gateway, 0);
  const make = (name: string) =>
    gateway.controlEnvelope("POST", "/api/token", { name }, token).then(({ success }) => success);
  expect(await make("first")).toBe(true);
  await change(gateway, { "accounts.keys_max": 1 });
  await gateway.agreed();
  expect(await make("second")).toBe(false);
  await change(gateway, { "accounts.keys_max": null });
  await gateway.agreed();
  expect(await make("third")).toBe(true);
});

test("destinations of notices are told at once; their secrets are shown and kept by nobody", async () => {
  const secret = "hook-secret-of-this-test";
  const hook = { name: "ops", type: "webhook", hook_url: `${hooks.url}/ops`, secret };
  await change(gateway, { "notices.destinations": [hook] });
  await gateway.agreed();
  const tell = () => gateway.control("POST", "/api/notice/test", { destination: "ops" });
  expect(await tell()).toMatchObject({ delivered: true });
  expect(hooks.requests.at(-1)?.path).toBe("/ops");
  const shown = await settingOf(gateway, "notices.destinations");
  const masked = { name: "ops", type: "webhook", hook_url: "[secret]", secret: "[secret]" };
  expect(shown.value).toEqual([masked]);
  // Sent back as it is shown, with another name beside it, it keeps its secrets.
  const chat = { name: "chat", type: "slack", hook_url: `${hooks.url}/chat` };
  await change(gateway, { "notices.destinations": [chat, { ...masked, kinds: ["disk_full"] }] });
  await gateway.agreed();
  expect(await tell()).toMatchObject({ delivered: true });
  const unknown = {
    changes: [{ name: "notices.destinations", value: [{ ...masked, name: "new" }] }],
  };
  expect(await gateway.controlEnvelope("PATCH", "/api/setting", unknown)).toMatchObject({
    success: false,
    param: "notices.destinations.0.hook_url",
  });
  const rows = await rowsOf<{ value: string; previous: string }>(
    gateway,
    "select value, previous from setting where name = 'notices.destinations'",
  );
  const audit = await gateway.control<object>("GET", "/api/audit?action=setting.change");
  const all = JSON.stringify([rows, audit, await settingOf(gateway, "notices.destinations")]);
  for (const text of [secret, hooks.url]) expect(all).not.toContain(text);
  expect(rows[0]?.value).toStartWith("sealed:");
  await change(gateway, { "notices.destinations": null });
  await gateway.agreed();
  expect(
    await gateway.controlEnvelope("POST", "/api/notice/test", { destination: "ops" }),
  ).toMatchObject({
    success: false,
    param: "destination",
  });
});

test("what needs a restart waits for it, and a row that does not fit keeps no gateway from starting", async () => {
  const folder = temporaryFolder();
  const options = { folder, config: 'sandbox: "off"\n' };
  const name = "text.response_sockets";
  {
    await using first = await startGateway(options);
    await change(first, { [name]: false, "site.name": "Kept", "images.call_ms": 5000 });
    expect(await settingOf(first, name)).toMatchObject({
      value: true,
      pending: false,
      live: false,
    });
    await rowsOf(
      first,
      "update setting set value = '0' where name = 'images.call_ms' returning name",
    );
    expect(await first.stop()).toBe(0);
  }
  await using second = await startGateway(options);
  expect(await settingOf(second, name)).toMatchObject({
    value: false,
    pending: null,
    source: "page",
  });
  expect(await settingOf(second, "site.name")).toMatchObject({ value: "Kept" });
  const bad: Setting = await settingOf(second, "images.call_ms");
  expect(bad).toMatchObject({ value: 600_000, source: "default" });
  expect(bad.stated?.problem).toContain("images.call_ms must be");
  expect(second.output).toContain("a setting of a page is left out");
  // One that is left out stands in nobody's way.
  await change(second, { "site.name": "Kept still" });
  await change(second, { "images.call_ms": null });
  expect((await settingOf(second, "images.call_ms")).stated?.problem).toBeNull();
});

test("a file of comments alone states nothing, so each setting can be changed", async () => {
  await using commented = await startGateway({ config: "# nothing here yet\n" });
  expect(await settingOf(commented, "site.name")).toMatchObject({ source: "default", place: null });
  const [changed] = await change(commented, { "site.name": "Quay" });
  expect(changed).toMatchObject({ value: "Quay", source: "page" });
});
