// The version of this program, the same as in package.json, and the commit it was built from.

export const version = "0.1.0";

/** Put in its place by the build of the one executable; nowhere else is there such a name. */
declare const SLUICE_COMMIT: string;

/** Null for a program that runs from its sources. */
export const builtCommit: string | null =
  typeof SLUICE_COMMIT === "string" && SLUICE_COMMIT !== "" ? SLUICE_COMMIT : null;
