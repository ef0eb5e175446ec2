// The request bodies, the same bytes for every target. Words in the prompt steer the mock vendor.

const prompt =
  "Explain in a few plain sentences how a lock on a canal lifts a boat from one level to the " +
  "next, what the gates and the sluices do, and why no pump is needed.";
const streamed = { stream: true, stream_options: { include_usage: true } };

export const requestBody = renderBody(prompt, {});
export const streamBody = renderBody(prompt, streamed);
/** One chunk, sent at once: thousands of samples a second for the time to the first byte. */
export const shortStreamBody = renderBody(`${prompt} bench:short`, streamed);
/** A chunk a second for a minute. */
export const slowStreamBody = renderBody(`${prompt} bench:slow`, streamed);

function renderBody(content: string, extra: object): string {
  const messages = [
    { role: "system", content: "You are a patient teacher. Answer briefly and in plain words." },
    { role: "user", content },
  ];
  return JSON.stringify({
    model: "bench-model",
    messages,
    temperature: 0.5,
    max_tokens: 200,
    ...extra,
  });
}
