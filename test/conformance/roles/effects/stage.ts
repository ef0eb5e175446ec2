// The stage of one walk: somebody with a single permission, two people to get at, an organisation,
// a channel and settings with secrets, and amounts that stand nowhere by chance.
import type { Permission } from "../../../../src/identity/roles/permissions.ts";
import { change } from "../../../harness/accounts/settings.ts";
import type { Gateway } from "../../../harness/gateway.ts";
import type { Vendor } from "../../../harness/vendor.ts";
import type { Hints } from "./hostile.ts";

export const amounts = { balance: 987_654_321, perDay: 741_852_963 };

/** Every secret has this in it, and nothing else does. */
export const canary = "canary-7f3a";

export interface Person {
  id: string;
  username: string;
  ref: string;
  keyId: string;
}

export interface Rights {
  /** One permission, or the name of a role that comes with the gateway. */
  name: string;
  permissions: ReadonlySet<Permission>;
  isBuiltIn: boolean;
}

export interface Stage {
  rights: Rights;
  /** Source of the import that the victims came by. */
  source: string;
  attacker: { id: string; username: string; token: string; role: string };
  /** An admin, and somebody with no permission. */
  victims: { boss: Person; carol: Person };
  organisation: string;
  channelId: string;
}

const digestOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

const rates = { requests_per_minute: null, tokens_per_minute: null, concurrency: null };

function account(ref: string, fields: object) {
  return {
    ref,
    username: ref,
    password_hash: "",
    role: "user",
    group: "default",
    status: "enabled",
    unlimited: false,
    micros: 0,
    created_at: null,
    totp: null,
    ...rates,
    ...fields,
  };
}

function keyOf(owner: string) {
  return {
    ref: `key-${owner}`,
    owner,
    hash: digestOf(`sk-${owner}`),
    shown: "sk-x",
    name: "own",
    group: null,
    status: "enabled",
    limit_micros: null,
    models: null,
    allow_ips: null,
    expires_at: null,
    created_at: null,
    ...rates,
  };
}

const tagOf = ({ name }: Rights) => name.replaceAll(/[._]/g, "-");

export async function setStage(
  gateway: Gateway,
  rights: Rights,
  { attackerHost }: { attackerHost: Vendor },
): Promise<Stage> {
  const tag = tagOf(rights);
  const source = `old-${tag}`;
  const [boss, carol, mallory, house] = ["boss", "carol", "mallory", "house"].map(
    (name) => `${name}-${tag}`,
  ) as [string, string, string, string];
  const ask = <Data>(method: string, path: string, body?: object) =>
    gateway.control<Data>(method, path, body);
  await ask("POST", "/api/import", {
    source,
    accounts: [
      account(boss, { role: "admin" }),
      account(carol, { micros: amounts.balance }),
      account(mallory, {}),
      account(house, { kind: "organisation" }),
    ],
    keys: [keyOf(boss), keyOf(carol)],
    members: [{ ref: `seat-${tag}`, organisation: house, person: carol, role: "admin" }],
  });
  const { items } = await ask<{ items: { id: string; username: string }[] }>(
    "GET",
    "/api/user?page_size=100&sort=-created_at",
  );
  const keyIdOf = async (name: string) => {
    const path = `/api/token?account=${name}`;
    const { items: keys } = await ask<{ items: { id: string }[] }>("GET", path);
    return keys[0]?.id ?? "";
  };
  const idOf = (name: string) => items.find(({ username }) => username === name)?.id ?? "";
  const personOf = async (username: string): Promise<Person> => ({
    id: idOf(username),
    username,
    ref: username,
    keyId: await keyIdOf(username),
  });
  const role = rights.isBuiltIn ? rights.name : `only-${tag}`.slice(0, 32);
  if (!rights.isBuiltIn) {
    await ask("POST", "/api/role", { name: role, permissions: [...rights.permissions] });
  }
  const id = idOf(mallory);
  await ask("PATCH", `/api/user/${id}`, { role });
  const { token } = await ask<{ token: string }>("POST", `/api/user/${id}/token`, {});
  const channel = await ask<{ id: string }>("POST", "/api/channel", {
    ...attackerHost.channel({ base_url: "https://api.vendor.example", allow_private: false }),
    name: `channel-${tag}`,
    key: `sk-${canary}`,
    headers: { "x-team": canary },
    spend_per_day_micros: amounts.perDay,
  });
  return {
    rights,
    source,
    attacker: { id, username: mallory, token, role },
    victims: { boss: await personOf(boss), carol: await personOf(carol) },
    organisation: idOf(house),
    channelId: channel.id,
  };
}

