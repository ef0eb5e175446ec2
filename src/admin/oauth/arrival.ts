// One who comes back from a provider.
import type { Person } from "../../identity/oauth/provider.ts";

/** Who came, by which provider, with what. */
export interface Arrival {
  provider: string;
  person: Person;
  invitation: string | null;
}
