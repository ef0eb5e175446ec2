// The tables of organisations: their rules, who is in them as what, and their projects.
import type { AccountId, ProjectId } from "../../core/ids.ts";
import type { SeatRole } from "./seat-role.ts";

interface OrganisationTable {
  /** Id of the account that is the organisation. */
  id: AccountId;
  /** JSON: bounds of the keys that members make. */
  key_rules: string;
}

/** Bounds of all keys of a member or a project together; null: none. */
export interface PartRates {
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
}

export interface MemberTable extends PartRates {
  organisation_id: AccountId;
  person_id: AccountId;
  role: SeatRole;
  /** `hand`, or `oidc:` and the provider whose groups brought it. */
  source: string;
  created_at_ms: number;
  /** Project that its new keys are in unless another is said. */
  project_id: ProjectId | null;
  /** Keys of the member end with this moment unless it signs in before; null: they do not. */
  keys_until_ms: number | null;
}

export interface ProjectTable extends PartRates {
  id: ProjectId;
  organisation_id: AccountId;
  name: string;
  status: "enabled" | "disabled";
  created_at_ms: number;
}

export interface OrganisationTables {
  organisation: OrganisationTable;
  member: MemberTable;
  project: ProjectTable;
}
