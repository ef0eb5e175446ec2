// Settings that need a server for e-mail, and say so where there is none.
import type { ConfigFile } from "../schema.ts";

const noServer = "mail.smtp is required";

export function mailProblems({ mail, notices, accounts, sign_in }: ConfigFile): string[] {
  if (mail.smtp && notices.smtp) {
    return ["notices.smtp is the older place of mail.smtp: set one of them"];
  }
  const hasServer = (mail.smtp ?? notices.smtp) !== undefined;
  const isOff = accounts.email === "off";
  const byAddress = "with accounts.starting_credit_after: email";
  const wants: readonly (readonly [isWanted: boolean, by: string])[] = [
    [notices.destinations.some(({ type }) => type === "email"), "with a destination of type email"],
    [accounts.email === "required", "with accounts.email: required"],
    [accounts.starting_credit_after === "email", byAddress],
    [sign_in.link === "on", "with sign_in.link: on"],
  ];
  return [
    ...(hasServer
      ? []
      : wants.flatMap(([isWanted, by]) => (isWanted ? [`${noServer} ${by}`] : []))),
    ...(isOff && accounts.starting_credit_after === "email"
      ? [`accounts.email must not be off ${byAddress}`]
      : []),
    ...(isOff && sign_in.link === "on"
      ? ["accounts.email must not be off with sign_in.link: on"]
      : []),
  ];
}
