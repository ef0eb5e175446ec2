// Operators' work in the month of the demo's gateway: accounts, channels, prices, credit, codes,
// announcements, and what is changed on the day of the outage.
import { channelBodies, notes, prices, virtualModels } from "./channels.ts";
import type { Client } from "./client.ts";
import { demoPassword, dollarMicros, groups, people, type PersonPlan } from "./company.ts";
import { fitBudgets, setBudgets } from "./budgets.ts";
import { foundOrganisations } from "./found.ts";
import { dayMs, outageDay, startOfDay } from "./plan.ts";
import type { Vendors } from "./vendors.ts";

const hourMs = 3_600_000;
const admin = "maren.holt";

export async function setUp(client: Client, vendors: Vendors): Promise<void> {
  for (const group of groups) await client.control("POST", "/api/group", group);
  for (const channel of channelBodies(vendors))
    await client.control("POST", "/api/channel", channel);
  for (const price of prices) await client.control("POST", "/api/price", price);
  for (const name of virtualModels) await client.control("POST", "/api/virtual-model", name);
  for (const note of notes) await client.control("POST", "/api/model-note", note);
  // A password takes long to hash, so they are made beside each other.
  await Promise.all(people.map((person) => hire(client, person)));
  await setBudgets(client, await foundOrganisations(client));
  const { items } = await client.control<Listed>("GET", "/api/user?q=root");
  await client.control("PATCH", `/api/user/${items[0]?.id ?? ""}`, { group: "dev" });
}

async function hire(client: Client, person: PersonPlan): Promise<void> {
  const { username, displayName, group, role, dollars, keys } = person;
  const { id } = await client.control<{ id: string }>("POST", "/api/user", {
    username,
    group,
    password: demoPassword,
    ...(role && { role }),
    quota_micros: 0,
  });
  const credit = { micros: Math.round(dollars * 0.4 * dollarMicros), reason: "First budget" };
  await client.control("POST", `/api/user/${id}/credit`, credit);
  for (const { name, fields } of keys) {
    await client.makeKey(username, { name, ...(fields ?? { unlimited: true }) });
  }
  const self = await client.hire(username, id);
  await self.control("PATCH", "/api/user/self", {
    display_name: displayName,
    low_balance_micros: Math.round(dollars * 0.1 * dollarMicros),
  });
}

/** Something that is done at a moment of the month. */
export interface Errand {
  atMs: number;
  run(client: Client): Promise<void>;
}

export function planOffice(vendors: Vendors, endMs: number, days: number): Errand[] {
  const daysAgo = (count: number, hour: number) => endMs - count * dayMs + (hour - 12) * hourMs;
  const weekly = [7, 14, 21].map((count) => ({ atMs: daysAgo(count, 9), run: topUp }));
  return [
    ...weekly,
    { atMs: daysAgo(26, 10), run: handOutCodes },
    {
      atMs: daysAgo(24, 11),
      run: (client: Client) => registerAssets(client, vendors, "hana.sato"),
    },
    {
      atMs: daysAgo(5, 11),
      run: (client: Client) => registerAssets(client, vendors, "emil.lindqvist"),
    },
    { atMs: daysAgo(18, 10), run: inviteInterns },
    { atMs: daysAgo(12, 15), run: changePrice },
    { atMs: outageDay(endMs) + 13.2 * hourMs, run: warnOfOutage },
    { atMs: outageDay(endMs) + 15.2 * hourMs, run: thankForPatience },
    { atMs: daysAgo(3, 10), run: announceBudget },
    // After all that every month has.
    { atMs: startOfDay(endMs) - 5.5 * hourMs, run: fitBudgets },
    { atMs: daysAgo(2, 14), run: retireKey },
  ].map(({ atMs, run }) => ({ atMs: Math.max(atMs, endMs - days * dayMs + hourMs), run }));
}

interface Listed {
  items: { id: string; username: string; name: string; title: string }[];
}

