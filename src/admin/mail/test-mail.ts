// Sends a letter that is only a test, once and at once.
import { GatewayError, invalid } from "../../core/errors.ts";
import { describe } from "../../core/log.ts";
import type { Operator } from "../../identity/caller.ts";
import { isEmailAddress } from "../../identity/email/address.ts";
import type { MailSender } from "../../mail/sender.ts";
import type { InputOf } from "../call.ts";
import type { MailCalls, MailTestView } from "./contract.ts";

export interface MailTestNeeds {
  /** Null where there is no server. */
  sender: Pick<MailSender, "test"> | null;
  site: { readonly defaultLanguage: string };
}

export async function testMail(
  { sender, site }: MailTestNeeds,
  { username }: Operator,
  { body: { to } }: InputOf<MailCalls["test"]>,
): Promise<MailTestView> {
  if (!isEmailAddress(to)) throw invalid("to", "must be an e-mail address");
  if (!sender) throw new GatewayError("conflict", { message: "mail.smtp is not set." });
  try {
    await sender.test(to, username, site.defaultLanguage);
    return { to, delivered: true, error: null };
  } catch (error) {
    return { to, delivered: false, error: describe(error) };
  }
}
