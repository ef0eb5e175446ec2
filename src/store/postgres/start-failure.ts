// A database that a start cannot begin with, in words for the operator: which one, by which
// variable, and what to do. The address is never shown whole: a password stands in it.
import { PostgresError } from "./store-error.ts";

const portDefault = "5432";

/** Any error that is not the database's comes back as it is. */
export function toDatabaseError(error: unknown, url: string): unknown {
  if (!(error instanceof PostgresError)) return error;
  const { host, user, database } = partsOf(url);
  const why = error.message.replace(/\.$/, "");
  const { kind, state } = error;
  const inWords = (text: string) => new PostgresError(kind, text, state);
  if (state === null || /^(?:08|57P)/.test(state)) {
    return inWords(
      `PostgreSQL at ${host} (SLUICE_DATABASE_URL) does not answer: ${why}. ` +
        "See that it runs and that this machine reaches it, and start again.",
    );
  }
  if (state.startsWith("28")) {
    return inWords(
      `PostgreSQL at ${host} (SLUICE_DATABASE_URL) refuses the user ${user}: ${why}. ` +
        "Look at the user and the password in that variable.",
    );
  }
  if (state === "3D000") {
    return inWords(
      `PostgreSQL at ${host} (SLUICE_DATABASE_URL) has no database ${database}: ${why}. ` +
        `Make it (createdb ${database}), or name another in that variable.`,
    );
  }
  if (state === "42501") {
    return inWords(
      `PostgreSQL at ${host} (SLUICE_DATABASE_URL) does not let the user ${user} make tables in ` +
        `${database}: ${why}. Grant it: grant create on database ${database} to ${user}.`,
    );
  }
  const text = `PostgreSQL at ${host} (SLUICE_DATABASE_URL) cannot be used: ${why}`;
  return inWords(text);
}

function partsOf(url: string): { host: string; user: string; database: string } {
  const parsed = URL.parse(url);
  if (!parsed) return { host: "an address that cannot be read", user: "", database: "" };
  const { hostname, port, username, pathname } = parsed;
  return {
    host: `${hostname || "localhost"}:${port || portDefault}`,
    user: decodeURIComponent(username) || "of this process",
    database: decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username),
  };
}
