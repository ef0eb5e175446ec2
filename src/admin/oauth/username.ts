// The name of an account that a provider vouches for: like the one there, and nobody else's here.
import { GatewayError } from "../../core/errors.ts";
import { isNameTaken } from "../../identity/queries.ts";
import type { Arrival } from "./arrival.ts";
import type { OAuthNeeds } from "./needs.ts";

const baseCharactersMax = 40;
const tailBytes = 4;
const triesMax = 5;

export async function freeUsername(needs: OAuthNeeds, arrival: Arrival): Promise<string> {
  const base = baseOf(arrival);
  for (let tries = 0; tries < triesMax; tries++) {
    const tail = Buffer.from(needs.random.bytes(tailBytes)).toString("hex");
    const name = tries === 0 ? base : `${base}-${tail}`;
    if (!(await isNameTaken(needs.database, name))) return name;
  }
  throw new GatewayError("conflict", { message: "No name is free for this account." });
}

/** An e-mail address gives only its local part: the rest is nobody's business. */
function baseOf({ provider, person: { username } }: Arrival): string {
  const [local = ""] = username.normalize("NFKC").split("@");
  const plain = local.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, baseCharactersMax) || `${provider}-user`;
}
