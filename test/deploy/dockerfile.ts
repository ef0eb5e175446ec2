// Reads a Dockerfile as far as rules of our own need it.

export interface Instruction {
  name: string;
  words: string;
}

export interface Stage {
  image: string;
  name: string | null;
  instructions: Instruction[];
}

export function readStages(text: string): Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, "")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = "", words = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`not an instruction: ${line}`);
    if (name === "FROM") {
      const [, image = "", as = null] = /^(\S+)(?: AS (\S+))?$/.exec(words) ?? [];
      stages.push({ image, name: as, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, words });
  }
  return stages;
}

export function wordsOf(stage: Stage, name: string): string[] {
  return stage.instructions.filter((one) => one.name === name).map(({ words }) => words);
}

/** The words of an instruction that no shell reads; throws where it is a line for a shell. */
export function execForm(words: string): string[] {
  return JSON.parse(words.slice(words.indexOf("["))) as string[];
}
