import type { buildConsole } from "./console.mjs";

/** Folder of the program's sources. */
export const sources: string;
/** The threads that the program starts by their names. */
export const threads: readonly string[];
/** Files read at run time, from beside the code that reads them. */
export const pages: readonly string[];
export const consoleFile: string;
/** Makes the console, as the file `path`; false where that fails. */
export function makeConsole(path: string): boolean;
/** Files of the console by their names, beside the bundle of these sources or built. */
export function consoleOfSources(): ReturnType<typeof buildConsole>;
/** The path of what to run: the sources themselves where nothing can be written. */
export function bundle(): string;
