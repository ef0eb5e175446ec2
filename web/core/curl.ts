// A call as it is typed into a POSIX shell. Names of models and keys are others' words: whatever
// they are made of, they stay one text where they are pasted.

const plainWord = /^[A-Za-z0-9_./:@,+][A-Za-z0-9_./:@,+-]*$/;

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface CurlCall {
  method?: string;
  url: string;
  /** The name of a variable of the shell, or the text itself. */
  bearer: { variable: string } | { text: string };
  body?: object | undefined;
  /** Shows what comes as it comes. */
  isStream?: boolean;
  isWide?: boolean;
}

export function curl({ method, url, bearer, body, isStream, isWide }: CurlCall): string {
  const verb = [isStream && "-N", method && `-X ${method}`].filter(Boolean).join(" ");
  const header =
    "text" in bearer
      ? shellWord(`authorization: Bearer ${bearer.text}`)
      : `"authorization: Bearer $${bearer.variable}"`;
  const parts = [`curl ${verb}${verb && " "}${shellWord(url)}`, `-H ${header}`];
  if (body !== undefined) {
    const text = isWide ? JSON.stringify(body, null, 2) : JSON.stringify(body);
    parts.push("-H 'content-type: application/json'", `-d ${shellWord(text)}`);
  }
  return parts.join(" \\\n  ");
}
