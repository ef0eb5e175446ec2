// Tells people by e-mail over SMTP.
import { sendMessage, type SmtpNeeds } from "../../mail/smtp.ts";
import type { Notice } from "../notice.ts";
import type { Way } from "../sender.ts";
import { linesOf } from "./chat.ts";

interface EmailNeeds extends SmtpNeeds {
  to: readonly string[];
  /** Name of the gateway. */
  site: string;
}

const batchMax = 200;

export function emailWay({ deadlines, smtp, to, site }: EmailNeeds): Way {
  return {
    batchMax,
    async send(notices) {
      const subject = subjectOf(site, notices);
      const text = `${linesOf(site, notices)}\n`;
      await sendMessage({ deadlines, smtp }, { to, subject, text });
    },
  };
}

function subjectOf(site: string, notices: readonly Notice[]): string {
  const [first] = notices;
  if (notices.length === 1 && first) return `[${site}] ${first.text}`;
  return `[${site}] ${notices.length} notices`;
}
