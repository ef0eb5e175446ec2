// Verdict of the vendor's filters on a prompt or an answer.

const categories = [
  "HARM_CATEGORY_SEXUALLY_EXPLICIT",
  "HARM_CATEGORY_HATE_SPEECH",
  "HARM_CATEGORY_HARASSMENT",
  "HARM_CATEGORY_DANGEROUS_CONTENT",
];
const caught = "HARM_CATEGORY_DANGEROUS_CONTENT";

export function safetyRatings(isFiltered: boolean): object[] {
  return categories.map((category) =>
    isFiltered && category === caught
      ? { category, probability: "HIGH", blocked: true }
      : { category, probability: "NEGLIGIBLE" },
  );
}
