// A PATCH keeps what it does not name: for every field of everything that can be changed in parts,
// all fields are set, one of them is sent again, and all the others are read as they were.
import { expect, test } from "bun:test";
import type { ControlRoute } from "../../src/http/route.ts";
import { startGateway } from "../harness/gateway.ts";
import { useStand } from "../harness/nodes/stand.ts";
import { nameOf, routes } from "../harness/route-table.ts";
import { newPerson } from "../harness/accounts/usage.ts";

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

type Fields = Record<string, unknown>;

interface Case {
  /** Makes one with these fields, and returns its address. */
  make(fields: Fields): Promise<string>;
  /** Sets of fields that go together; all of them have every field of the schema. */
  samples: readonly Fields[];
  /** Fields that an answer never shows, or shows otherwise, each with the reason. */
  unseen?: Readonly<Record<string, string>>;
  /** Fields of the schema that no sample has, each with the reason. */
  left?: Readonly<Record<string, string>>;
  /** Reads one at its address; by default by GET. */
  read?(path: string): Promise<Fields>;
}

const ask = <Data = Fields>(method: string, path: string, body?: object) =>
  gateway.control<Data>(method, path, body);

let count = 0;

/** Names are given here, as each thing has its own. */
function named(fields: Fields, prefix: string): Fields {
  return { name: `${prefix}-${++count}`, ...fields };
}

async function made(address: string, fields: Fields): Promise<string> {
  const { id, name } = await ask("POST", address, fields);
  return `${address}/${String(id ?? name)}`;
}

async function readListed(path: string): Promise<Fields> {
  const [list, id] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
  const query = list.includes("announcement") ? "?all=true&page_size=100" : "";
  const { items } = await ask<{ items: Fields[] }>("GET", list + query);
  const found = items.find((one) => [one["id"], one["name"], one["account_id"]].includes(id));
  if (!found) throw new Error(`${path} is not listed`);
  return found;
}

const rates = { requests_per_minute: 11, tokens_per_minute: 22, concurrency: 3 };

let organisation: Promise<string> | null = null;

/** Address of the one organisation of these tests. */
async function organisationPath(): Promise<string> {
  organisation ??= made("/api/organisation", { name: "house" });
  return await organisation;
}

