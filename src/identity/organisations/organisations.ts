// Organisations as calls enter them: a person acts for one by the seat that it has there. One that
// the person is not in is not there.
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { Operator, Seat } from "../caller.ts";
import type { Seats } from "../role.ts";
import { noPermissions } from "../roles/rights.ts";
import { findSeat } from "./queries.ts";

/** A role on the platform is no seat. */
const ofUser = { role: "user", may: noPermissions } as const;

export class Organisations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The operator as it acts for the organisation. */
  async enter(person: Operator, organisation: string, seats: Seats): Promise<Operator> {
    const { boundTo = organisation } = person;
    // No account has an id that is none, so the text is looked up as it came.
    const id = organisation as AccountId;
    const member =
      boundTo === organisation ? await findSeat(this.#database, id, person.accountId) : null;
    if (!member) throw new GatewayError("not_found");
    if (!seats.includes(member.role)) {
      const message = `This is for those who are ${seats.join(", ")} of the organisation.`;
      throw new GatewayError("permission_denied", { message });
    }
    const { accountId: personId, username, role: platformRole } = person;
    const { role, project_id: projectId } = member;
    const seat: Seat = { personId, username, platformRole, role, projectId };
    return { ...person, accountId: id, username: member.username, ...ofUser, seat };
  }

  async isStill(organisationId: AccountId, { personId, role }: Seat): Promise<boolean> {
    return (await findSeat(this.#database, organisationId, personId))?.role === role;
  }
}