/** Settings with secrets in them; who registers needs an invitation. */
export async function stateSettings(gateway: Gateway): Promise<void> {
  await change(gateway, {
    "accounts.registration": "invitation",
    "accounts.starting_credit_micros": null,
    "mail.smtp": { host: "mail.gate.example", user: "u", password: canary, from: "a@gate.example" },
    "oauth.providers": [
      { name: "house", type: "github", client_id: "gate", client_secret: canary },
    ],
    "notices.destinations": [
      { name: "ops", type: "slack", hook_url: `https://hooks.gate.example/${canary}` },
    ],
  });
  await gateway.agreed();
}

let count = 0;

/** Words that hostile bodies say of the people of the stage. */
export function hintsOf(stage: Stage, victim: Person, attackerHost: Vendor): Hints {
  const always = (value: unknown) => () => value;
  const fresh = (prefix: string) => () => `${prefix}-${++count}`;
  const url = always(`${attackerHost.url}/taken`);
  const wanted = [
    { name: "accounts.registration", value: "open" },
    { name: "accounts.starting_credit_micros", value: 5_000_000 },
    { name: "mail.smtp", value: { ...smtpShown, host: "attacker.example" } },
    { name: "oauth.providers", value: [{ ...providerShown, endpoints: { token: taken } }] },
    { name: "notices.destinations", value: [{ name: "ops", type: "webhook", hook_url: hidden }] },
  ];
  return {
    values: {
      account: always(victim.username),
      owner: always(victim.ref),
      person: always(victim.ref),
      maker: always(victim.ref),
      organisation: always(stage.organisation),
      username: fresh("made"),
      ref: fresh("ref"),
      name: fresh("thing"),
      source: always(stage.source),
      password: always("a hostile password"),
      password_hash: always(`$2b$10$${"a".repeat(53)}`),
      hash: () => digestOf(`sk-taken-${++count}`),
      subject: fresh("subject"),
      role: always("admin"),
      account_role: always("admin"),
      permissions: always(["people.write", "roles.write", "money.write", "gateway.backup"]),
      group: always("default"),
      status: always("enabled"),
      created_at: always(null),
      expires_at: always(null),
      expires_days: always(null),
      totp: always(null),
      to: always("mallory@attacker.example"),
      email: always("mallory@attacker.example"),
      url,
      base_url: url,
      hook_url: url,
      notice_url: always("https://attacker.example/"),
      yaml: always(
        `channels:\n  - name: channel-${tagOf(stage.rights)}\n    base_url: ${attackerHost.url}\n    allow_private: true\n`,
      ),
      id: always(stage.channelId),
      ids: always([stage.channelId]),
      kind: always("person"),
      project: always(undefined),
    },
    choices: {
      changes: wanted.map((one) => [one]),
      name: wanted.map(({ name }) => name),
      permissions: [[...stage.rights.permissions]],
      role: ["user"],
      username: [victim.username],
    },
  };
}

const hidden = "[secret]";
const taken = "https://attacker.example/token";
const smtpShown = { user: "u", password: hidden, from: "a@gate.example" };
const providerShown = { name: "house", type: "github", client_id: "gate", client_secret: hidden };
