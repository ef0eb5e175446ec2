// Text as one word of a POSIX shell, whatever it is made of: for commands that people copy.

const plain = /^[A-Za-z0-9_./:@,+][A-Za-z0-9_./:@,+-]*$/;

export function shellWord(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
