/** The path of what to run: the sources themselves where nothing can be written. */
export function bundle(): string;
