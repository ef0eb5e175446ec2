// Permissions by effect: a role with one permission tries every call of the control plane with the
// worst that its body may say, and what came of it needs the permission of that.
import { expect, test } from "bun:test";
import {
  builtInRoles,
  permissions,
  type Permission,
} from "../../../../src/identity/roles/permissions.ts";
import type { ControlRoute } from "../../../../src/http/route.ts";
import { Browser, type Answered } from "../../../harness/browser.ts";
import { startGateway } from "../../../harness/gateway.ts";
import { kept, useStand } from "../../../harness/nodes/stand.ts";
import { nameOf, routes } from "../../../harness/route-table.ts";
import { Vendor } from "../../../harness/vendor.ts";
import { hostileBodies, namesSomebody, reachesFar } from "./hostile.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";
import {
  amounts,
  canary,
  hintsOf,
  setStage,
  stateSettings,
  type Person,
  type Rights,
  type Stage,
} from "./stage.ts";

const origin = "https://gate.example";
const config = `sandbox: "off"\nserver: { public_url: "${origin}", trust_proxy: true }\n`;
const gateway = useStand(() => startGateway({ config }));
const attackerHost = kept(new Vendor((_request, reply) => reply.json({ data: [] })));

/** Permissions that are not walked, each with the reason. */
const unwalked: Readonly<Partial<Record<Permission, string>>> = {
  "gateway.backup": "equal to root, as docs/people.md and the form of a role say",
};

/** Calls that are not walked, each with the reason. */
const skipped: Readonly<Record<string, string>> = {
  "POST /api/import/run": "reads another program's database, whose rows come by POST /api/import",
  "POST /api/import/run/upload": "takes a database as a file, for the call above",
  "POST /api/user/password": "sets one's own password, and each hash takes a while",
  "POST /api/user/self/erase": "ends the walk's own account",
};

/** Calls of sessions alone are about one's own second factors, address and session. */
const calls = routes.flatMap((route) =>
  route.policy === "control" && route.carriers.includes("token") && !(nameOf(route) in skipped)
    ? [route]
    : [],
);
const order = ["GET", "PATCH", "POST", "DELETE"] as const;
interface Walk {
  stage: Stage;
  /** Answers with what no answer may have. */
  leaks: string[];
  /** Codes and tokens that answers brought. */
  codes: Set<string>;
  tokens: Set<string>;
}

/** Calls that did something in some walk. */
const doneCalls = new Set<string>();
let addresses = 0;

async function send(walk: Walk, route: ControlRoute, path: string, body?: unknown): Promise<void> {
  const { token } = walk.stage.attacker;
  const response = await fetch(gateway.url + path, {
    method: route.method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-forwarded-for": `198.51.100.${++addresses % 250}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return;
  }
  noteAnswer(walk, route, await response.text());
}

function noteAnswer(walk: Walk, route: ControlRoute, text: string): void {
  const { permissions: may } = walk.stage.rights;
  if (/"success":true/.test(text)) doneCalls.add(nameOf(route));
  if (text.includes(canary)) walk.leaks.push(`${nameOf(route)} tells a secret`);
  const told = Object.values(amounts).some((amount) => text.includes(String(amount)));
  if (told && !may.has("money.read")) walk.leaks.push(`${nameOf(route)} tells an amount`);
  for (const [, code = ""] of text.matchAll(/"code":"([^"]{8,})"/g)) {
    if (!/^[a-z_]+$/.test(code)) walk.codes.add(code);
  }
  for (const [token] of text.matchAll(/sat-[\w-]{20,}/g)) walk.tokens.add(token);
}

/** Addresses of a call with what is the victim's, the stage's or the attacker's own in them. */
function pathOf(
  { path }: ControlRoute,
  { stage, victim }: { stage: Stage; victim: Person },
): string {
  const [, , kind = ""] = path.split("/");
  const ids: Readonly<Record<string, string>> = {
    user: victim.id,
    token: victim.keyId,
    channel: stage.channelId,
    role: stage.attacker.role,
  };
  return path
    .replace("{organisation}", stage.organisation)
    .replace("{id}", ids[kind] ?? victim.id)
    .replace(/\{\w+\}/, "totp");
}

