// One who comes back from a provider.
import type { Person } from "../../identity/oauth/provider.ts";

/** Somebody who came from a provider, with the provider's word on them. */
export interface Arrival {
  provider: string;
  person: Person;
  invitation: string | null;
}
