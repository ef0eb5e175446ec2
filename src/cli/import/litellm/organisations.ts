// LiteLLM's organizations and teams: an organization is an organisation here, and its teams are
// projects of it; a team of none is an organisation of its own.
import { isObject, type JsonObject } from "../../../core/json.ts";
import { cellText, isSetIn, objectOf } from "../cells.ts";
import type { SourceRow } from "../queries.ts";
import type { SnapshotMember, SnapshotProject } from "../snapshot.ts";

export const organizationColumns = ["organization_id", "organization_alias", "budget_id", "spend"];
export const membershipColumns = ["user_id", "organization_id", "user_role"];

export function refOf(kind: string, id: string): string {
  return `${kind}-${id.replace(/[^\x21-\x7e]/g, "_")}`.slice(0, 128);
}

/** Account that pays, and the project in it. */
interface Home {
  account: string;
  project: string | null;
}

/** Payers of what belongs to teams and organizations. */
export class Homes {
  readonly #organizations = new Map<string, Home>();
  readonly #teams = new Map<string, Home>();

  constructor(organizations: readonly SourceRow[], teams: readonly SourceRow[]) {
    for (const row of organizations) {
      const id = cellText(row, "organization_id");
      this.#organizations.set(id, { account: refOf("organization", id), project: null });
    }
    for (const row of teams) {
      const ref = refOf("team", cellText(row, "team_id"));
      const payer = this.ofOrganization(row);
      const home = payer ? { ...payer, project: ref } : { account: ref, project: null };
      this.#teams.set(cellText(row, "team_id"), home);
    }
  }

  /** Null where it is in none that is there. */
  ofOrganization(row: SourceRow): Home | null {
    return this.#organizations.get(cellText(row, "organization_id")) ?? null;
  }

  ofTeam(row: SourceRow): Home | null {
    return this.#teams.get(cellText(row, "team_id")) ?? null;
  }
}

export function projectsOf(teams: readonly SourceRow[], homes: Homes): SnapshotProject[] {
  return teams.flatMap((row) => {
    const { account, project = null } = homes.ofTeam(row) ?? {};
    if (account === undefined || project === null) return [];
    const name = cellText(row, "team_alias") || cellText(row, "team_id");
    return [{ ref: project, organisation: account, name, isEnabled: !isSetIn(row, "blocked") }];
  });
}

const ranks = { viewer: 0, member: 1, admin: 2 } as const;

function roleOf(word: string): SnapshotMember["role"] {
  if (word === "admin" || word === "org_admin") return "admin";
  return word === "internal_user_viewer" ? "viewer" : "member";
}

interface Seats {
  teams: readonly SourceRow[];
  memberships: readonly SourceRow[];
  homes: Homes;
  /** People who come. */
  people: ReadonlySet<string>;
}

/**
 * Each once in an organisation, by the higher role; its keys go to the project of its team, where
 * it has but one.
 */
export function membersOf({ teams, memberships, homes, people }: Seats): SnapshotMember[] {
  const byPair = new Map<string, SnapshotMember>();
  const places = new Map<string, Set<string>>();
  const add = (home: Home | null, userId: string, word: string) => {
    const person = refOf("user", userId);
    if (!home || !people.has(person)) return;
    const member = { organisation: home.account, person, role: roleOf(word) };
    const pair = JSON.stringify([home.account, person]);
    const before = byPair.get(pair);
    if (!before || ranks[before.role] < ranks[member.role]) byPair.set(pair, member);
    if (home.project === null) return;
    places.set(pair, (places.get(pair) ?? new Set()).add(home.project));
  };
  for (const row of teams) {
    for (const { user_id: userId, role } of listIn(row, "members_with_roles")) {
      add(homes.ofTeam(row), String(userId ?? ""), String(role ?? ""));
    }
  }
  for (const row of memberships) {
    add(homes.ofOrganization(row), cellText(row, "user_id"), cellText(row, "user_role"));
  }
  return Array.from(byPair, ([pair, member]) => {
    const [project, ...others] = places.get(pair) ?? [];
    return project === undefined || others.length > 0 ? member : { ...member, project };
  });
}

function listIn(row: SourceRow, column: string): JsonObject[] {
  const cell = row[column];
  const text = typeof cell === "string" ? cell : JSON.stringify(cell ?? []);
  const list = objectOf(`{"list":${text}}`)?.["list"];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