/** Addresses with the id of an account, or of a key. */
const ofSomebody = /^\/api\/(?:user|token)\/\{/;

/** Lists of one's own that a permission makes wider, by its area. */
const widerLists: Readonly<Record<string, string>> = { keys: "/api/token", budgets: "/api/budget" };

/**
 * Whether the call is tried with the permission. One without a permission of its own is tried with
 * every one where it can name what is not the caller's, and otherwise with the first alone.
 */
function isTried({ permission, method, path, entry }: ControlRoute, { name, ...may }: Rights) {
  if (permission !== undefined) return may.permissions.has(permission);
  if (may.permissions.size > 1 || name === permissions[0]) return true;
  const [area = ""] = name.split(".");
  if (method === "GET") return path.startsWith(widerLists[area] ?? "none");
  return ofSomebody.test(path) || reachesFar(entry.body?.schema);
}

async function tryCall(walk: Walk, route: ControlRoute): Promise<void> {
  const { stage } = walk;
  if (!isTried(route, stage.rights)) return;
  const { body, query } = route.entry;
  const isBrief = route.permission === undefined;
  const isAboutOne = ofSomebody.test(route.path) || namesSomebody(body?.schema);
  const { boss, carol } = stage.victims;
  for (const victim of isAboutOne ? [boss, carol] : [carol]) {
    const asked = query && "source" in query ? `?source=${stage.source}` : "";
    const path = pathOf(route, { stage, victim }) + asked;
    const hints = hintsOf(stage, victim, attackerHost);
    const bodies = body ? hostileBodies(body, { hints, isBrief }) : [undefined];
    const isOnceMore = isBrief && victim === boss;
    for (const one of isOnceMore ? bodies.slice(-1) : bodies) await send(walk, route, path, one);
  }
}

/** A visitor with an address of its own registers. */
async function register(invitation?: string): Promise<Answered> {
  const headers = { "x-forwarded-for": `203.0.113.${++addresses % 250}` };
  const browser = new Browser(gateway.url, { origin, headers });
  const body = { username: `visitor-${addresses}`, password: "a hostile password", invitation };
  return await browser.call("POST", "/api/user/register", body);
}

/** Take what the codes give the attacker; invitations are tried when its maker is gone. */
async function useCodes({ codes, stage }: Walk): Promise<void> {
  for (const code of codes) {
    const { token } = stage.attacker;
    await gateway.controlEnvelope("POST", "/api/redemption/redeem", { code }, token);
    await gateway.controlEnvelope("POST", "/api/organisation/join", { code }, token);
  }
}

async function ownerOf(token: string): Promise<string> {
  const envelope = await gateway.controlEnvelope("GET", "/api/user/self", undefined, token);
  return envelope.success ? (envelope.data as { id: string }).id : "";
}

/** Permissions by which the accounts of members get something; a seat comes with a new one. */
const permissionOfWay: Readonly<Record<string, Permission>> = {
  key: "keys.write",
  token: "access_tokens.make",
  seat: "people.write",
};

/** Effects that the permissions of the walk do not allow. */
function wrongEffects({ stage }: Walk, before: Snapshot, after: Snapshot): string[] {
  const { rights, attacker, victims } = stage;
  const wrong: string[] = [];
  const needs = (needed: Permission | null, effect: string) => {
    if (needed === null || !rights.permissions.has(needed)) wrong.push(effect);
  };
  let granted = 0;
  for (const [id, now] of after.accounts) {
    const was = before.accounts.get(id);
    granted += now.granted_micros - (was?.granted_micros ?? 0);
    if (!was) needs("people.write", "makes an account");
    const role = now.staff_role ?? now.role;
    const former = was ? (was.staff_role ?? was.role) : "user";
    if (role !== former) needs(null, `makes somebody ${role}`);
    if (now.unlimited > (was?.unlimited ?? 0)) needs("money.write", "lifts a limit of credit");
    if (was && was.password_hash !== now.password_hash) {
      needs(id === victims.carol.id ? "people.write" : null, "sets a password");
    }
    if (id === attacker.id && now.granted_micros > (was?.granted_micros ?? 0)) {
      needs(null, "credits its own account");
    }
  }
  if (granted > 0) needs("money.write", "gives credit");
  for (const [way, owner] of after.ways) {
    if (before.ways.has(way) || owner === attacker.id) continue;
    const kind = way.split(" ")[0] ?? "";
    const isBeyond = owner === victims.boss.id || owner === stage.organisation;
    needs(isBeyond ? null : (permissionOfWay[kind] ?? null), `adds a ${kind} to another account`);
  }
  for (const [name, own] of after.roles) {
    if (own === before.roles.get(name)) continue;
    const isWithin = own === JSON.stringify([...rights.permissions]);
    needs(isWithin ? "roles.write" : null, `makes the role ${name} of ${own}`);
  }
  for (const [name, stated] of after.settings) {
    if (stated !== before.settings.get(name)) needs(null, `changes ${name}`);
  }
  return wrong;
}

async function walkWith(rights: Rights): Promise<string[]> {
  const stage = await setStage(gateway, rights, { attackerHost });
  const walk: Walk = {
    stage,
    leaks: [],
    codes: new Set(),
    tokens: new Set(),
  };
  const before = await takeSnapshot(gateway);
  for (const method of order) {
    for (const route of calls.filter((one) => one.method === method)) await tryCall(walk, route);
    // Before anything that was changed is undone.
    if (method === "PATCH") await register();
  }
  await useCodes(walk);
  const after = await takeSnapshot(gateway);
  const wrong = wrongEffects(walk, before, after);
  for (const token of walk.tokens) {
    const owner = await ownerOf(token);
    const isOwn = owner === "" || owner === stage.attacker.id;
    const mayMake = rights.permissions.has("access_tokens.make");
    if (!isOwn && !mayMake) wrong.push(`is given a token of ${owner}`);
  }
  await gateway.control("DELETE", `/api/user/${stage.attacker.id}`);
  for (const code of [...walk.codes].slice(0, 3)) {
    const { success } = await register(code);
    if (success) wrong.push("an invitation outlives its maker");
  }
  if (attackerHost.requests.some((one) => JSON.stringify(one).includes(canary))) {
    wrong.push("a secret arrived elsewhere");
  }
  return [...new Set([...wrong, ...walk.leaks])];
}

test("hazard G3 what one permission brings about is what it is for, over all calls", async () => {
  const found: string[] = [];
  await stateSettings(gateway);
  for (const permission of permissions) {
    if (permission in unwalked) continue;
    const rights = { name: permission, permissions: new Set([permission]), isBuiltIn: false };
    for (const effect of await walkWith(rights)) found.push(`${permission}: ${effect}`);
    if (permission === "settings.change") await stateSettings(gateway);
  }
  expect(found).toEqual([]);
  expect(doneCalls.size).toBeGreaterThan(60);
});

test("hazard G4 an admin brings about nothing that is root's alone, over all calls", async () => {
  await stateSettings(gateway);
  const own = new Set<Permission>(builtInRoles.admin);
  expect(await walkWith({ name: "admin", permissions: own, isBuiltIn: true })).toEqual([]);
});
