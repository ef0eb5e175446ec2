// Members of one organisation are apart: whatever one of them made, another one's key and session
// find as little of it as of what is not there, and what one does changes nothing that another one
// sees. Made from the route table: a route that is added later is asked as all others are.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isObject, type Json } from "../../../src/core/json.ts";
import { isMedia } from "../../../src/core/reference-entry.ts";
import type { Route } from "../../../src/http/route.ts";
import {
  invite,
  newCompany,
  newPerson,
  type Company,
} from "../../harness/accounts/organisation.ts";
import type { Browser } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import { Vendor } from "../../harness/vendor.ts";
import { defaultCounts, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

/** Stands in every prompt of the one member, and may stand in no answer to the other. */
const secretWord = "quetzalcoatl";

/** Keeps the one response that it made. */
const vendor = kept(
  new Vendor(({ path }, reply) =>
    reply.json(
      path.endsWith("/input_items")
        ? { object: "list", data: [], has_more: false }
        : wires.responses.reply(secretWord, defaultCounts),
    ),
  ),
);

const gateway = useStand(() => {
  const channel = vendor.channel({
    name: "storing",
    ...wires.responses.channel,
    models: ["stored"],
  });
  const prices = [{ model: "stored", input_micros_per_million: 1, output_micros_per_million: 1 }];
  const config = JSON.stringify({ sandbox: "on", channels: [channel], prices });
  return startGateway({ config, oneProcess: "practice" });
});

interface Member {
  browser: Browser;
  key: string;
  keyId: string;
}

interface Asked {
  status: number;
  text: string;
  isReplay: boolean;
  requestId: string;
}

type Ask = (method: string, path: string, body?: Json) => Promise<Asked>;

const modelsReason = "models are no member's";

/** Routes that may tell a member of others, each with its reason. */
const sharedRoutes: Readonly<Record<string, string>> = {};

/** Routes whose things the one member has none of here, each with its reason. */
const unseededRoutes: Readonly<Record<string, string>> = {
  "GET /v1/models/{id}": modelsReason,
  "GET /v1beta/models/{id}": modelsReason,
};

let acme: Company;
let one: Member;
let other: Member;
/** Ids that the one member was told: of tasks all, of others one of each shape. */
const ids = new Set<string>();
const shapes = new Set<string>();

const needsId = ({ path }: Route) => /\{(?!model\}|organisation\})\w+\}/.test(path);
const keyRoutes = routes.filter((route) => route.policy === "key" && !route.entry.isSocket);
const scopedRoutes = routes.filter((route) => route.policy === "control" && route.seats);

/** A stream that goes on for as long as somebody looks. */
function isEndless({ method, entry: { answer } }: Route): boolean {
  return method === "GET" && isMedia(answer) && answer.type === "text/event-stream";
}

function withKey({ key }: Member, headers: Record<string, string> = {}): Ask {
  return async (method, path, body) =>
    await told(
      await fetch(gateway.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
}

function withSession({ browser }: Member): Ask {
  return async (method, path, body) =>
    await told(await browser.send(method, `${path}?${acme.as}`, body));
}

async function told(response: Response): Promise<Asked> {
  return {
    status: response.status,
    text: await response.text(),
    isReplay: response.headers.get("idempotent-replayed") === "true",
    requestId: response.headers.get("x-request-id") ?? "",
  };
}

/** The address with the id in each place of one. */
function addressOf({ path }: Route, id: string): string {
  const part = encodeURIComponent(id);
  return path
    .replaceAll("{model}", "chatA")
    .replaceAll("{organisation}", acme.id)
    .replaceAll(/\{\w+\}/g, part);
}

/** An id of the same shape that is nobody's. */
function unknownId(id: string): string {
  return id.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, (last) => (last === "0" ? "1" : "0"));
}

/** Apart from the ids that were asked for, and those of the requests. */
function factsOf({ status, text, requestId }: Asked, id: string): object {
  const named = text.replaceAll(id, "ID").replaceAll(requestId || id, "REQUEST");
  return { status, text: named.replaceAll(/"(?:last_used\w*|created|from|to)":\d+/g, "MOMENT") };
}

function shapeOf(id: string): string {
  return /^[a-z]+/i.exec(id)?.[0] ?? id;
}

/** Whether the route tells its asker of any of the ids. */
async function isFound(ask: Ask, route: Route): Promise<boolean> {
  for (const id of ids) {
    if ((await ask("GET", addressOf(route, id))).status < 300) return true;
  }
  return false;
}

function addId(id: string): void {
  const shape = shapeOf(id);
  if (shape === "task" || !shapes.has(shape)) ids.add(id);
  shapes.add(shape);
}

/** A name is one of an operation, and not of a model. */
function isIdField(name: string, value: string): boolean {
  if (name === "name") return value.includes("operations/");
  return /^(?:id|Id|.*_id|.*Id|result)$/.test(name) && value !== "";
}

function collectIds(value: Json | undefined): void {
  if (Array.isArray(value)) for (const item of value) collectIds(item);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === "string" && isIdField(name, item)) addId(item);
      else collectIds(item);
    }
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the word in every text that says something. */
function speaking(example: Json): Json {
  const text = JSON.stringify(example).replaceAll("Say hello.", `Say ${secretWord}.`);
  return JSON.parse(text);
}

