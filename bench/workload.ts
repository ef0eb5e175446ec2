// The request bodies, the same bytes for every target.

const prompt =
  "Explain in a few plain sentences how a lock on a canal lifts a boat from one level to the next, " +
  "what the gates and the sluices do, and why no pump is needed.";
const messages = [
  { role: "system", content: "You are a patient teacher. Answer briefly and in plain words." },
  { role: "user", content: prompt },
];
const base = { model: "bench-model", messages, temperature: 0.5 };
const streamed = { stream: true, stream_options: { include_usage: true } };

export const requestBody = JSON.stringify({ ...base, max_tokens: 200 });
export const streamBody = JSON.stringify({ ...base, max_tokens: 200, ...streamed });
/** The mock vendor answers one token asked for with one chunk, unpaced. */
export const shortStreamBody = JSON.stringify({ max_tokens: 1, ...base, ...streamed });
