// Every route of the control plane, called from every seat of an organisation and from outside of
// it, by session and by token: who gets in is what the route table says, and nothing else.
import { expect, setDefaultTimeout, test } from "bun:test";
import { builtInRoles } from "../../../src/identity/roles/permissions.ts";
import type { ControlRoute } from "../../../src/http/route.ts";
import { Browser, type Answered } from "../../harness/browser.ts";
import {
  newCompany,
  seatRoles,
  type Company,
  type SeatRole,
} from "../../harness/accounts/organisation.ts";
import { startGateway } from "../../harness/gateway.ts";
import { addressOf, bodyOf, nameOf, routes } from "../../harness/route-table.ts";
import { useStand } from "../../harness/nodes/stand.ts";

setDefaultTimeout(120_000);

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));
const carriers = ["session", "token"] as const;
type Carrier = (typeof carriers)[number];

const control = routes.filter((route) => route.policy === "control");
/** Rows that end the seat of whoever is let in, and so come last. */
const ending = [
  "POST /api/organisation/{organisation}/erase",
  "POST /api/organisation/{organisation}/leave",
];

function walkOf(role: SeatRole | "outsider"): ControlRoute[] {
  const order = role === "owner" ? ending.toReversed() : ending;
  return control.toSorted(
    (one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)),
  );
}

function isAbout({ path }: ControlRoute): boolean {
  return path.includes("{organisation}");
}

/** The address in the scope of the organisation, with ids in it that are not there. */
function addressIn({ id, as }: Company, route: ControlRoute, carrier: Carrier): string {
  if (isAbout(route)) return addressOf({ path: route.path.replace("{organisation}", id) });
  return carrier === "token" ? addressOf(route) : `${addressOf(route)}?${as}`;
}

async function call(
  by: { browser: Browser; token: string },
  { company, route, carrier }: { company: Company; route: ControlRoute; carrier: Carrier },
): Promise<Answered> {
  const { body } = bodyOf(route) ?? {};
  const address = addressIn(company, route, carrier);
  if (carrier === "session") return await by.browser.call(route.method, address, body);
  const authorization = `Bearer ${by.token}`;
  return await new Browser(gateway.url).call(route.method, address, body, { authorization });
}

const denials = ["invalid_api_key", "permission_denied", "cross_site_request"];

function verdictOf({ success, code = "", param = null }: Answered): string {
  if (success) return "let in";
  if (code === "invalid_request" && param === "as") return "no scope";
  return denials.includes(code) ? code : "let in";
}

/** A role on the gateway opens what has no scope, and nothing in one. */
function verdictByTable(route: ControlRoute, { role, carrier, platform }: Walk): string {
  if (!route.carriers.includes(carrier)) return "permission_denied";
  if (route.seats) return route.seats.includes(role) ? "let in" : "permission_denied";
  if (carrier === "token") return "permission_denied";
  const { permission } = route;
  const isBelow =
    permission !== undefined && !builtInRoles[platform].some((one) => one === permission);
  return isBelow ? "permission_denied" : "no scope";
}

interface Walk {
  role: SeatRole;
  carrier: Carrier;
  platform: "user" | "admin";
}

const everySeat: Walk[] = carriers.flatMap((carrier) => [
  ...seatRoles.map((role) => ({ role, carrier, platform: "user" as const })),
  { role: "viewer", carrier, platform: "admin" },
]);

test.each(everySeat)(
  "O2 hazard G5 the table says what a seat opens: $role by $carrier, of role $platform",
  async (walk) => {
    const { role, carrier, platform } = walk;
    const company = await newCompany(gateway, `walk-${role}-${carrier}-${platform}`);
    const browser = company.people[role];
    if (platform === "admin") {
      await gateway.control("PATCH", `/api/user/${company.ids[role]}`, { role: platform });
      await browser.signIn(`${company.name}-${role}`);
    }
    const { token } = await browser.ask<{ token: string }>(
      "POST",
      `/api/access-token?${company.as}`,
    );
    const said: string[] = [];
    const wanted: string[] = [];
    for (const route of walkOf(role)) {
      const answer = await call({ browser, token }, { company, route, carrier });
      said.push(`${nameOf(route)}: ${verdictOf(answer)}`);
      wanted.push(`${nameOf(route)}: ${verdictByTable(route, walk)}`);
    }
    expect(said).toEqual(wanted);
  },
);

test("O2 hazard G5 to an owner of another organisation there is none, on every route with a scope", async () => {
  const company = await newCompany(gateway, "walked");
  const { people, as } = await newCompany(gateway, "outside");
  const browser = people.owner;
  const { token } = await browser.ask<{ token: string }>("POST", `/api/access-token?${as}`);
  const scoped = walkOf("outsider").filter(({ seats }) => seats);
  expect(scoped.length).toBeGreaterThan(30);
  for (const route of scoped) {
    const bySession = await call({ browser, token }, { company, route, carrier: "session" });
    expect([nameOf(route), bySession.code]).toEqual([nameOf(route), "not_found"]);
    if (!isAbout(route)) continue;
    const byToken = await call({ browser, token }, { company, route, carrier: "token" });
    // The carrier is refused before anything is looked for.
    const code = route.carriers.includes("token") ? "not_found" : "permission_denied";
    expect([nameOf(route), byToken.code]).toEqual([nameOf(route), code]);
  }
});
