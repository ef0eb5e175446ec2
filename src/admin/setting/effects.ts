// Permissions that changing a setting takes beside `settings.change`: those of what it brings
// about.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Permission } from "../../identity/roles/permissions.ts";
import { assertPermitted } from "../authority.ts";

interface Effect {
  /** Root alone changes it where whoever does could become root. */
  needs: readonly Permission[] | "root";
  /** Completes "because". */
  reason: string;
}

const givesAccounts: Effect = {
  needs: ["people.write"],
  reason: "it decides who gets an account",
};

/** Settings that are not named here give nobody an account, a right, money or a secret. */
const settingEffects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ["mail.smtp", { needs: "root", reason: "letters carry links that sign people in" }],
  ["oauth.providers", { needs: "root", reason: "providers decide who signs in as whom" }],
  [
    "accounts.registration",
    {
      needs: ["people.write", "money.write"],
      reason: "it gives strangers accounts with the starting credit",
    },
  ],
  [
    "accounts.starting_credit_micros",
    { needs: ["money.write"], reason: "it gives new accounts credit" },
  ],
  [
    "accounts.starting_credit_after",
    { needs: ["money.write"], reason: "it decides who gets the starting credit" },
  ],
  ["accounts.email", givesAccounts],
  ["accounts.email_domains", givesAccounts],
  [
    "accounts.organisations",
    { needs: ["people.write"], reason: "it decides who makes organisations" },
  ],
  [
    "sign_in.admin_second_factor",
    { needs: ["second_factors.reset"], reason: "it frees admins from their second factor" },
  ],
  [
    "sign_in.link",
    { needs: ["sign_in_links.make"], reason: "it sends people links that sign them in" },
  ],
  [
    "notices.destinations",
    {
      needs: ["settings.read", "money.read"],
      reason: "notices tell their destinations names and amounts",
    },
  ],
]);

export function assertMayChangeSetting(operator: Operator, name: string): void {
  const effect = settingEffects.get(name);
  if (!effect) return;
  const { needs, reason } = effect;
  if (needs === "root") {
    if (operator.role === "root") return;
    const message = `Only root changes ${name}, because ${reason}.`;
    throw new GatewayError("permission_denied", { message, param: name });
  }
  for (const permission of needs) assertPermitted(operator, permission, name, reason);
}
