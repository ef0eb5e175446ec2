// Injections that somebody would put into a page who could. The page's policy should refuse each.
import type { Page } from "../chromium.ts";

/** The part of a page that the function needs that runs inside it. */
interface Made {
  innerHTML: string;
  textContent: string;
  append(child: Made): void;
  querySelector(name: "form"): { submit(): void } | null;
}
interface Violation {
  effectiveDirective: string;
  blockedURI: string;
}
declare const document: {
  body: Made;
  createElement(name: "div" | "script"): Made;
  addEventListener(
    name: "securitypolicyviolation",
    listen: (event: Violation) => void,
    options: { once: boolean },
  ): void;
};

export interface Injection {
  html?: string;
  script?: string;
  fetches?: string;
}

/** The rule by which the browser refuses it, and what it refuses. */
export async function inject(page: Page, injection: Injection): Promise<string> {
  return await page.evaluate(injectIntoPage, injection);
}

async function injectIntoPage({ html, script, fetches }: Injection): Promise<string> {
  const refused = new Promise<string>((resolve) => {
    document.addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective: rule, blockedURI: what }) => resolve(`${rule} ${what}`),
      { once: true },
    );
  });
  if (script !== undefined) {
    const made = document.createElement("script");
    made.textContent = script;
    document.body.append(made);
  }
  if (html !== undefined) {
    const made = document.createElement("div");
    made.innerHTML = html;
    document.body.append(made);
    made.querySelector("form")?.submit();
  }
  // The answer's words beyond the refusal do not matter.
  if (fetches !== undefined) await fetch(fetches).catch(() => {});
  return await refused;
}
