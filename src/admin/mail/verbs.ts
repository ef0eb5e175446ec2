// E-mail of the gateway: each call with its function.
import { bind } from "../bind.ts";
import { mailCalls } from "./contract.ts";
import { testMail } from "./test-mail.ts";

export const mailVerbs = bind(mailCalls, { test: testMail });
