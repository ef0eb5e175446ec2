// Images of a vendor that makes one for each call: several calls, a few at once, whose answers are
// joined as if they were one.
import { VendorRefusal, type ImageReply, type ImageUsage } from "../upstream.ts";

const atOnceMax = 4;

type Outcome = { reply: ImageReply } | { error: unknown };

/** Throws only when no call brought an image. */
export async function joinCalls(
  count: number,
  call: (index: number) => Promise<ImageReply>,
): Promise<ImageReply> {
  const outcomes: Outcome[] = [];
  let begun = 0;
  let isOver = false;
  const work = async (): Promise<void> => {
    while (begun < count && !isOver) {
      const index = begun++;
      try {
        outcomes[index] = { reply: await call(index) };
      } catch (error) {
        outcomes[index] = { error };
        // A filter judges each picture by itself; whatever else is wrong is wrong for the rest.
        isOver ||= !isOfRequest(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, count) }, work));
  return join(outcomes, count);
}

function join(outcomes: readonly Outcome[], count: number): ImageReply {
  const replies = outcomes.flatMap((outcome) => ("reply" in outcome ? [outcome.reply] : []));
  const errors = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []));
  const [first] = replies;
  if (!first) throw worstOf(errors);
  const missed = Array.from({ length: count - outcomes.length }, () => errors.at(-1));
  return {
    ...first,
    images: replies.flatMap(({ images }) => images),
    failures: [
      ...replies.flatMap(({ failures }) => failures),
      ...[...errors, ...missed].map(failureOf),
    ],
    usage: sumUsage(replies.map(({ usage }) => usage)),
  };
}

/** A call that may have been carried out all the same must not look like a plain refusal. */
function worstOf(errors: readonly unknown[]): unknown {
  return errors.find((error) => !(error instanceof VendorRefusal)) ?? errors[0];
}

function isOfRequest(error: unknown): boolean {
  return error instanceof VendorRefusal && error.fault.blame === "request";
}

/** Only what the vendor says of the request itself is for the client's eyes. */
function failureOf(error: unknown): ImageReply["failures"][number] {
  if (error instanceof VendorRefusal && error.fault.blame === "request") {
    return { code: error.fault.code ?? "invalid_request", message: error.fault.message };
  }
  return { code: "bad_response", message: "The upstream did not make this image." };
}

/** Null when one of them was not counted: the sum would be too low. */
export function sumUsage(usages: readonly (ImageUsage | null)[]): ImageUsage | null {
  const [first = null, ...others] = usages;
  return others.reduce((sum, usage) => (sum && usage ? plus(sum, usage) : null), first);
}

function plus(a: ImageUsage, b: ImageUsage): ImageUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    inputTextTokens: plusKnown(a.inputTextTokens, b.inputTextTokens),
    inputImageTokens: plusKnown(a.inputImageTokens, b.inputImageTokens),
    outputImageTokens: plusKnown(a.outputImageTokens, b.outputImageTokens),
    outputTextTokens: plusKnown(a.outputTextTokens, b.outputTextTokens),
  };
}

function plusKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
