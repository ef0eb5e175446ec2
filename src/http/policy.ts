// Who may use a route of the control plane. Tokens now; a session is one more way to an Operator.
import { GatewayError } from "../core/errors.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { Operator, Role } from "../identity/caller.ts";
import { readCredential } from "./credentials.ts";

const ranks: Readonly<Record<Role, number>> = { user: 0, admin: 1, root: 2 };

export async function authoriseControl(
  authenticator: Authenticator,
  headers: Headers,
  least: Role,
): Promise<Operator> {
  const secret = readCredential(headers, "", ["bearer"]);
  if (secret === null) throw new GatewayError("invalid_api_key");
  const operator = await authenticator.operator(secret);
  if (ranks[operator.role] < ranks[least]) throw new GatewayError("permission_denied");
  return operator;
}

/** A caller on this machine, not one behind a proxy on this machine. */
export function isLocal(ip: string, headers: Headers): boolean {
  const isLoopback = ip === "::1" || /^(?:::ffff:)?127\./.test(ip);
  return isLoopback && !headers.has("x-forwarded-for") && !headers.has("forwarded");
}