const patches: Readonly<Record<string, Case>> = {
  "PATCH /api/channel/{id}": {
    make: async (fields) =>
      await made("/api/channel", {
        name: `channel-${++count}`,
        type: "openai",
        base_url: "https://a.example",
        key: "k",
        models: ["m"],
        ...fields,
      }),
    samples: [
      {
        name: "whole",
        type: "azure",
        format: "responses",
        base_url: "https://whole.openai.azure.com",
        vendor: { api_version: "2025-01-01" },
        models: ["m", "n"],
        groups: ["default", "vip"],
        priority: 7,
        weight: 9,
        model_mapping: { m: "x" },
        parameters: { set: { temperature: 0.5 } },
        headers: { "x-team": "red" },
        surcharges: { default: "refuse" },
        drop_store: true,
        allow_private: true,
        allow_objects: true,
        hidden_prompt_tokens: 5,
        cost: { percent: 40 },
        allow_routing: true,
        affinity: false,
        proxy: "http://user:secret@proxy.example:8080",
        status: "disabled",
        ...rates,
        key_requests_per_minute: 4,
        key_tokens_per_minute: 5,
        spend_per_day_micros: 6,
        first_byte_ms: 1001,
        stall_ms: 1002,
        total_ms: 1003,
        key: "sk-first",
      },
      { keys: ["sk-first", "sk-second"], http2: true },
    ],
    unseen: {
      key: "the view tells the last characters of the keys",
      keys: "the view tells the last characters of the keys",
    },
  },
  "PATCH /api/token/{id}": {
    make: async (fields) => await made("/api/token", named({ quota_micros: 5, ...fields }, "key")),
    samples: [
      {
        name: "whole",
        group: "vip",
        quota_micros: 1000,
        models: ["m"],
        model_mapping: { m: "x" },
        expires_at: 4_000_000_000,
        allow_ips: ["10.0.0.0/8"],
        ...rates,
        model_requests_per_minute: { m: 4 },
        model_tokens_per_minute: { m: 5 },
        log_content: true,
        status: "disabled",
      },
      { unlimited: true },
    ],
    left: { project: "a key of an organisation alone has one" },
    unseen: { unlimited: "shown as a quota that is null" },
  },
  "PATCH /api/budget/{id}": {
    make: async (fields) =>
      await made("/api/budget", { ...named({ limit_micros: 1 }, "budget"), ...fields }),
    samples: [
      {
        name: "whole",
        scope: "label",
        subject: "team",
        models: ["m"],
        limit_micros: 5_000_000,
        period: "quarter",
        zone: "Asia/Shanghai",
        start_hour: 3,
        start_weekday: 4,
        start_day: 5,
        start_month: 6,
        mode: "watch",
        carry_micros_max: 7,
        marks: [50],
        status: "disabled",
      },
      { period: "hours", hours: 5, hours_from: "epoch" },
    ],
  },
  "PATCH /api/announcement/{id}": {
    make: async (fields) => await made("/api/announcement", { title: "t", text: "x", ...fields }),
    samples: [
      {
        title: "Maintenance",
        text: "On Sunday.",
        level: "warning",
        for_visitors: true,
        starts_at: 1_900_000_000,
        ends_at: 2_000_000_000,
      },
    ],
    read: readListed,
  },
  "PATCH /api/role/{id}": {
    make: async (fields) =>
      await made("/api/role", { ...named({ permissions: ["usage.read"] }, "role"), ...fields }),
    samples: [{ description: "The desk.", permissions: ["people.read"] }],
    read: readListed,
  },
  "PATCH /api/user/{id}": {
    make: async (fields) =>
      await made("/api/user", {
        username: `user-${++count}`,
        password: "long enough password",
        ...fields,
      }),
    samples: [{ username: "whole", group: "vip", role: "admin", status: "disabled", ...rates }],
    left: { password: "no answer shows it" },
  },
  "PATCH /api/user/self": {
    make: async () => "/api/user/self",
    samples: [
      {
        display_name: "Root",
        language: "zh",
        zone: "Asia/Shanghai",
        low_balance_micros: 5,
        notice_url: "https://hooks.example/low",
      },
    ],
    left: { username: "root keeps its name" },
  },
  "PATCH /api/organisation/{organisation}": {
    make: organisationPath,
    samples: [{ name: "renamed", key_rules: { expires_days_max: 90 } }],
  },
  "PATCH /api/organisation/{organisation}/project/{id}": {
    make: async (fields) =>
      await made(`${await organisationPath()}/project`, named(fields, "project")),
    samples: [{ name: "whole", status: "disabled", ...rates }],
    read: readListed,
  },
  "PATCH /api/organisation/{organisation}/member/{id}": {
    make: async () => {
      const path = await organisationPath();
      await ask("POST", `${path}/project`, { name: "of-members" });
      const person = await newPerson(gateway, 0);
      const scope = `?as=${path.split("/").at(-1)}`;
      const { code } = await ask("POST", `/api/invitation${scope}`, { role: "member" });
      await gateway.controlEnvelope("POST", "/api/organisation/join", { code }, person.token);
      return `${path}/member/${person.id}`;
    },
    samples: [{ role: "viewer", project: "of-members", ...rates }],
    read: readListed,
  },
};

/** Not made of fields that are kept: each change names a whole setting. */
const settings = "PATCH /api/setting";

function propertiesOf({ entry }: ControlRoute): string[] {
  const schema: unknown = entry.body?.schema;
  const properties: unknown = Reflect.get(Object(schema), "properties");
  return Object.keys(Object(properties)).toSorted();
}

/** Facts that change by themselves with every change. */
const moments = ["updated_at"];

function factsOf(view: Fields, apart: readonly string[] = []): Fields {
  const entries = Object.entries(view).filter(([name]) => ![...moments, ...apart].includes(name));
  return Object.fromEntries(entries);
}

const rows = routes.flatMap((route) =>
  route.policy === "control" && route.method === "PATCH" && nameOf(route) !== settings
    ? [route]
    : [],
);

test("every PATCH is tried, with every field of its body", () => {
  expect(rows.map(nameOf).toSorted()).toEqual(Object.keys(patches).toSorted());
  for (const route of rows) {
    const { samples = [], left = {} } = patches[nameOf(route)] ?? {};
    const fields = new Set([...samples.flatMap(Object.keys), ...Object.keys(left)]);
    expect([nameOf(route), [...fields].toSorted()]).toEqual([nameOf(route), propertiesOf(route)]);
  }
});

test.each(Object.keys(patches))("%s keeps what it does not name", async (name) => {
  const tried = patches[name];
  if (!tried) throw new Error(`${name} has no case`);
  const { make, samples, unseen = {}, read = (path: string) => ask("GET", path) } = tried;
  await ask("POST", "/api/group", { name: "vip" });
  await gateway.agreed();
  for (const sample of samples) {
    const path = await make({});
    const least = await read(path);
    await ask("PATCH", path, sample);
    const whole = await read(path);
    for (const field of Object.keys(sample)) {
      if (!(field in unseen)) {
        // A field that reads as it did before would not be missed.
        expect([name, field, whole[field]]).not.toEqual([name, field, least[field]]);
      }
      await ask("PATCH", path, { [field]: sample[field] });
      expect([field, factsOf(await read(path))]).toEqual([field, factsOf(whole)]);
    }
  }
});