/** Those that read first: a removal that works would hide what comes after it. */
const idRoutes = [...keyRoutes, ...scopedRoutes]
  .filter((route) => needsId(route) && !isEndless(route) && route.aliasOf === undefined)
  .toSorted((first, second) => Number(first.method !== "GET") - Number(second.method !== "GET"));

/** Everything that a key can have made, by the examples of the reference. */
const makers = keyRoutes.filter(
  ({ method, entry, aliasOf }) => method === "POST" && entry.body && aliasOf === undefined,
);

async function make(member: Member, route: Route, idempotencyKey: string): Promise<Asked> {
  const ask = withKey(member, { "idempotency-key": idempotencyKey });
  const example = route.entry.body?.example ?? {};
  return await ask("POST", addressOf(route, "one"), speaking(example));
}

async function newMember(browser: Browser, name: string): Promise<Member> {
  const body = { name, unlimited: true };
  const path = `/api/token?${acme.as}`;
  const { id, key } = await browser.ask<{ id: string; key: string }>("POST", path, body);
  return { browser, key, keyId: id };
}

/** All that is told without an id, as the other member sees it. */
async function look(): Promise<Map<string, object>> {
  const seen = new Map<string, object>();
  const asks = [
    ...keyRoutes.map((route) => [route, withKey(other)] as const),
    ...scopedRoutes.map((route) => [route, withSession(other)] as const),
  ].filter(([route]) => route.method === "GET" && !needsId(route) && !isEndless(route));
  for (const [route, ask] of asks) {
    const answer = await ask("GET", addressOf(route, ""));
    seen.set(nameOf(route), factsOf(answer, secretWord));
  }
  return seen;
}

/** Asks for more than the organisation has. */
async function refusal(): Promise<object> {
  const messages = [{ role: "user", content: "hi" }];
  const body = { model: "chatA", messages, n: 128, max_tokens: 128_000 };
  return factsOf(await withKey(other)("POST", "/v1/chat/completions", body), secretWord);
}

let before: Map<string, object>;
let after: Map<string, object>;
let refusals: object[];

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  const credit = async (micros: number) =>
    void (await gateway.control("POST", `/api/user/${acme.id}/credit`, { micros, reason: "r" }));
  await credit(50_000_000);
  const second = await newPerson(gateway, "acme-other");
  await invite(acme.people.owner, acme, { browser: second, role: "member" });
  one = await newMember(acme.people.member, "one");
  other = await newMember(second, "other");
  const refused = await refusal();
  // From here on its own key has been used.
  await look();
  before = await look();
  await credit(1_234_567);
  ids.add(one.keyId);
  const stored = { model: "stored", input: `Say ${secretWord}.` };
  collectIds(parsed((await withKey(one)("POST", "/v1/responses", stored)).text));
  for (const route of makers) {
    const made = await make(one, route, `daily ${nameOf(route)}`);
    addId(made.requestId);
    collectIds(parsed(made.text));
  }
  after = await look();
  refusals = [refused, await refusal()];
});

describe("what one member of an organisation does", () => {
  test("is not seen by another where nothing is named", () => {
    const changed = [...before].filter(
      ([name, facts]) => JSON.stringify(facts) !== JSON.stringify(after.get(name)),
    );
    expect(Object.fromEntries(changed)).toEqual({});
  });

  test("is not seen in a refusal for want of money", () => {
    expect(refusals[0]).toMatchObject({ status: 402 });
    expect(refusals[1]).toEqual(refusals[0]);
  });

  test("leaves names of idempotent requests to others", async () => {
    for (const route of makers) {
      const key = `names of ${nameOf(route)}`;
      const [again, made] = [await make(one, route, key), await make(other, route, key)];
      expect([nameOf(route), made.status, made.isReplay]).toEqual([
        nameOf(route),
        again.status,
        false,
      ]);
    }
  });

  test.each(idRoutes.map((route) => [nameOf(route), route] as const))(
    "is to another one at %s as if it were not there",
    async (name, route) => {
      const isKeys = route.policy === "key";
      const askOf = (member: Member) => (isKeys ? withKey(member) : withSession(member));
      const [askOther, askOne] = [askOf(other), askOf(one)];
      const { method } = route;
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      const missing = new Map<string, Promise<object>>();
      const askMissing = async (id: string) =>
        factsOf(await askOther(method, addressOf(route, id), body), id);
      const seen = [...ids].map(async (id) => {
        const shape = shapeOf(id);
        if (!missing.has(shape)) missing.set(shape, askMissing(unknownId(id)));
        const found = factsOf(await askOther(method, addressOf(route, id), body), id);
        return JSON.stringify(found) === JSON.stringify(await missing.get(shape)) ? [] : [found];
      });
      if (!(name in sharedRoutes)) expect((await Promise.all(seen)).flat()).toEqual([]);
      if (method === "GET") {
        expect([name, await isFound(askOne, route)]).toEqual([name, !(name in unseededRoutes)]);
      }
    },
  );

  test("is still there for its maker after the other one has tried everything", async () => {
    for (const route of idRoutes.filter(({ method }) => method === "GET")) {
      if (nameOf(route) in unseededRoutes) continue;
      const ask = route.policy === "key" ? withKey(one) : withSession(one);
      expect([nameOf(route), await isFound(ask, route)]).toEqual([nameOf(route), true]);
    }
  });
});
