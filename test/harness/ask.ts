// The smallest things that tests say to a gateway and read from it.

/** A chat request of one line. */
export function chatBody(model: string, fields: Record<string, unknown> = {}): object {
  return { model, messages: [{ role: "user", content: "What is a sluice?" }], ...fields };
}

export interface ErrorBody {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

/** The error of an answer in envelope A. */
export async function errorOf(response: Response): Promise<ErrorBody> {
  const { error } = (await response.json()) as { error: ErrorBody };
  return error;
}

/** Number of occurrences of each value. */
export function tally<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
