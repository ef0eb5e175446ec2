// The members of a virtual model as they are typed, one a line: its name, and behind it what is
// said of it, such as `chatA weight=90 when=fault,load window=200000`.
import type { BodyOf } from "../../core/control.ts";

type Member = BodyOf<"POST /api/virtual-model">["members"][number];
/** A view has all fields, a body those that were said. */
type SomeMember = { [Name in keyof Member]?: Member[Name] | null } & Pick<Member, "model">;

const usual = "fault,load,context";

export function writeMembers(members: readonly SomeMember[]): string {
  return members.map(writeMember).join("\n");
}

export function writeMember({ model, weight, when, window_tokens: window }: SomeMember): string {
  const reasons = when?.join(",") ?? usual;
  const words = [
    weight ? `weight=${weight}` : "",
    reasons === usual ? "" : `when=${reasons}`,
    window ? `window=${window}` : "",
  ];
  return [model, ...words.filter((word) => word !== "")].join(" ");
}

/** Parts that are no number or no reason stay as they are, for the gateway to refuse. */
export function readMembers(text: string): unknown[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(readMember);
}

function readMember(line: string): object {
  const [model = "", ...words] = line.split(/\s+/);
  const facts = words.map((word): [string, unknown] => {
    const [name = "", value = ""] = word.split("=");
    if (name === "when") return ["when", value.split(",").filter((reason) => reason !== "")];
    const number = /^\d+$/.test(value) ? Number(value) : value;
    return [name === "window" ? "window_tokens" : name, number];
  });
  return { model, ...Object.fromEntries(facts) };
}

type Weighted = Pick<Member, "model"> & { weight?: number | null };

/** Members of which one is drawn to be asked first, each with its share, and those that follow. */
export function drawnOf<Some extends Weighted>(
  members: readonly Some[],
): { drawn: readonly { member: Some; part: number }[]; others: readonly Some[] } {
  const weighted = members.filter(({ weight }) => weight);
  const whole = weighted.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  return {
    drawn: weighted.map((member) => ({ member, part: (member.weight ?? 0) / whole })),
    others: members.filter(({ weight }) => !weight),
  };
}