async function topUp(client: Client): Promise<void> {
  const { items } = await client.control<Listed>("GET", "/api/user?page_size=100");
  const boss = await client.session(admin);
  for (const { username, dollars, role } of people) {
    const id = items.find((item) => item.username === username)?.id;
    if (dollars < 1 || id === undefined) continue;
    const credit = { micros: Math.round(dollars * 0.2 * dollarMicros), reason: "Weekly budget" };
    const path = `/api/user/${id}/credit`;
    // Admins credit members; root credits those of a role.
    if (role) await client.control("POST", path, credit);
    else await boss.ask("POST", path, credit);
  }
}

async function handOutCodes(client: Client): Promise<void> {
  const boss = await client.session(admin);
  const codes = { name: "workshop on prompts", micros: dollarMicros, count: 6 };
  const made = await boss.ask<{ items: { code: string }[] }>("POST", "/api/redemption", codes);
  const takers = ["samuel.osei", "ines.carvalho", "oksana.koval"];
  for (const [at, taker] of takers.entries()) {
    const browser = await client.session(taker);
    await browser.ask("POST", "/api/redemption/redeem", { code: made.items[at]?.code ?? "" });
  }
}

async function inviteInterns(client: Client): Promise<void> {
  const boss = await client.session(admin);
  await boss.ask("POST", "/api/invitation", { note: "Interns in the data team", uses_max: 3 });
  await boss.ask("POST", "/api/invitation", { note: "外部翻译 (two weeks)", uses_max: 1 });
}

async function changePrice(client: Client): Promise<void> {
  const [, mini] = prices;
  const boss = await client.session(admin);
  await boss.ask("POST", "/api/price", { ...mini, output_micros_per_million: 600_000 });
}

async function warnOfOutage(client: Client): Promise<void> {
  const boss = await client.session(admin);
  await boss.ask("POST", "/api/announcement", {
    title: "Claude models are degraded",
    text: "Anthropic reports an outage. Sonnet is served by OpenRouter meanwhile.",
    level: "warning",
    for_visitors: true,
  });
  await changeChannel(client, "openrouter", { priority: 10 });
}

async function thankForPatience(client: Client): Promise<void> {
  const boss = await client.session(admin);
  const { items } = await boss.ask<Listed>("GET", "/api/announcement");
  const warning = items.find(({ title }) => title.startsWith("Claude"));
  if (warning) await boss.ask("DELETE", `/api/announcement/${warning.id}`);
  await changeChannel(client, "openrouter", { priority: 0 });
}

async function changeChannel(client: Client, name: string, fields: object): Promise<void> {
  const boss = await client.session(admin);
  const { items } = await boss.ask<Listed>("GET", "/api/channel?page_size=100");
  const channel = items.find((item) => item.name === name);
  if (channel) await boss.ask("PATCH", `/api/channel/${channel.id}`, fields);
}

async function announceBudget(client: Client): Promise<void> {
  const boss = await client.session(admin);
  await boss.ask("POST", "/api/announcement", {
    title: "Budgets are renewed on Mondays · 每周一更新额度",
    text: "Write to Maren when yours runs out earlier. 额度不足请联系 Maren。",
  });
}

async function retireKey(client: Client): Promise<void> {
  const boss = await client.session("wei.chen");
  const { items } = await boss.ask<Listed>("GET", "/api/token");
  const review = items.find(({ name }) => name === "code review");
  if (review)
    await boss.ask("PATCH", `/api/token/${review.id}`, { quota_micros: 3 * dollarMicros });
}

const files = ["pier at dawn", "港のロゴ", "灯塔 参考图", "причал зимой"];

/** References for films, one's own and those of one's organisation, by their addresses in the company's own file store. */
async function registerAssets(client: Client, vendors: Vendors, username: string): Promise<void> {
  const person = client.person(username);
  const { items } = await person.control<Listed>("GET", "/api/organisation");
  const scopes = ["", ...items.map(({ id }) => `?as=${id}`)];
  for (const [at, name] of files.entries()) {
    const url = `http://${vendors.host}/files/${username}-${at}.png`;
    const asset = { name, kind: "image", url };
    for (const scope of scopes) await person.control("POST", `/api/asset${scope}`, asset);
  }
}
