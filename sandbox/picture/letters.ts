// Letters of five by seven fields. Each digit is a row in base 32: its bits are the fields, the
// highest at the left.

const fieldColumns = 5;
/** With the space to the next one. */
export const letterColumns = fieldColumns + 1;
export const letterRows = 8;

const letters: Readonly<Record<string, string>> = {
  0: "ehjlphe",
  1: "4c4444e",
  2: "eh1248v",
  3: "v2421he",
  4: "26aiv22",
  5: "vgu11he",
  6: "68guhhe",
  7: "v124888",
  8: "ehhehhe",
  9: "ehhf12c",
  A: "ehhvhhh",
  B: "uhhuhhu",
  C: "ehggghe",
  D: "sihhhis",
  E: "vgguggv",
  F: "vgguggg",
  G: "ehgnhhf",
  H: "hhhvhhh",
  I: "e44444e",
  J: "72222ic",
  K: "hikokih",
  L: "ggggggv",
  M: "hrllhhh",
  N: "hhpljhh",
  O: "ehhhhhe",
  P: "uhhuggg",
  Q: "ehhhlid",
  R: "uhhukih",
  S: "fgge11u",
  T: "v444444",
  U: "hhhhhhe",
  V: "hhhhha4",
  W: "hhhllla",
  X: "hha4ahh",
  Y: "hhha444",
  Z: "v1248gv",
};

/** The fields of a letter; none for what is no letter of this script. */
export function letterCells(letter: string): { column: number; row: number }[] {
  const digits = Object.hasOwn(letters, letter) ? [...(letters[letter] ?? "")] : [];
  return digits.flatMap((digit, row) => {
    const bits = Number.parseInt(digit, 32);
    const columns = Array.from({ length: fieldColumns }, (_, column) => column);
    const inked = columns.filter((column) => (bits >> (fieldColumns - 1 - column)) & 1);
    return inked.map((column) => ({ column, row }));
  });
}
