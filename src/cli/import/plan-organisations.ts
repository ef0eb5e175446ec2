// Makes projects, members and budgets that were read fit for us.
import type { ImportInput } from "../../admin/contract.ts";
import type { ImportSnapshot, Remark } from "./snapshot.ts";
import { entityNames, respell, TakenNames } from "./names.ts";

type Lists = Required<Omit<ImportInput, "source">>;
const limitMicrosMax = 1_000_000_000_000_000n;

/** Names are told apart within one account. */
class NamesWithin {
  readonly #byAccount = new Map<string, TakenNames>();

  take(account: string, name: string): string {
    const known = this.#byAccount.get(account) ?? new TakenNames([]);
    this.#byAccount.set(account, known);
    return known.take(name);
  }
}

export function toProjects(
  { projects = [] }: ImportSnapshot,
  remarks: Remark[],
): Lists["projects"] {
  const names = new NamesWithin();
  return projects.map(({ ref, organisation, name, isEnabled }) => {
    const ours = names.take(organisation, respell(name, entityNames, ref.slice(0, 40)));
    if (ours !== name) remarks.push({ about: `project ${name}`, why: `is called ${ours} here` });
    return { ref, organisation, name: ours, status: isEnabled ? "enabled" : "disabled" };
  });
}

export function toMembers({ members = [] }: ImportSnapshot): Lists["members"] {
  return members.map(({ organisation, person, ...rest }) => {
    const ref = new Bun.CryptoHasher("sha256").update(`${organisation} ${person}`).digest("hex");
    return { ref, organisation, person, ...rest };
  });
}

export function toBudgets({ budgets = [] }: ImportSnapshot): Lists["budgets"] {
  const names = new NamesWithin();
  return budgets.map(({ ref, account, scope, subject, name, limitMicros, rhythm }) => {
    const limit_micros = Number(limitMicros > limitMicrosMax ? limitMicrosMax : limitMicros);
    const ours = names.take(account, respell(name, entityNames, "imported"));
    return { ref, account, subject, budget: { name: ours, scope, limit_micros, ...rhythm } };
  });
}
