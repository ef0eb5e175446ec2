// Meanings of the fields of errors, by their names in snake case.

export const errorWords: Readonly<Record<string, string>> = {
  code: "One of the codes in docs/errors.md, or its number in this dialect.",
  data: "Nothing.",
  description: "What was found, what was expected and what to do.",
  details: "More of it, in the dialect's own form.",
  error: "What went wrong.",
  message: "What was found, what was expected and what to do.",
  request_id: "Finds the request in the log.",
  status: "The dialect's word for the status.",
  success: "False: it was refused.",
  type: "The kind of error.",
};
