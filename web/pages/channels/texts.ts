// Objects of a channel, as they are typed.

/** Text that is no object stays text, for the gateway to refuse. */
export function readObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
