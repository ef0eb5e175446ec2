// Five hard budgets over one key, on two gateways over one database: whichever leaves money for
// three requests, three of 500 at once are served, and all others hear of that one.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { newCompany, type Company } from "../harness/accounts/organisation.ts";
import { chatBody, errorOf, tally } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { addFlatModel } from "../harness/nodes/flat-model.ts";
import { Pair } from "../harness/nodes/pair.ts";
import { Vendor } from "../harness/vendor.ts";
import { answers } from "../harness/wires.ts";

setDefaultTimeout(60_000);

const priceMicros = 1000;
const plentyMicros = 900_000_000;
/** Money for three, and not for four. */
const scarceMicros = 3 * priceMicros + 999;
const label = "nightly";
const scopes = ["account", "member", "project", "key", "label"] as const;

interface Made {
  id: string;
  now: { spent_micros: number; held_micros: number } | null;
}

const vendor = new Vendor(answers("chat", "Yes."));
let pair: Pair;
let acme: Company;
let key: string;
let subjects: Partial<Record<(typeof scopes)[number], string>>;

beforeAll(async () => {
  pair = await Pair.start({});
  await addFlatModel([pair.one, pair.other], vendor, priceMicros);
  acme = await newCompany(pair.one, "acme");
  const credit = { micros: plentyMicros, reason: "invoice" };
  await pair.one.control("POST", `/api/user/${acme.id}/credit`, credit);
  const { admin, member } = acme.people;
  const project = { name: "research" };
  const { id } = await admin.ask<Made>("POST", `/api/organisation/${acme.id}/project`, project);
  const body = { name: "batch", unlimited: true, project: "research" };
  const made = await member.ask<Made & { key: string }>("POST", `/api/token?${acme.as}`, body);
  key = made.key;
  subjects = { label, member: acme.ids.member, project: id, key: made.id };
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

/** One budget of each scope; the other node knows of them once it shows the last. */
async function makeBudgets(scarce: (typeof scopes)[number]): Promise<Map<string, Made>> {
  const all = new Map<string, Made>();
  for (const scope of scopes.toReversed()) {
    const subject = subjects[scope];
    const body = {
      name: `of the ${scope}`,
      account: acme.id,
      scope,
      mode: "hard",
      limit_micros: scope === scarce ? scarceMicros : plentyMicros,
      ...(subject !== undefined && { subject }),
    };
    all.set(scope, await pair.one.control<Made>("POST", "/api/budget", body));
  }
  await eventually("the budgets on the other node", async () => {
    const response = await pair.other.get("/v1/budget", key);
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data.some(({ id }) => id === all.get("account")?.id) ? true : undefined;
  });
  return all;
}

async function ask(url: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "x-sluice-label": label,
  };
  const body = JSON.stringify(chatBody("flat"));
  const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
  return new Response(await response.text(), response);
}

test.each(scopes)(
  "three of 500 at once are served where that of the %s leaves three",
  async (at) => {
    const { one, other } = pair;
    const made = await makeBudgets(at);
    const before = vendor.requests.length;
    const asked = Array.from({ length: 500 }, (_, index) => ask((index % 2 ? other : one).url));
    const all = await Promise.all(asked);
    const refused = all.filter(({ status }) => status !== 200);
    expect(tally(all.map(({ status }) => status))).toEqual(
      new Map([
        [200, 3],
        [402, 497],
      ]),
    );
    expect(vendor.requests).toHaveLength(before + 3);
    const errors = await Promise.all(refused.map(errorOf));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["budget_exceeded"]));
    // A member reads the names and the sums of its own budgets alone, and of others their share.
    const isOwn = at === "member" || at === "key";
    expect(new Set(errors.map(({ param }) => param))).toEqual(
      new Set([isOwn ? `of the ${at}` : null]),
    );
    const telling = errors.filter(({ message }) => message.includes("of $0.003999"));
    expect(telling).toHaveLength(isOwn ? errors.length : 0);
    const shared = errors.filter(({ message }) => /organisation is spent to \d+ %/.test(message));
    expect(shared).toHaveLength(isOwn ? 0 : errors.length);
    for (const { id } of made.values()) {
      const { now } = await other.control<Made>("GET", `/api/budget/${id}`);
      expect(now).toMatchObject({ spent_micros: 3 * priceMicros, held_micros: 0 });
      await one.control("DELETE", `/api/budget/${id}`);
    }
    expect(await one.control("POST", "/api/ledger/verify")).toMatchObject({ ok: true });
  },
);
