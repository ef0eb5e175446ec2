// The configuration of a gateway that runs. Its sections are the objects that the parts were given,
// so that what changes in them holds for whoever asks again; only `take` writes to them.
import type { Config } from "../../config/config.ts";

/** Sections that pages may state something of. */
const sections = [
  "timeouts",
  "text",
  "distribution",
  "limits",
  "site",
  "accounts",
  "signIn",
  "sessions",
  "oauth",
  "tasks",
  "images",
  "media",
  "retention",
  "mail",
  "notices",
] as const satisfies readonly (keyof Config)[];

/** A copy that is not frozen. */
export function toRunning(config: Config): Config {
  return structuredClone(config);
}

/** Brings the running configuration up to another one, in place. */
export function take(running: Config, next: Config): void {
  for (const section of sections) {
    for (const [name, value] of Object.entries(next[section])) {
      Reflect.set(running[section], name, value);
    }
  }
  Reflect.set(running, "smtp", next.smtp);
}
