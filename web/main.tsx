// Entry of the console.
import "./styles.css";
import "./core/arrival.ts";
import { render } from "preact";
import { loadSelf } from "./core/session.ts";
import { showTheme } from "./core/theme.ts";
import { startLanguage } from "./core/words.ts";
import { mountToasts } from "./kit/toast.tsx";
import { App } from "./shell/app.tsx";

showTheme();
void loadSelf();
void startLanguage().then(() => {
  const root = document.getElementById("root");
  if (root) render(<App />, root);
  mountToasts();
});
