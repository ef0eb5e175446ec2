// Attacks that the page of another site can make a browser do: requests with its cookies, and
// forms.
import type { Page } from "../chromium.ts";

/** The part of a page that the functions need that run inside it. */
interface Made {
  method: string;
  action: string;
  enctype: string;
  name: string;
  value: string;
  append(child: Made): void;
  submit(): void;
}
declare const document: { createElement(name: "form" | "input"): Made; body: Made };

export interface Attack {
  url: string;
  method: string;
  contentType: string;
  body: string | null;
}

/** Text that the page's script gets to read, or the name of the error that it gets instead. */
export async function fetchFrom(page: Page, attack: Attack): Promise<string> {
  return await page.evaluate(sendWithCookies, attack);
}

async function sendWithCookies({ url, method, contentType, body }: Attack): Promise<string> {
  // A request in this mode is sent without asking first, which is all that an attacker needs.
  const isPlain = contentType === "text/plain";
  try {
    const response = await fetch(url, {
      method,
      credentials: "include",
      mode: isPlain ? "no-cors" : "cors",
      ...(body !== null && { body, headers: { "content-type": contentType } }),
    });
    return await response.text();
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

/** Sends a form whose body reads as JSON; what the browser shows then is the answer's code. */
export async function postFormFrom(page: Page, url: string, fields: object): Promise<unknown> {
  // A form of this kind is sent as name=value.
  const name = JSON.stringify({ ...fields, padding: "" }).slice(0, -2);
  await Promise.all([page.waitForURL(url), page.evaluate(submitForm, { url, name, value: '"}' })]);
  const answer = JSON.parse((await page.textContent("body")) ?? "") as { code?: string };
  return answer.code;
}

function submitForm({ url, name, value }: { url: string; name: string; value: string }): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = url;
  form.enctype = "text/plain";
  const input = document.createElement("input");
  input.name = name;
  input.value = value;
  form.append(input);
  document.body.append(form);
  form.submit();
}
